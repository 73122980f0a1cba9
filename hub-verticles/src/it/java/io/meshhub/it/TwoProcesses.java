package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A cluster of two processes of the jar, {@code a} and {@code b}, that share a store. */
final class TwoProcesses implements AutoCloseable {

    private static final int SAMPLES = 64;

    private final ProcessNode.Setup setupA;
    private final ProcessNode.Setup setupB;
    private ProcessNode a;
    private ProcessNode b;

    private TwoProcesses(ProcessNode.Setup setupA, ProcessNode.Setup setupB, ProcessNode a, ProcessNode b) {
        this.setupA = setupA;
        this.setupB = setupB;
        this.a = a;
        this.b = b;
    }

    /** Starts both, and waits until each has its share of the addresses. */
    static TwoProcesses start(Path home) {
        List<Integer> ports = FreePorts.of(4);
        List<Integer> seeds = List.of(ports.get(2), ports.get(3));
        ProcessNode.Setup setup = new ProcessNode.Setup(
                "a", "it-" + UUID.randomUUID(), home, home.resolve("shared"), ports.get(0), ports.get(2), seeds);
        ProcessNode.Setup second = setup.named("b").on(ports.get(1), ports.get(3));
        ProcessNode a = ProcessNode.start(setup);
        try {
            TwoProcesses nodes = new TwoProcesses(setup, second, a, ProcessNode.start(second));
            nodes.awaitShares();
            return nodes;
        } catch (RuntimeException | AssertionError e) {
            a.close();
            throw e;
        }
    }

    ProcessNode a() {
        return a;
    }

    ProcessNode b() {
        return b;
    }

    /** The other one. */
    ProcessNode other(ProcessNode node) {
        return node == a ? b : a;
    }

    /** How a third node of this cluster would be started; it has data of its own and the same store. */
    ProcessNode.Setup third(Path home) {
        List<Integer> ports = FreePorts.of(2);
        return setupA.named("c").at(home).on(ports.get(0), ports.get(1));
    }

    /** How the first one was started. */
    ProcessNode.Setup setupA() {
        return setupA;
    }

    /** Starts the node anew that has ended, under its name and with its ports, and waits until it has its share. */
    ProcessNode restart(ProcessNode ended) {
        ProcessNode started = ProcessNode.start(ended == a ? setupA : setupB);
        if (ended == a) {
            a = started;
        } else {
            b = started;
        }
        awaitShares();
        return started;
    }

    /** Waits until each node hosts at least a quarter of some addresses. */
    void awaitShares() {
        List<String> samples = put("share", SAMPLES, a.http());
        await().pollInterval(Duration.ofMillis(200)).atMost(ProcessNode.START).untilAsserted(() -> {
            Map<String, NodeHttp.Ping> owners = pings(samples, b.http());
            assertThat(on("a", owners)).hasSizeGreaterThan(SAMPLES / 4);
            assertThat(on("b", owners)).hasSizeGreaterThan(SAMPLES / 4);
        });
    }

    /** Puts so many nodes below the prefix, and returns their addresses. */
    static List<String> put(String prefix, int count, NodeHttp by) {
        List<String> addresses =
                IntStream.range(0, count).mapToObj(i -> prefix + "/" + i).toList();
        List<CompletableFuture<NodeHttp.Answer>> puts = addresses.stream()
                .map(address -> by.putAsync("/mesh/" + address, new JsonObject().put("n", 0)))
                .toList();
        assertThat(puts)
                .allSatisfy(put ->
                        assertThat(put.join().status()).as(put.join().text()).isBetween(200, 201));
        return addresses;
    }

    /** The activation of each address. */
    static Map<String, NodeHttp.Ping> pings(List<String> addresses, NodeHttp by) {
        Map<String, NodeHttp.Ping> pings = new LinkedHashMap<>();
        addresses.forEach(address -> pings.put(address, by.ping(address)));
        return pings;
    }

    /** The addresses that live on the named node. */
    static List<String> on(String node, Map<String, NodeHttp.Ping> pings) {
        List<String> found = new ArrayList<>();
        pings.forEach((address, ping) -> {
            if (ping.node().equals(node)) {
                found.add(address);
            }
        });
        return found;
    }

    /** What both printed, for the message of a failure. */
    String output() {
        return "--- a\n" + a.output() + "\n--- b\n" + b.output();
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
