package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * F1, F5, W7 and A3 of two processes of the jar: the owner of addresses is killed while they are read and written over
 * HTTP; the other one serves all that was acknowledged, and the killed one comes back.
 */
@Timeout(180)
class NodeKilledServesOnIT {

    private static final Logger LOG = LoggerFactory.getLogger(NodeKilledServesOnIT.class);
    private static final int ADDRESSES = 200;
    private static final int THROUGH_SURVIVOR = 100;
    private static final int THROUGH_KILLED = 20;
    private static final String DEADLINE_MS = "15000";

    @TempDir
    private static Path home;

    /** What the clients saw. */
    private static final class Seen {
        final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        final ConcurrentLinkedQueue<NodeHttp.Answer> unexpected = new ConcurrentLinkedQueue<>();
        final AtomicInteger answers = new AtomicInteger();
        final AtomicInteger unavailable = new AtomicInteger();

        void take(String address, boolean write, NodeHttp.Answer answer) {
            answers.incrementAndGet();
            if (answer.status() == 503
                    && answer.problem().filter("Unavailable"::equals).isPresent()) {
                unavailable.incrementAndGet();
            } else if (answer.status() != 200) {
                unexpected.add(answer);
            } else if (write) {
                acknowledged.merge(address, answer.version(), Math::max);
            }
        }
    }

    private final Seen seen = new Seen();
    private final AtomicLong killed = new AtomicLong();
    private final AtomicLong content = new AtomicLong();

    @Test
    void everyAcknowledgedWriteIsServedByTheOtherNodeAndTheKilledOneComesBack() {
        try (TwoProcesses nodes = TwoProcesses.start(home)) {
            NodeHttp a = nodes.a().http();
            NodeHttp b = nodes.b().http();
            List<String> addresses = TwoProcesses.put("kill", ADDRESSES, a);
            Map<String, NodeHttp.Ping> before = TwoProcesses.pings(addresses, a);
            List<String> lost = TwoProcesses.on("b", before);
            assertThat(lost).hasSizeGreaterThan(ADDRESSES / 4);
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            IntStream.range(0, THROUGH_KILLED).forEach(i -> clients.add(untilLost(b, lost, i)));
            IntStream.range(0, THROUGH_SURVIVOR).forEach(i -> clients.add(untilServed(a, lost, i)));
            Awaitility.await().until(() -> seen.answers.get() > 2000);

            nodes.b().jvm().kill();
            killed.set(System.nanoTime());

            clients.forEach(CompletableFuture::join);
            long served = (System.nanoTime() - killed.get()) / 1_000_000;
            assertThat(seen.unexpected).as(nodes.output()).isEmpty();
            assertAllAnswer(a, lost);
            long all = (System.nanoTime() - killed.get()) / 1_000_000;
            LOG.info(
                    "After kill -9: each of {} clients served after {} ms, all {} addresses after {} ms; {} answers, {} of them Unavailable",
                    THROUGH_SURVIVOR,
                    served,
                    lost.size(),
                    all,
                    seen.answers,
                    seen.unavailable);
            assertAcknowledgedIsServed(a);
            assertLaterActivations(before, TwoProcesses.pings(addresses, a));

            nodes.restart(nodes.b());

            LOG.info(
                    "{} of {} addresses are back",
                    TwoProcesses.on("b", TwoProcesses.pings(addresses, a)).size(),
                    ADDRESSES);
            assertAcknowledgedIsServed(nodes.b().http());
            for (String address : addresses) {
                assertThat(nodes.b().http().get("/mesh/" + address).json())
                        .isEqualTo(a.get("/mesh/" + address).json());
            }
        }
    }

    /** One request after the other, until the node that is asked is gone. */
    private CompletableFuture<Void> untilLost(NodeHttp node, List<String> addresses, int turn) {
        return once(node, addresses, turn)
                .handle((answer, lost) -> lost == null)
                .thenCompose(on -> on
                        ? untilLost(node, addresses, turn + THROUGH_KILLED)
                        : CompletableFuture.completedFuture(null));
    }

    /** One request after the other, until one that was sent after the kill is served. */
    private CompletableFuture<Void> untilServed(NodeHttp node, List<String> addresses, int turn) {
        boolean after = killed.get() != 0;
        return once(node, addresses, turn)
                .thenCompose(answer -> after && answer.status() == 200
                        ? CompletableFuture.completedFuture(null)
                        : untilServed(node, addresses, turn + THROUGH_SURVIVOR));
    }

    private CompletableFuture<NodeHttp.Answer> once(NodeHttp node, List<String> addresses, int turn) {
        String address = addresses.get(turn % addresses.size());
        boolean write = turn % 3 != 0;
        String path = "/mesh/" + address;
        CompletableFuture<NodeHttp.Answer> answer = write
                ? node.putAsync(
                        path, new JsonObject().put("n", content.incrementAndGet()), "Mesh-Deadline-Ms", DEADLINE_MS)
                : node.getAsync(path, "Mesh-Deadline-Ms", DEADLINE_MS);
        return answer.thenApplyAsync(
                got -> {
                    seen.take(address, write, got);
                    return got;
                },
                Runnable::run);
    }

    private static void assertAllAnswer(NodeHttp node, List<String> addresses) {
        List<CompletableFuture<NodeHttp.Answer>> answers = addresses.stream()
                .map(address -> node.getAsync("/mesh/" + address))
                .toList();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().status())
                        .as(answer.join().text())
                        .isEqualTo(200));
    }

    private void assertAcknowledgedIsServed(NodeHttp node) {
        assertThat(seen.acknowledged).isNotEmpty();
        seen.acknowledged.forEach(
                (address, version) -> assertThat(node.get("/mesh/" + address).version())
                        .as("version of %s", address)
                        .isGreaterThanOrEqualTo(version));
    }

    private static void assertLaterActivations(Map<String, NodeHttp.Ping> before, Map<String, NodeHttp.Ping> after) {
        before.forEach((address, was) -> {
            NodeHttp.Ping is = after.get(address);
            assertThat(is.node()).isEqualTo("a");
            if (was.node().equals("b")) {
                assertThat(is.id()).as("activation of %s", address).isGreaterThan(was.id());
            } else {
                assertThat(is).isEqualTo(was);
            }
        });
    }
}
