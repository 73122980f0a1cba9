package io.meshhub.hub.launcher.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Shows how far an import is: one line that is written over on a terminal, else a line every few seconds. What else
 * goes to the same writer passes through here, so that it does not land in the middle of the line.
 */
final class ImportProgress {

    private static final Duration ON_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(5);
    private static final String ERASE = "\r\u001B[K";

    private final PrintWriter err;
    private final boolean terminal;
    private final long totalBytes;

    /**
     * Where progress goes.
     *
     * @param totalBytes the size of the file; 0 where it is not known
     */
    ImportProgress(PrintWriter err, boolean terminal, long totalBytes) {
        this.err = err;
        this.terminal = terminal;
        this.totalBytes = totalBytes;
    }

    /** Whether standard error of this process is known to be a terminal; it is on systems with /proc. */
    static boolean onTerminal() {
        Path stderr = Path.of("/proc/self/fd/2");
        try {
            if (Files.isSymbolicLink(stderr)) {
                String target = Files.readSymbolicLink(stderr).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
            }
        } catch (IOException e) {
            // Not known to be a terminal: whole lines are right everywhere.
        }
        return false;
    }

    /** How often {@link #show} is to be called. */
    Duration pace() {
        return terminal ? ON_TERMINAL : ELSEWHERE;
    }

    synchronized void show(ImportTally tally, long bytes) {
        String text = "Importing: " + tally.lines() + " lines" + percent(bytes) + ", " + tally;
        if (terminal) {
            err.print(ERASE + text);
        } else {
            err.println(text);
        }
        err.flush();
    }

    private String percent(long bytes) {
        return totalBytes <= 0 ? "" : " (" + Math.min(100, bytes * 100 / totalBytes) + " %)";
    }

    /** Takes the progress line away, so that something else can follow. */
    synchronized void clear() {
        if (terminal) {
            err.print(ERASE);
            err.flush();
        }
    }

    /** Prints a line of its own. */
    synchronized void line(String text) {
        err.println((terminal ? ERASE : "") + text.replaceAll("\\p{Cntrl}", "?"));
        err.flush();
    }
}
