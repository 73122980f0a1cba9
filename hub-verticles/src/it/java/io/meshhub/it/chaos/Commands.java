package io.meshhub.it.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs short commands of the machine. */
final class Commands {

    private static final int BOUND_SECONDS = 10;

    private Commands() {}

    /**
     * Runs it and waits for its end.
     *
     * @throws IllegalStateException when it cannot be run, does not end or ends with a failure
     */
    static void run(String... command) {
        String shown = String.join(" ", command);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("'" + shown + "' did not end within " + BOUND_SECONDS + " s");
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IllegalStateException("'" + shown + "' ended with " + process.exitValue() + ": " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException("'" + shown + "' could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running '" + shown + "'", e);
        }
    }

    /** Sends a signal to a process that this run has started. */
    static void signal(String name, long pid) {
        run("kill", "-" + name, Long.toString(pid));
    }
}
