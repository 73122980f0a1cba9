package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.protocol.Update;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W6: a write that the owner denies fails for who made it; those who share its stream notice nothing. */
@Timeout(30)
class DeniedWritesTest {

    private static final MeshAddress LEDGER = MeshAddress.of("ledger/1");

    private final Counts counts = new Counts();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .hub("ledger", Ledger::new)
            .configure(node -> node.metrics(counts))
            .build();

    private Watched writer;
    private Watched reader;

    /** Takes what is written, but nothing below zero. */
    private static final class Ledger extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            HubState state = setup.state();
            setup.init(() -> {
                state.set(new JsonObject().put("n", 0), 1);
                return Future.succeededFuture();
            });
            setup.on(Update.TYPE, JsonObject.class, message -> {
                Update update = Update.read(message);
                int n = update.operations().getJsonObject(0).getInteger("value");
                if (n < 0) {
                    return Future.failedFuture(Forbidden.at(hub().address(), "overdraw", hub().node()));
                }
                long next = update.version() + 1;
                state.set(new JsonObject().put("n", n), next, update.author());
                return Future.succeededFuture(new Update.Done(next, null).toJson());
            });
        }
    }

    @BeforeEach
    void twoThatShareASubscription() {
        writer = new Watched(mesh.node().sync().watch(LEDGER));
        reader = new Watched(mesh.node().sync().watch(LEDGER));
        settle();
        writer.isLiveWith(0);
        reader.isLiveWith(0);
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private static Future<JsonObject> write(Watched by, int n) {
        return by.stream.update(it -> it.put("n", n));
    }

    @Test
    void w6ADeniedWriteFailsForItsSubmitterAndTheSharedStreamLivesOn() {
        assertThat(awaitFailure(write(writer, -1))).isInstanceOf(Forbidden.class);
        settle();
        assertThat(writer.stream.state()).isInstanceOf(SyncState.Live.class);

        assertThat(await(write(reader, 5))).isEqualTo(new JsonObject().put("n", 5));
        settle();

        writer.saw(0, 5);
        reader.saw(0, 5);
        assertThat(reader.states).noneMatch(SyncState.RidingOut.class::isInstance);
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        assertThat(counts.of("sync.gaps")).isZero();
        reader.close();
        writer.close();
    }

    @Test
    void w6OfManyWritesThatWaitOnlyTheDeniedOneFails() {
        List<Future<JsonObject>> writes =
                List.of(write(writer, 1), write(reader, -1), write(writer, 2), write(reader, 3));

        assertThat(awaitFailure(writes.get(1))).isInstanceOf(Forbidden.class);
        await(writes.get(0));
        await(writes.get(2));
        assertThat(await(writes.get(3))).isEqualTo(new JsonObject().put("n", 3));
        settle();

        writer.isLiveWith(3);
        reader.isLiveWith(3);
        assertThat(counts.of("sync.updates"))
                .as("a denied write is not sent again")
                .isEqualTo(4);
        assertThat(counts.of("sync.gaps")).isZero();
        reader.close();
        writer.close();
    }
}
