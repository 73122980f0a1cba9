package io.meshhub.it;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One call of the command line of the jar, as a process of its own; the test ends this process and no other. */
final class Meshhub implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(90);

    /** How a call ended. */
    record Ended(int code, List<String> out, List<String> err) {

        /** The only line of standard output, as a JSON object. */
        JsonObject json() {
            if (out.size() != 1) {
                throw new AssertionError("not one line of JSON: " + this);
            }
            return new JsonObject(out.get(0));
        }
    }

    private final Process process;
    private final Path out;
    private final Path err;

    private Meshhub(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** The beginning of a command that runs the jar. */
    static List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-jar");
        command.add(System.getProperty("meshhub.jar"));
        return command;
    }

    /** Starts a call; what is written to it goes to its standard input. */
    static Meshhub start(List<String> arguments) {
        return start(List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"), arguments);
    }

    /** Starts a node that is not expected to come up. */
    static Meshhub startNode(List<String> arguments) {
        return start(ChildJvm.FLAGS, arguments);
    }

    private static Meshhub start(List<String> flags, List<String> arguments) {
        List<String> command = java(flags);
        command.addAll(arguments);
        try {
            Path out = Files.createTempFile("meshhub-it", ".out");
            Path err = Files.createTempFile("meshhub-it", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().put("MESHHUB_CONFIG", "");
            return new Meshhub(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a call to its end. */
    static Ended run(String... arguments) {
        try (Meshhub call = start(List.of(arguments))) {
            return call.await();
        }
    }

    /** Runs a call against a node to its end. */
    static Ended at(NodeHttp node, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--url");
        all.add(node.url());
        return run(all.toArray(String[]::new));
    }

    /** Writes lines to its standard input. */
    void write(List<String> lines) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to " + this + " failed", e);
        }
    }

    /** Ends its standard input. */
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** Waits for its end. */
    Ended await() {
        try {
            if (!process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("did not end within " + BOUND.toSeconds() + " s: " + this);
            }
            return new Ended(
                    process.exitValue(),
                    Files.readAllLines(out, StandardCharsets.UTF_8),
                    Files.readAllLines(err, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        try {
            return "process " + process.pid() + "\n" + Files.readString(out) + Files.readString(err);
        } catch (IOException e) {
            return "process " + process.pid() + " (" + e + ")";
        }
    }
}
