package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.Seams;
import io.meshhub.hub.sync.HubState;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** H5 and S12: a stream of the own process, which sends no beats, says within an interval that its owner is none any more. */
@Timeout(30)
class StreamsOfALostShardTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");
    private static final Duration INTERVAL = SyncOptions.DEFAULT_BEAT_INTERVAL;

    private final AtomicBoolean served = new AtomicBoolean(true);
    private final List<SyncState> states = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .hub(
                    "orders",
                    () -> new TestHub((self, setup) -> {
                        HubState state = setup.state();
                        setup.init(() -> {
                            state.set(new JsonObject().put("n", 1));
                            return Future.succeededFuture();
                        });
                    }))
            .configure(builder -> builder.seams = new Seams(
                    table -> new Unserved(table, served),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity()))
            .build();

    /** A table that may serve nothing, which it tells nobody who does not ask. */
    private record Unserved(ShardTable table, AtomicBoolean serves) implements ShardTable {

        @Override
        public ShardRow row(int shard) {
            return table.row(shard);
        }

        @Override
        public Future<ShardRow> refresh(int shard) {
            return table.refresh(shard);
        }

        @Override
        public Future<ShardRow> claim(int shard) {
            return table.claim(shard);
        }

        @Override
        public boolean serves(int shard, long epoch) {
            return serves.get() && table.serves(shard, epoch);
        }

        @Override
        public Future<ShardRow> whenServed(int shard) {
            return table.whenServed(shard);
        }

        @Override
        public Future<ShardRow> reclaim(int shard) {
            return table.reclaim(shard);
        }

        @Override
        public void onRow(Consumer<ShardRow> listener) {
            table.onRow(listener);
        }
    }

    @Test
    void itIsRiddenOutWithinAnIntervalAlthoughTheHubSaysNothing() {
        try (SyncStream<JsonObject> stream = mesh.node().sync().watch(ORDER).onState(states::add)) {
            mesh.time().advance(Duration.ZERO);
            assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
            mesh.time().advance(INTERVAL.multipliedBy(3));
            assertThat(states).noneMatch(SyncState.RidingOut.class::isInstance);

            served.set(false);
            mesh.time().advance(INTERVAL);
            assertThat(states)
                    .anySatisfy(state -> assertThat(state)
                            .isInstanceOfSatisfying(
                                    SyncState.RidingOut.class,
                                    riding -> assertThat(riding.why())
                                            .contains("orders/42")
                                            .contains("has lost its shard")));

            served.set(true);
            mesh.time().advance(Duration.ofSeconds(10));
            assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        }
    }
}
