package io.meshhub.routing.spi;

/** A write was refused because its shard was taken by a later owner; nothing was written. */
public final class StaleFenceException extends StoreException {

    private final long storedEpoch;

    /** The write's fence met a higher one, or an equal one of another incarnation. */
    public StaleFenceException(ShardFence fence, long storedEpoch) {
        super(
                "Write under epoch " + fence.epoch() + " of shard " + fence.shard()
                        + " was refused: the store holds epoch " + storedEpoch
                        + " of another owner; nothing was written",
                null);
        this.storedEpoch = storedEpoch;
    }

    /** The epoch that the store holds. */
    public long storedEpoch() {
        return storedEpoch;
    }
}
