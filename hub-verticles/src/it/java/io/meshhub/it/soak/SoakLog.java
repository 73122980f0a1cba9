package io.meshhub.it.soak;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The file in which a process notes what was acknowledged to it and what its streams said, a line each; flushed at each
 * look, so that a {@code kill -9} loses one look at most. All times are of the clock that the processes of one machine
 * share.
 */
final class SoakLog {

    private static final String ENDING = ".log.txt";
    private static final String ACKNOWLEDGED = "A";
    private static final String SEEN = "S";
    private static final String LOOKED = "T";

    private final BufferedWriter file;

    private SoakLog(BufferedWriter file) {
        this.file = file;
    }

    static SoakLog open(Path directory, String process) {
        try {
            return new SoakLog(Files.newBufferedWriter(directory.resolve(process + ENDING), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A write was acknowledged by a node. */
    void acknowledged(String address, long version, String node) {
        line(ACKNOWLEDGED, System.nanoTime(), address, version, node);
    }

    /** The stream was looked at, and is not as it was at the look before. */
    void seen(String address, long version, boolean live) {
        line(SEEN, System.nanoTime(), address, version, live);
    }

    /** All streams were looked at. */
    synchronized void looked() {
        line(LOOKED, System.nanoTime());
        try {
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void line(Object... words) {
        try {
            file.write(String.join(" ", Stream.of(words).map(String::valueOf).toList()) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what all processes of a run noted. */
    static SoakHistory read(Path directory) {
        SoakHistory history = new SoakHistory(new ArrayList<>(), new ArrayList<>());
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each :
                    files.filter(it -> it.toString().endsWith(ENDING)).sorted().toList()) {
                String name = each.getFileName().toString();
                read(each, name.substring(0, name.length() - ENDING.length()), history);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return history;
    }

    private static void read(Path file, String process, SoakHistory history) throws IOException {
        Map<String, SoakHistory.Seen> now = new HashMap<>();
        long looked = 0;
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case LOOKED -> looked = words.length == 2 ? Long.parseLong(words[1]) : looked;
                case ACKNOWLEDGED -> {
                    if (words.length == 5) {
                        history.acknowledged()
                                .add(new SoakHistory.Acknowledged(
                                        Long.parseLong(words[1]), words[2], Long.parseLong(words[3]), words[4]));
                    }
                }
                // The last line of a process that was killed may be cut.
                default -> {
                    if (words.length == 5) {
                        seen(process, words, looked, now, history);
                    }
                }
            }
        }
        long end = looked;
        now.values().forEach(last -> history.seen().add(last.until(end)));
    }

    private static void seen(
            String process, String[] words, long looked, Map<String, SoakHistory.Seen> now, SoakHistory history) {
        SoakHistory.Seen next = new SoakHistory.Seen(
                process,
                words[2],
                Long.parseLong(words[3]),
                Boolean.parseBoolean(words[4]),
                Long.parseLong(words[1]),
                Long.parseLong(words[1]));
        SoakHistory.Seen before = now.put(words[2], next);
        if (before != null) {
            // It held at the last look, and at some moment between the looks no longer.
            history.seen().add(before.until(looked));
        }
    }
}
