package io.meshhub.bench.pekko;

import io.meshhub.it.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two {@link PekkoNode}s, each in a process of its own; the first one asks. */
public final class PekkoPair implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);

    private final ChildJvm asking;
    private final ChildJvm other;
    private int windows;

    private PekkoPair(ChildJvm asking, ChildJvm other) {
        this.asking = asking;
        this.other = other;
    }

    /** What one window saw; times in microseconds. */
    public record Result(double perSecond, double p50Micros, double p99Micros, double p999Micros, long failures) {}

    /** Starts both, and waits until each sees the other. */
    public static PekkoPair start() throws IOException {
        String first = Integer.toString(freePort());
        String second = Integer.toString(freePort());
        PekkoPair pair = new PekkoPair(node("pekko-a", first, first), node("pekko-b", second, first));
        pair.asking.awaitLine("UP", START);
        pair.other.awaitLine("UP", START);
        return pair;
    }

    private static ChildJvm node(String name, String port, String seed) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The collector with which Pekko was seen to be fastest here; the mesh keeps the default.
        command.addAll(List.of("-XX:+UseParallelGC", "-Xms512m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PekkoNode.class.getName(), port, seed));
        return ChildJvm.start(name, command, Map.of());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Asks so many entities that are not there yet, and says how many were started a second. */
    public double cold(boolean own, int count) {
        String marker = "RESULT " + windows + " ";
        asking.say("cold " + (own ? "own" : "other") + " " + count + " " + windows++);
        return Double.parseDouble(asking.awaitLine(marker, START).substring(marker.length()));
    }

    /** What very many idle entities of one node cost. */
    public record Heap(double perSecond, double bytesEach, double collectionMillis) {}

    /** Asks so many entities of its own node that are not there yet, and says what they cost when they are idle. */
    public Heap heap(int count) {
        String marker = "RESULT " + windows + " ";
        asking.say("heap own " + count + " " + windows++);
        String[] words =
                asking.awaitLine(marker, START).substring(marker.length()).split(" ", -1);
        return new Heap(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    }

    /** Asks live entities for so long, and says what was seen. */
    public Result run(boolean own, boolean json, int outstanding, long millis) {
        String marker = "RESULT " + windows + " ";
        asking.say("run " + (own ? "own" : "other") + " " + (json ? "json" : "bytes") + " " + outstanding + " " + millis
                + " " + windows++);
        String[] words = asking.awaitLine(marker, START.plusMillis(millis))
                .substring(marker.length())
                .split(" ", -1);
        return new Result(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Long.parseLong(words[4]));
    }

    @Override
    public void close() {
        asking.close();
        other.close();
    }
}
