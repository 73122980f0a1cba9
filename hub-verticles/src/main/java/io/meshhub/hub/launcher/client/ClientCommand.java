package io.meshhub.hub.launcher.client;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What all client commands share: where the node is, how to print, and how a failure becomes an exit code. */
abstract class ClientCommand implements Callable<Integer> {

    private static final int MAX_DOCUMENT_BYTES = 64 << 20;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:MESHHUB_URL:-http://127.0.0.1:8080}",
            description = "The node to talk to; also MESHHUB_URL (default: http://127.0.0.1:8080).")
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:MESHHUB_TOKEN:-}",
            description =
                    "The bearer token for a node that asks who calls; better given as MESHHUB_TOKEN, since others on"
                            + " this machine can see a command line.")
    private String token = "";

    @Option(names = "--json", description = "Print JSON: the answer on standard output, or the problem document.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Spec
    private @Nullable CommandSpec spec;

    /** Does it and prints the result; returns the exit code. */
    abstract int run(MeshHttp node) throws CallFailure;

    @Override
    public Integer call() {
        MeshHttp node = new MeshHttp(base(), timeout(), token());
        try {
            return run(node);
        } catch (CallFailure failure) {
            return report(failure);
        } finally {
            out().flush();
            err().flush();
        }
    }

    final int report(CallFailure failure) {
        if (json) {
            out().println(failure.problem().encode());
        }
        err().println("meshhub: " + failure.getMessage());
        return failure.exitCode();
    }

    private String base() {
        try {
            URI uri = URI.create(url);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null) {
                return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
            }
        } catch (IllegalArgumentException e) {
            throw usage("--url = '" + url + "' is no URL (" + e.getMessage() + ")");
        }
        throw usage("--url = '" + url + "' must be such as http://127.0.0.1:8080");
    }

    private Optional<String> token() {
        String given = token.strip();
        // It is never told what was given.
        if (!given.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw usage("--token, or MESHHUB_TOKEN, must be printable ASCII without white space");
        }
        return given.isEmpty() ? Optional.empty() : Optional.of(given);
    }

    private Duration timeout() {
        if (timeoutSeconds < 1 || timeoutSeconds > 3600) {
            throw usage("--timeout = " + timeoutSeconds + " must be between 1 and 3600");
        }
        return Duration.ofSeconds(timeoutSeconds);
    }

    final boolean json() {
        return json;
    }

    final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    final PrintWriter err() {
        return spec().commandLine().getErr();
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by the command line");
        }
        return spec;
    }

    /** Prints the answer as JSON when that was asked for, else the text. */
    final void print(JsonObject answer, String text) {
        out().println(json ? answer.encode() : text);
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    /** The bytes of a file, or of standard input for {@code -}. */
    final byte[] read(String file) {
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(MAX_DOCUMENT_BYTES + 1);
            if (bytes.length > MAX_DOCUMENT_BYTES) {
                throw usage("'" + file + "' is larger than " + MAX_DOCUMENT_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw usage("'" + file + "' does not exist");
        } catch (IOException e) {
            throw usage("'" + file + "' cannot be read: " + e.getMessage());
        }
    }

    /** Reads an address from the command line, and names the fault and its position. */
    static final class AddressConverter implements ITypeConverter<MeshAddress> {
        @Override
        public MeshAddress convert(String text) {
            try {
                return MeshAddress.of(text);
            } catch (Rejected e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
