package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How processes of the jar end, and hand over to the one that stays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ProcessLifecycleIT {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycleIT.class);
    private static final Duration END = Duration.ofSeconds(45);
    private static final int ADDRESSES = 200;
    private static final int CLIENTS = 8;
    private static final Executor PACE = CompletableFuture.delayedExecutor(40, TimeUnit.MILLISECONDS);

    @TempDir
    private static Path home;

    private TwoProcesses nodes;
    private List<String> addresses;

    @BeforeAll
    @Timeout(120)
    void start() {
        nodes = TwoProcesses.start(home);
        addresses = TwoProcesses.put("life", ADDRESSES, nodes.a().http());
    }

    @AfterAll
    void end() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** F4 and O1: both are restarted, one by one, and no request fails. */
    @Test
    void nodesRestartOneByOneUnderLoadAndNoRequestFails() {
        restartUnderLoad(nodes.b());
        restartUnderLoad(nodes.a());
    }

    private void restartUnderLoad(ProcessNode leaving) {
        NodeHttp staying = nodes.other(leaving).http();
        Load load = new Load(staying);
        List<Integer> readiness = new ArrayList<>();

        leaving.jvm().terminate();
        for (int status = leaving.http().readiness();
                status != 0;
                status = leaving.http().readiness()) {
            readiness.add(status);
        }
        int code = leaving.jvm().awaitExit(END);
        load.awaitMore(CLIENTS * 10);
        nodes.restart(leaving);
        load.awaitMore(CLIENTS * 10);
        load.end();

        LOG.info(
                "Restart of {}: readiness {} while it drained, {} requests, slowest {} ms",
                leaving.name(),
                readiness.stream().distinct().toList(),
                load.done,
                load.slowest);
        assertThat(code).as(leaving.output()).isZero();
        assertThat(readiness).as("readiness before the port closed").contains(503);
        assertThat(readiness.subList(readiness.indexOf(503), readiness.size())).containsOnly(503);
        assertThat(leaving.jvm().lines()).anyMatch(line -> line.contains("ended in good order"));
        assertThat(load.failed).as(nodes.output()).isEmpty();
    }

    /** O1: the second signal cuts, the exit code is 1, and what was cut is said. The shards are served nevertheless. */
    @Test
    void secondSignalCutsAndTheOtherNodeServes() {
        ProcessNode b = nodes.b();
        b.jvm().terminate();
        b.jvm().awaitLine("drains after SIGTERM", END);
        b.jvm().terminate();

        assertThat(b.jvm().awaitExit(END)).as(b.output()).isEqualTo(1);

        assertThat(b.jvm().lines()).anyMatch(line -> line.startsWith("meshhub: Node b was cut after "));
        NodeHttp a = nodes.a().http();
        assertThat(addresses)
                .allSatisfy(address ->
                        assertThat(a.get("/mesh/" + address).status()).isEqualTo(200));
        nodes.restart(b);
    }

    /** Reads of all addresses through one node, some at a time, until told to end. */
    private final class Load {
        final NodeHttp node;
        final AtomicBoolean over = new AtomicBoolean();
        final AtomicInteger done = new AtomicInteger();
        final AtomicInteger slowest = new AtomicInteger();
        final ConcurrentLinkedQueue<NodeHttp.Answer> failed = new ConcurrentLinkedQueue<>();
        final List<CompletableFuture<Void>> clients;

        Load(NodeHttp node) {
            this.node = node;
            this.clients = IntStream.range(0, CLIENTS).mapToObj(this::next).toList();
        }

        private CompletableFuture<Void> next(int turn) {
            if (over.get()) {
                return CompletableFuture.completedFuture(null);
            }
            long begun = System.nanoTime();
            String path = "/mesh/" + addresses.get(turn % ADDRESSES);
            CompletableFuture<NodeHttp.Answer> answer =
                    turn % 3 == 0 ? node.putAsync(path, new JsonObject().put("turn", turn)) : node.getAsync(path);
            return answer.thenCompose(got -> {
                int millis = (int) ((System.nanoTime() - begun) / 1_000_000);
                slowest.accumulateAndGet(millis, Math::max);
                if (got.status() != 200) {
                    failed.add(got);
                }
                done.incrementAndGet();
                return CompletableFuture.runAsync(() -> {}, PACE).thenCompose(paced -> next(turn + CLIENTS));
            });
        }

        void awaitMore(int count) {
            int wanted = done.get() + count;
            await().atMost(END).until(() -> done.get() >= wanted);
        }

        void end() {
            over.set(true);
            clients.forEach(CompletableFuture::join);
        }
    }
}
