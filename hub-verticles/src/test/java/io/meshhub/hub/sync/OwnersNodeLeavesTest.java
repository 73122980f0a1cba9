package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of streams when the node of their owners, or their own, stops. */
@Timeout(90)
class OwnersNodeLeavesTest {

    private static final int STREAMS = 200;

    private final Counts counts = new Counts();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.cluster(2)
            .hub("board", Board::new)
            .configure(node -> node.metrics(counts)
                    .sync(SyncOptions.ofDefaults()
                            .withIdleRelease(Duration.ZERO)
                            .withResubscribesInFlight(8)))
            .build();

    @Test
    void everyStreamIsLiveAgainOnAnotherNode() {
        List<Watched> all = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            MeshAddress address = mesh.addressOn(2, "board/" + i);
            all.add(new Watched(mesh.node(1).sync().watch(address)));
        }
        all.forEach(watched -> watched.isLiveWith(0));

        await(mesh.node(2).stop(Duration.ofSeconds(12)));

        Watched.eventually(
                "all are followed here", () -> mesh.node(1).runtime().sync().size() == STREAMS);
        all.forEach(watched -> watched.isLiveWith(0));
        assertThat(all)
                .allSatisfy(watched -> assertThat(watched.reasons())
                        .anySatisfy(why -> assertThat(why).contains("has let the stream go: the node leaves")));
        assertThat(await(mesh.node(1).sync().subscriptions())).isEqualTo(STREAMS);
        all.forEach(Watched::close);
    }

    @Test
    void aNodeThatStopsEndsItsStreamsAndItsOwnersForgetThem() {
        MeshAddress address = mesh.addressOn(1, "board/a");
        Watched watched = new Watched(mesh.node(2).sync().watch(address)).isLiveWith(0);
        assertThat(mesh.node(1).runtime().sync().size()).isEqualTo(1);

        await(mesh.node(2).stop(Duration.ofSeconds(12)));

        watched.eventuallyIs(SyncState.Ended.class);
        Watched.eventually("forgotten", () -> mesh.node(1).runtime().sync().size() == 0);
    }
}
