package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.queues.TurnQueue;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a turn is taken in its order, many in one turn, and nothing is left behind. */
@Timeout(60)
class TurnQueueTest {

    private final Vertx vertx = Vertx.vertx();
    private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();

    @AfterEach
    void close() {
        Await.value(vertx.close());
    }

    private void onLoop(Runnable action) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(turn -> {
            action.run();
            done.complete();
        });
        Await.value(done.future());
    }

    @Test
    void whatIsOfferedBeforeATurnSharesItInOrder() {
        List<Integer> taken = new ArrayList<>();
        AtomicInteger turns = new AtomicInteger();
        TurnQueue<Integer> queue = new TurnQueue<>(context, taken::add, turns::incrementAndGet);

        // While the loop is in this action no turn can begin.
        onLoop(() -> IntStream.range(0, 100).forEach(queue::offer));
        onLoop(() -> {});

        assertThat(taken).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(turns).hasValue(1);
    }

    @Test
    void aLongQueueLetsTheLoopDoOtherThingsBetweenItsTurns() {
        List<Object> seen = new ArrayList<>();
        TurnQueue<Object> queue = new TurnQueue<>(context, seen::add, () -> {});

        onLoop(() -> {
            IntStream.range(0, 1000).forEach(queue::offer);
            context.runOnContext(turn -> seen.add("other"));
        });
        onLoop(() -> {});
        Await.until(() -> seen.size() == 1001);

        assertThat(seen.indexOf("other")).isBetween(1, 999);
    }

    @Test
    void anEntryThatCannotBeTakenLosesNoOther() {
        List<Integer> taken = new ArrayList<>();
        TurnQueue<Integer> queue = new TurnQueue<>(
                context,
                entry -> {
                    if (entry == 1) {
                        throw new IllegalStateException("planted");
                    }
                    taken.add(entry);
                },
                () -> {});

        onLoop(() -> IntStream.range(0, 3).forEach(queue::offer));
        onLoop(() -> {});

        assertThat(taken).containsExactly(0, 2);
    }

    @Test
    void manyThreadsOfferAndEachEntryIsTakenOnceInTheOrderOfItsThread() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        CountDownLatch all = new CountDownLatch(threads * each);
        int[] next = new int[threads];
        TurnQueue<int[]> queue = new TurnQueue<>(
                context,
                entry -> {
                    if (next[entry[0]]++ == entry[1]) {
                        all.countDown();
                    }
                },
                () -> {});

        List<Thread> running = IntStream.range(0, threads)
                .mapToObj(number ->
                        new Thread(() -> IntStream.range(0, each).forEach(i -> queue.offer(new int[] {number, i}))))
                .toList();
        running.forEach(Thread::start);

        all.await();
        assertThat(next).containsOnly(each);
    }
}
