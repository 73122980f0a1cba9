package io.meshhub.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the jar in a process of its own. */
final class ProcessNode implements AutoCloseable {

    static final Duration START = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(ProcessNode.class);
    private static final Duration PROBE_PACE = Duration.ofMillis(20);

    private final String name;
    private final ChildJvm jvm;
    private final NodeHttp http;

    private ProcessNode(String name, ChildJvm jvm, NodeHttp http) {
        this.name = name;
        this.jvm = jvm;
        this.http = http;
    }

    /**
     * What a node is started with.
     *
     * @param home the directory of its data and, unless another is named, of its store
     * @param store the directory of its store
     * @param seeds the Hazelcast ports of the nodes that it asks, its own perhaps among them
     */
    record Setup(
            String name, String cluster, Path home, Path store, int httpPort, int hazelcastPort, List<Integer> seeds) {

        Setup named(String newName) {
            return new Setup(newName, cluster, home, store, httpPort, hazelcastPort, seeds);
        }

        Setup at(Path newHome) {
            return new Setup(name, cluster, newHome, store, httpPort, hazelcastPort, seeds);
        }

        Setup storedIn(Path newStore) {
            return new Setup(name, cluster, home, newStore, httpPort, hazelcastPort, seeds);
        }

        Setup on(int newHttpPort, int newHazelcastPort) {
            return new Setup(name, cluster, home, store, newHttpPort, newHazelcastPort, seeds);
        }

        /** The arguments of the command line. */
        List<String> arguments() {
            List<String> arguments = new ArrayList<>(List.of(
                    "run",
                    "--node",
                    name,
                    "--data",
                    home.toString(),
                    "--set",
                    "store.dir=" + store,
                    "--set",
                    "cluster.name=" + cluster,
                    "--http-port",
                    Integer.toString(httpPort),
                    "--hazelcast-port",
                    Integer.toString(hazelcastPort),
                    "--set",
                    "cluster.hazelcast.ports=1",
                    "--join",
                    "tcp"));
            seeds.forEach(seed -> arguments.addAll(List.of("--seed", "127.0.0.1:" + seed)));
            return arguments;
        }
    }

    /** Starts it, and waits until it is ready. */
    static ProcessNode start(Setup setup) {
        List<String> flags = new ArrayList<>(ChildJvm.FLAGS);
        // A process of a test lives too short for the second compiler to pay.
        flags.add("-XX:TieredStopAtLevel=1");
        List<String> command = Meshhub.java(flags);
        command.addAll(setup.arguments());
        long begun = System.nanoTime();
        ProcessNode node = new ProcessNode(
                setup.name(),
                ChildJvm.start(setup.name(), command, Map.of("MESHHUB_CONFIG", "")),
                new NodeHttp(setup.httpPort()));
        try {
            node.awaitReady();
        } catch (AssertionError e) {
            node.close();
            throw e;
        }
        LOG.info("Node {} was ready {} ms after its start", node.name, (System.nanoTime() - begun) / 1_000_000);
        return node;
    }

    private void awaitReady() {
        long end = System.nanoTime() + START.toNanos();
        while (http.readiness() != 200) {
            if (!jvm.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("node " + name + " (alive=" + jvm.isAlive()
                        + ") did not become ready. Its output:\n" + output());
            }
            LockSupport.parkNanos(PROBE_PACE.toNanos());
        }
    }

    String name() {
        return name;
    }

    NodeHttp http() {
        return http;
    }

    ChildJvm jvm() {
        return jvm;
    }

    /** What it printed, for the message of a failure. */
    String output() {
        return String.join("\n", jvm.lines());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
