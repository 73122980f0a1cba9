package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G6 for streams: beats of an owner elsewhere that has not begun to serve yet. */
@Timeout(60)
class BeatsDuringInitTest {

    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final Counts counts = new Counts();
    private final AtomicInteger lives = new AtomicInteger();
    private final Promise<Void> mayServe = Promise.promise();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.cluster(2)
            .hub("board", Board::new)
            .hub("late", () -> new Late(lives, mayServe))
            .configure(node -> node.metrics(counts)
                    .sync(SyncOptions.ofDefaults().withBeatInterval(INTERVAL).withIdleRelease(Duration.ZERO)))
            .build();

    /** A hub with the number of its life as state, whose lives after the first begin when the test wants it. */
    private static final class Late extends HubVerticle {

        private final AtomicInteger lives;
        private final Promise<Void> mayServe;

        Late(AtomicInteger lives, Promise<Void> mayServe) {
            this.lives = lives;
            this.mayServe = mayServe;
        }

        @Override
        protected void configure(HubSetup setup) {
            setup.state(() -> new JsonObject().put("n", lives.get()));
            setup.init(() -> lives.incrementAndGet() == 1 ? Future.succeededFuture() : mayServe.future());
            setup.on("life", MeshBody.class, body -> Future.succeededFuture(lives.get()));
        }
    }

    private Watched watch(MeshAddress address) {
        return new Watched(mesh.node(1).sync().watch(address));
    }

    private static boolean isGoodbye(JsonObject batch) {
        JsonArray letters = batch.getJsonArray("letters");
        return letters != null
                && IntStream.range(0, letters.size())
                        .anyMatch(i -> letters.getJsonObject(i).containsKey("reason"));
    }

    @Test
    void g6ABeatOfAnOwnerWhoseInitIsUnderWayIsAnsweredAndItsStreamWaitsForIt() {
        MeshAddress late = mesh.addressOn(2, "late/1");
        try (Watched watched = watch(late).isLiveWith(1)) {
            Future<Integer> life;
            // Neither a goodbye nor a beat tells of the end of the first life before the second one has begun.
            try (LossyBus goodbyes = LossyBus.losing(
                            mesh.node(2).vertx(), "__mesh.sync.node-1", BeatsDuringInitTest::isGoodbye);
                    LossyBus beats = LossyBus.losing(
                            mesh.node(1).vertx(), "__mesh.sync.owners.node-2", body -> body.containsKey("beat"))) {
                mesh.owner(late).recycle();
                life = mesh.mesh(2).request(late, null, Integer.class, MeshOptions.DEFAULT.withType("life"));
                Watched.eventually("the second init", () -> lives.get() == 2);
                Watched.eventually("a goodbye that is lost", () -> !goodbyes.addresses.isEmpty());
                Watched.eventually("a beat that is lost", () -> !beats.addresses.isEmpty());
                assertThat(counts.of("sync.subscribes")).isEqualTo(1);
            }
            // Its beat is answered that nobody holds it, and it asks once, however long the init takes.
            Watched.eventually("the beat that is answered", () -> counts.of("sync.subscribes") == 2);
            Watched other = watch(mesh.addressOn(2, "board/1")).isLiveWith(0);
            long answered = counts.of("sync.beats.answered");
            Watched.eventually("more beats", () -> counts.of("sync.beats.answered") >= answered + 4);
            assertThat(watched.stream.state()).isInstanceOf(SyncState.RidingOut.class);
            assertThat(watched.states)
                    .noneMatch(state -> state instanceof SyncState.Dormant || state instanceof SyncState.Ended);
            assertThat(watched.stream.value()).contains(new JsonObject().put("n", 1));
            other.isLiveWith(0).close();
            assertThat(life.isComplete()).isFalse();
            assertThat(counts.of("sync.subscribes")).isEqualTo(3);

            mayServe.complete();

            watched.isLiveWith(2);
            assertThat(await(life)).isEqualTo(2);
            assertThat(lives).hasValue(2);
            assertThat(counts.of("sync.subscribes")).isEqualTo(3);
            assertThat(watched.states)
                    .noneMatch(state -> state instanceof SyncState.Dormant || state instanceof SyncState.Ended);
        }
    }
}
