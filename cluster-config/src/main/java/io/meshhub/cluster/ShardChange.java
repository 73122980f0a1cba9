package io.meshhub.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.meshhub.routing.spi.ShardRow;
import java.io.IOException;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes one {@link RowChange} where the row is kept, checked against that member's own view of who is dropped.
 *
 * <p>Each instance serves one row: its outcome, not the change, goes to the copies, since the members that keep those may
 * see other nodes as dropped.
 */
final class ShardChange
        implements EntryProcessor<Integer, ShardRow, ShardRow>, IdentifiedDataSerializable, HazelcastInstanceAware {

    /** The number of the factory; frozen. */
    static final int FACTORY = 7100;

    /**
     * Where a member keeps, in its user context, whether an incarnation is dropped: a {@code Predicate<String>}. An entry
     * processor may not read another map.
     */
    static final String DROPPED = "meshhub.dropped";

    private static final int CLASS = 1;

    private @Nullable RowChange change;
    private transient @Nullable HazelcastInstance hazelcast;
    private transient @Nullable ShardRow written;

    private ShardChange() {}

    ShardChange(RowChange change) {
        this.change = change;
    }

    static IdentifiedDataSerializable create(int classId) {
        return switch (classId) {
            case CLASS -> new ShardChange();
            case Copy.CLASS -> new Copy();
            default ->
                throw new IllegalArgumentException("class = " + classId + " of factory " + FACTORY + " is unknown");
        };
    }

    @Override
    public ShardRow process(Entry<Integer, ShardRow> entry) {
        @Nullable ShardRow stored = entry.getValue();
        ShardRow row = stored == null ? ShardRow.unowned(entry.getKey()) : stored;
        ShardRow changed = Objects.requireNonNull(change).apply(row, this::isDropped);
        if (!changed.equals(row)) {
            entry.setValue(changed);
            written = changed;
        }
        return changed;
    }

    // A member that has no view yet takes nobody for dropped: the change is refused, and tried again.
    private boolean isDropped(String incarnation) {
        Object view = Objects.requireNonNull(hazelcast).getUserContext().get(DROPPED);
        @SuppressWarnings("unchecked") // only HazelcastMembership puts it there
        Predicate<String> dropped = (Predicate<String>) view;
        return dropped != null && dropped.test(incarnation);
    }

    @Override
    public @Nullable EntryProcessor<Integer, ShardRow, ShardRow> getBackupProcessor() {
        return written == null ? null : new Copy(written);
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        hazelcast = instance;
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        WireFormat.writeChange(out, Objects.requireNonNull(change));
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        change = WireFormat.readChange(in);
    }

    /** Puts the outcome into a copy. */
    static final class Copy implements EntryProcessor<Integer, ShardRow, ShardRow>, IdentifiedDataSerializable {

        private static final int CLASS = 2;

        private @Nullable ShardRow row;

        private Copy() {}

        Copy(ShardRow row) {
            this.row = row;
        }

        @Override
        public ShardRow process(Entry<Integer, ShardRow> entry) {
            ShardRow outcome = Objects.requireNonNull(row);
            entry.setValue(outcome);
            return outcome;
        }

        @Override
        public int getFactoryId() {
            return FACTORY;
        }

        @Override
        public int getClassId() {
            return CLASS;
        }

        @Override
        public void writeData(ObjectDataOutput out) throws IOException {
            WireFormat.writeRow(out, Objects.requireNonNull(row));
        }

        @Override
        public void readData(ObjectDataInput in) throws IOException {
            row = WireFormat.readRow(in);
        }
    }
}
