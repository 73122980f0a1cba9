package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** D11: a hub whose code blocks the thread of its loop. The test opens the latch that it waits at. */
class BlockedLoopTest {

    private static final int LOOPS = 2;
    private static final MeshAddress BLOCKER = MeshAddress.of("orders/42");
    private static final int LOOP = BLOCKER.loop(LOOPS);
    private static final MeshAddress SUFFERER = onLoop(LOOP);
    private static final MeshAddress ELSEWHERE = onLoop(1 - LOOP);
    private static final Duration FOUND = Duration.ofSeconds(7);

    private final HubHouse house = new HubHouse(LOOPS, HubOptions.ofDefaults(), GuardOptions.ofDefaults());
    private final CountDownLatch latch = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final AtomicInteger disposals = new AtomicInteger();
    private final AtomicBoolean blockInit = new AtomicBoolean();
    private @Nullable FakeDelivery blocking;

    private static MeshAddress onLoop(int loop) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> MeshAddress.of("orders/other-" + i))
                .filter(address -> address.loop(LOOPS) == loop)
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void register() {
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.init(() -> {
                        if (blockInit.getAndSet(false)) {
                            block();
                        }
                        return Future.succeededFuture();
                    });
                    setup.on("block", Object.class, body -> {
                        block();
                        return Future.succeededFuture("late");
                    });
                    setup.on("echo", Object.class, Future::succeededFuture);
                    setup.onDispose(() -> {
                        disposals.incrementAndGet();
                        return Future.succeededFuture();
                    });
                }));
    }

    private void block() {
        entered.countDown();
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        latch.countDown();
        house.close();
    }

    private FakeDelivery ask(MeshAddress to, String type) {
        return house.deliver(to, type, "x", Verb.REQUEST, 25_000);
    }

    private ActivationId blocked() throws InterruptedException {
        ActivationId id = ask(BLOCKER, "echo").reply().activation();
        ask(SUFFERER, "echo").reply();
        ask(ELSEWHERE, "echo").reply();
        blocking = ask(BLOCKER, "block");
        entered.await();
        return id;
    }

    private FakeDelivery blocking() {
        return Objects.requireNonNull(blocking);
    }

    private MeshException refusal() {
        return house.runtime.refusal(BLOCKER).orElseThrow();
    }

    @Test
    void itIsReportedOnceRefusedAsDeadAndServedAgainByANewActivation() throws InterruptedException {
        ActivationId id = blocked();
        house.passBeside(LOOP, FOUND);

        assertThat(house.runtime.isStalled(LOOP)).isTrue();
        assertThat(house.runtime.isStalled(1 - LOOP)).isFalse();
        assertThat(house.gauges.get("hub.loops.blocked[]").getAsLong()).isEqualTo(1);
        assertThat(house.counted("hub.loops.stalled")).isEqualTo(1);
        assertThat(refusal()).isInstanceOf(ShuttingDown.class);
        assertThat(refusal().runLevel()).contains(RunLevel.DEAD);
        assertThat(refusal().activation()).contains(id);
        assertThat(house.runtime.refusal(SUFFERER)).isEmpty();
        ask(ELSEWHERE, "echo").reply();
        house.passBeside(LOOP, FOUND);
        assertThat(house.counted("hub.loops.stalled")).as("said once").isEqualTo(1);

        FakeDelivery queued = ask(BLOCKER, "echo");
        latch.countDown();
        house.settle();

        ShuttingDown answer = blocking().failure(ShuttingDown.class);
        assertThat(answer.detail().entered()).as("its handler had been entered").isTrue();
        assertThat(answer.activation()).contains(id);
        assertThat(blocking().surplus()).as("what it says late is no answer").isZero();
        assertThat(queued.reply().activation().value()).isGreaterThan(id.value());
        assertThat(disposals).hasValue(1);
        assertThat(house.runtime.isStalled(LOOP)).isFalse();
        assertThat(house.runtime.refusal(BLOCKER)).isEmpty();
        assertThat(house.gauges.get("hub.loops.blocked[]").getAsLong()).isZero();
        ask(SUFFERER, "echo").reply();
    }

    @Test
    void aShortPauseIsNoBlockedLoop() throws InterruptedException {
        blocked();
        house.passBeside(LOOP, Duration.ofSeconds(4));
        assertThat(house.runtime.isStalled(LOOP)).isFalse();
        latch.countDown();
        blocking().reply();
        house.pass(FOUND);
        assertThat(house.counted("hub.loops.stalled")).isZero();
    }

    @Test
    void anInitThatBlocksIsFoundAsWell() throws InterruptedException {
        blockInit.set(true);
        FakeDelivery first = ask(BLOCKER, "echo");
        entered.await();
        house.passBeside(LOOP, FOUND);
        assertThat(house.runtime.refusal(BLOCKER)).isPresent();
        latch.countDown();
        first.failure(ShuttingDown.class);
        house.settle();
        ask(BLOCKER, "echo").reply();
    }

    @Test
    void aReleaseEndsWithinItsBoundAndNothingAnswersUnderTheOldEpochAfterwards() throws InterruptedException {
        blocked();
        Set<Integer> shards = Set.of(BLOCKER.shard(), SUFFERER.shard(), ELSEWHERE.shard());
        Future<Void> released = house.runtime.release(shards, "the shard is given away");

        house.passBeside(LOOP, Duration.ofMillis(9_499));
        assertThat(released.isComplete()).isFalse();
        house.passBeside(LOOP, Duration.ofMillis(1));
        HubHouse.await(released);
        assertThat(house.runtime.refusal(BLOCKER)).isPresent();

        latch.countDown();
        blocking().failure(ShuttingDown.class);
        house.settle();
        assertThat(disposals).as("every activation of the shards ended").hasValue(3);
    }

    @Test
    void operatorsSeeTheOtherLoops() throws InterruptedException {
        blocked();
        house.passBeside(LOOP, FOUND);
        assertThat(HubHouse.await(house.runtime.activations(10)))
                .extracting(ActivationInfo::address)
                .containsExactly(ELSEWHERE);
    }

    @Test
    void anAddressThatWakesAfterItsShardWasGivenAwayBesideTheBlockedLoopLives() throws InterruptedException {
        // Code of no known hub, on a loop that nobody looks at: what was given away is found by the next message.
        house.loops.get(LOOP).context().runOnContext(nothing -> block());
        entered.await();
        Future<Void> released = house.runtime.release(Set.of(BLOCKER.shard()), "the shard is given away");
        house.passBeside(LOOP, Duration.ofMillis(9_500));
        HubHouse.await(released);

        FakeDelivery woken = ask(BLOCKER, "echo");
        latch.countDown();
        ActivationId id = woken.reply().activation();
        house.settle();
        assertThat(ask(BLOCKER, "echo").reply().activation()).isEqualTo(id);
        assertThat(disposals).hasValue(0);
    }
}
