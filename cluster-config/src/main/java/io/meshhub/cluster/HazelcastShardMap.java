package io.meshhub.cluster;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The cluster's map of the shard rows of a role; every future completes on the control thread, within its bound. */
final class HazelcastShardMap implements ShardMap {

    private static final Set<Integer> ALL =
            IntStream.range(0, MeshAddress.SHARDS).boxed().collect(Collectors.toUnmodifiableSet());

    private final IMap<Integer, ShardRow> map;
    private final String role;
    private final Duration bound;
    private final ControlThread control;

    /** Blocks while the map is made. */
    HazelcastShardMap(HazelcastInstance hazelcast, String role, Duration bound, ControlThread control) {
        this.map = hazelcast.getMap(HazelcastConfigs.SHARDS + role);
        this.role = role;
        this.bound = bound;
        this.control = control;
    }

    /** Tells each row that is written from now on, on the control thread; blocks while the listener is made. */
    UUID listen(Consumer<ShardRow> listener) {
        return map.addEntryListener(new Rows(listener), true);
    }

    /** Tells no more; blocks. */
    void unlisten(UUID id) {
        map.removeEntryListener(id);
    }

    private final class Rows implements EntryAddedListener<Integer, ShardRow>, EntryUpdatedListener<Integer, ShardRow> {
        private final Consumer<ShardRow> listener;

        Rows(Consumer<ShardRow> listener) {
            this.listener = listener;
        }

        @Override
        public void entryAdded(EntryEvent<Integer, ShardRow> event) {
            ShardRow row = event.getValue();
            control.execute(() -> listener.accept(row));
        }

        @Override
        public void entryUpdated(EntryEvent<Integer, ShardRow> event) {
            ShardRow row = event.getValue();
            control.execute(() -> listener.accept(row));
        }
    }

    @Override
    public Future<ShardRow> read(int shard) {
        return control.bounded(map.getAsync(shard), bound, "Reading the row of shard " + role + "/" + shard)
                .map(row -> row == null ? ShardRow.unowned(shard) : row);
    }

    // One operation for each member. A read for each row keeps three members and their control threads busy for a tenth
    // of
    // a second, just when shards are about to move. An entry processor would be a write, which a minority is refused.
    @Override
    public Future<List<ShardRow>> readAll() {
        Future<Map<Integer, ShardRow>> read = control.blocking(() -> map.getAll(ALL));
        return control.bounded(read.toCompletionStage(), bound, "Reading the rows of role " + role)
                .map(stored -> IntStream.range(0, MeshAddress.SHARDS)
                        .mapToObj(shard -> stored.getOrDefault(shard, ShardRow.unowned(shard)))
                        .toList());
    }

    @Override
    public Future<ShardRow> change(int shard, RowChange change) {
        return control.bounded(
                map.submitToKey(shard, new ShardChange(change)),
                bound,
                "Changing the row of shard " + role + "/" + shard + " (" + change + ")");
    }
}
