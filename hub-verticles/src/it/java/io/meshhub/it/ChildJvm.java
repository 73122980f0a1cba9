package io.meshhub.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM that a test started, with its output; the test ends this process and no other. */
public final class ChildJvm implements AutoCloseable {

    /** What a clustered JVM is started with. */
    public static final List<String> FLAGS = List.of(
            "-XX:MetaspaceSize=128m",
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=4",
            "--add-modules",
            "java.se",
            "--add-exports",
            "java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "--add-opens",
            "java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens",
            "java.management/sun.management=ALL-UNNAMED",
            "--add-opens",
            "jdk.management/com.sun.management.internal=ALL-UNNAMED",
            "-Xmx512m");

    private final String name;
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts {@code java} with the class path of this test and the given main class. */
    static ChildJvm start(String name, Class<?> main, String... args) {
        return start(name, System.getProperty("java.class.path"), main.getName(), Map.of(), args);
    }

    /** Starts {@code java} with that class path, main class and environment. */
    static ChildJvm start(String name, String classPath, String main, Map<String, String> environment, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(args));
        return start(name, command, environment);
    }

    /** Starts a command. */
    public static ChildJvm start(String name, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new ChildJvm(name, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            synchronized (lines) {
                lines.add("(output ended: " + e.getMessage() + ")");
            }
        }
        synchronized (lines) {
            lines.notifyAll();
        }
    }

    /** Waits for a line that contains the text, and returns it; fails with the whole output when none comes. */
    public String awaitLine(String text, Duration bound) {
        return awaitLine(line -> line.contains(text), text, bound);
    }

    private String awaitLine(Predicate<String> wanted, String what, Duration bound) {
        long end = System.nanoTime() + bound.toNanos();
        synchronized (lines) {
            while (true) {
                Optional<String> found = lines.stream().filter(wanted).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0 || !reader.isAlive()) {
                    throw new AssertionError("process " + name + " (alive=" + process.isAlive()
                            + ") printed no line with '" + what + "'. Its output:\n" + String.join("\n", lines));
                }
                try {
                    lines.wait(Math.min(left, 100));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted while waiting for '" + what + "'", e);
                }
            }
        }
    }

    /** All lines so far. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** The first line that contains the text; empty when there is none so far. */
    public Optional<String> find(String text) {
        synchronized (lines) {
            return lines.stream().filter(line -> line.contains(text)).findFirst();
        }
    }

    /** Writes a line to the standard input of the process; one that has ended does not read it. */
    public void say(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            synchronized (lines) {
                lines.add("(did not take '" + line + "': " + e.getMessage() + ")");
            }
        }
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process at once, as {@code kill -9} does, and does not wait for its end. */
    public void cut() {
        process.destroyForcibly();
    }

    /** Ends the process at once, as {@code kill -9} does. */
    public void kill() {
        cut();
        awaitExit(Duration.ofSeconds(10));
    }

    /** Asks the process to end, as SIGTERM does. */
    public void terminate() {
        // Not by the process itself, which would close its output too.
        process.toHandle().destroy();
    }

    /** Waits for the end of the process, and returns its exit code. */
    public int awaitExit(Duration bound) {
        try {
            if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("process " + name + " did not end within " + bound.toSeconds()
                        + " s. Its output:\n" + String.join("\n", lines()));
            }
            reader.join(bound.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + name, e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        cut();
    }
}
