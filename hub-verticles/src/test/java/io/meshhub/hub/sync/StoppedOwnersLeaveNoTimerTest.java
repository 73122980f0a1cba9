package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node whose pacer is the embedder's leaves nothing in it that waits for the next sweep of silent followers. */
@Timeout(60)
class StoppedOwnersLeaveNoTimerTest {

    // No other timer of a node waits for as long.
    private static final Duration INTERVAL = Duration.ofMillis(47_011);
    private static final WheelPacer WHEEL = new WheelPacer();

    private final Set<Object> sweeps = ConcurrentHashMap.newKeySet();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .hub("board", Board::new)
            .configure(node -> node.time(MeshClock.system(), this::after)
                    .sync(SyncOptions.ofDefaults().withBeatInterval(INTERVAL)))
            .build();

    private Pacer.Cancellable after(Duration delay, Runnable action) {
        if (!delay.equals(INTERVAL)) {
            return WHEEL.after(delay, action);
        }
        Object sweep = new Object();
        sweeps.add(sweep);
        return () -> sweeps.remove(sweep);
    }

    @AfterAll
    static void close() {
        WHEEL.close();
    }

    @Test
    void theSweepOfSilentFollowersIsTakenBackWhenTheNodeStops() {
        Watched watched = new Watched(mesh.node().sync().watch(MeshAddress.of("board/1"))).isLiveWith(0);
        assertThat(sweeps).hasSize(1);

        await(mesh.node().stop(Duration.ofSeconds(12)));

        assertThat(sweeps).isEmpty();
        assertThat(watched.stream.state()).isInstanceOf(SyncState.Ended.class);
        watched.close();
    }
}
