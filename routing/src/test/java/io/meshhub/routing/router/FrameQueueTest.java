package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How what waits for one inbound address is cut into frames. */
@Timeout(60)
class FrameQueueTest {

    private static final int SMALL = 100;
    private static final int LARGE = 100_000;
    private static final int WHOLE = 300_000;

    private final Vertx vertx = Vertx.vertx();
    private final ContextInternal bus = ((VertxInternal) vertx).createEventLoopContext();
    private final List<List<Long>> frames = new ArrayList<>();
    private final FrameQueue queue = new FrameQueue(
            bus,
            entries -> {
                frames.add(entries.stream()
                        .map(entry -> ((Frame.Answer) entry).id())
                        .toList());
                return Future.succeededFuture();
            },
            (entries, cause) -> {});

    @AfterEach
    void close() {
        Await.value(vertx.close());
    }

    private static Frame.Entry answer(long id, int bytes) {
        MeshBody body = MeshBody.of(Buffer.buffer(new byte[bytes]));
        return new Frame.Answer(id, new Outcome.Replied(body, ActivationId.of(1, 1)));
    }

    // While the loop is in this action nothing is written.
    private void offered(int... sizes) {
        onLoop(() -> {
            for (int i = 0; i < sizes.length; i++) {
                queue.offer(answer(i, sizes[i]));
            }
        });
        onLoop(() -> {});
    }

    private void onLoop(Runnable action) {
        Promise<Void> done = Promise.promise();
        bus.runOnContext(turn -> {
            action.run();
            done.complete();
        });
        Await.value(done.future());
    }

    @Test
    void whatIsSmallTravelsTogether() {
        offered(SMALL, SMALL, SMALL);

        assertThat(frames).containsExactly(List.of(0L, 1L, 2L));
    }

    @Test
    void whatIsLargeBeginsAFrameOfItsOwn() {
        offered(SMALL, SMALL, LARGE, SMALL, LARGE);

        assertThat(frames).containsExactly(List.of(0L, 1L), List.of(2L, 3L), List.of(4L));
    }

    @Test
    void aFrameIsClosedBehindWhatFillsIt() {
        offered(WHOLE, SMALL, WHOLE, WHOLE);

        assertThat(frames).containsExactly(List.of(0L), List.of(1L), List.of(2L), List.of(3L));
    }
}
