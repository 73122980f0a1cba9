package io.meshhub.routing.spi;

/**
 * The right to write the rows of one shard, as the store remembers it: a write is refused where the store holds a higher
 * epoch, or an equal one under another incarnation.
 *
 * @param role the role whose shard it is
 * @param shard from 0 to {@link io.meshhub.routing.MeshAddress#SHARDS} - 1
 * @param epoch the epoch under which the writer owns the shard
 * @param incarnation the writer
 */
public record ShardFence(String role, int shard, long epoch, String incarnation) {

    /** Whether a writer with this fence may write where the store holds that epoch of that incarnation. */
    public boolean passes(long storedEpoch, String storedIncarnation) {
        return epoch > storedEpoch || (epoch == storedEpoch && incarnation.equals(storedIncarnation));
    }
}
