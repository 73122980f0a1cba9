package io.meshhub.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializable;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.meshhub.routing.spi.ShardRow;
import org.jspecify.annotations.Nullable;

/** After a cut the later row stands, whichever side it comes from: the higher epoch, the further state. */
public final class LatestMergePolicy
        implements SplitBrainMergePolicy<Object, MergingValue<Object>, Object>, DataSerializable {

    /** For the cluster, which makes it by its name. */
    public LatestMergePolicy() {}

    @Override
    public @Nullable Object merge(MergingValue<Object> merging, @Nullable MergingValue<Object> existing) {
        Object theirs = merging.getDeserializedValue();
        Object mine = existing == null ? null : existing.getDeserializedValue();
        if (mine == null) {
            return theirs;
        }
        if (theirs instanceof ShardRow row && mine instanceof ShardRow held) {
            return row.supersedes(held) ? row : held;
        }
        if (theirs instanceof NodeRow row && mine instanceof NodeRow held) {
            return row.node().state().compareTo(held.node().state()) > 0 ? row : held;
        }
        return mine;
    }

    @Override
    public void writeData(ObjectDataOutput out) {}

    @Override
    public void readData(ObjectDataInput in) {}
}
