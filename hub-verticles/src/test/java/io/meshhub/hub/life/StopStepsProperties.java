package io.meshhub.hub.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever hangs in a stop: all steps are taken, on one budget, and what hung is named (promise 4, O1). */
class StopStepsProperties {

    private static final int HANGS = 100;

    private record Due(long at, int order, Runnable action) {}

    /** A time that goes from one thing that is due to the next. */
    private static final class Time implements MeshClock, Pacer {
        private final PriorityQueue<Due> due =
                new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingInt(Due::order));
        private long now = 5_000_000_000L;
        private int order;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public Cancellable after(Duration delay, Runnable action) {
            Due entry = new Due(now + Math.max(0, delay.toNanos()), order++, action);
            due.add(entry);
            return () -> due.remove(entry);
        }

        void run() {
            for (Due next = due.poll(); next != null; next = due.poll()) {
                now = Math.max(now, next.at());
                next.action().run();
            }
        }
    }

    @Property
    void allStepsAreTakenWithinTheBudgetAndWhatHungIsNamed(
            @ForAll @IntRange(min = 1, max = 60_000) int budget,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 0, max = HANGS) Integer> lasting,
            @ForAll @IntRange(min = 1, max = 20_000) int need) {
        Time time = new Time();
        long begun = time.nanoTime();
        List<String> cut = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        Set<String> underWay = new HashSet<>();
        StopSteps steps = new StopSteps(time, time, Duration.ofMillis(budget), cut, underWay);
        Future<Void> last = Future.succeededFuture();
        for (int i = 0; i < lasting.size(); i++) {
            String name = "step " + i;
            int percent = lasting.get(i);
            Duration later = Duration.ofMillis((long) need * (lasting.size() - 1 - i));
            last = last.compose(before -> steps.step(name, later, bound -> {
                taken.add(name);
                assertThat(bound).isPositive();
                assertThat(Duration.ofNanos(time.nanoTime() - begun).plus(bound))
                        .isLessThan(Duration.ofMillis(budget));
                Promise<Optional<String>> ended = Promise.promise();
                if (percent < HANGS) {
                    // What keeps the bound that it is given is never cut.
                    time.after(bound.multipliedBy(percent).dividedBy(HANGS), () -> ended.complete(Optional.empty()));
                }
                return ended.future();
            }));
        }
        time.run();

        assertThat(last.succeeded()).isTrue();
        assertThat(Duration.ofNanos(time.nanoTime() - begun)).isLessThanOrEqualTo(Duration.ofMillis(budget));
        assertThat(taken).hasSize(lasting.size());
        List<String> hung = IntStream.range(0, lasting.size())
                .filter(i -> lasting.get(i) == HANGS)
                .mapToObj(i -> "step " + i)
                .toList();
        assertThat(cut).hasSameSizeAs(hung);
        assertThat(underWay).containsExactlyInAnyOrderElementsOf(hung);
        for (int i = 0; i < hung.size(); i++) {
            assertThat(cut.get(i)).startsWith(hung.get(i) + " did not end within ");
        }
    }

    @Property
    void aStepLeavesTheLaterOnesWhatTheyNeedAndGetsHalfAtLeast(
            @ForAll @IntRange(max = 100_000) int left, @ForAll @IntRange(max = 100_000) int later) {
        Duration all = Duration.ofMillis(left);
        Duration share = StopSteps.share(all, Duration.ofMillis(later));
        assertThat(share).isBetween(all.dividedBy(2), all);
        assertThat(all.minus(share).compareTo(Duration.ofMillis(later)) >= 0 || share.equals(all.dividedBy(2)))
                .isTrue();
    }

    @Example
    void aStepThatFailsOrThrowsOrSaysWhatItCutIsNamedAndTheNextOneIsTaken() {
        Time time = new Time();
        List<String> cut = new ArrayList<>();
        StopSteps steps = new StopSteps(time, time, Duration.ofSeconds(1), cut, new HashSet<>());
        Future<Void> last = steps.step("one", Duration.ZERO, bound -> Future.failedFuture("no"))
                .compose(done -> steps.step("two", Duration.ZERO, bound -> {
                    throw new IllegalStateException("never");
                }))
                .compose(done ->
                        steps.step("three", Duration.ZERO, bound -> Future.succeededFuture(Optional.of("7 shards"))));
        time.run();
        assertThat(last.succeeded()).isTrue();
        assertThat(cut).containsExactly("one failed: no", "two failed: never", "7 shards");
    }
}
