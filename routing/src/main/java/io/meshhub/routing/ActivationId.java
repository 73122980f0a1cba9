package io.meshhub.routing;

/**
 * One life of a hub at an address: a number that strictly increases from each activation of an address to the next.
 *
 * <p>The upper half is the <b>epoch</b> of the shard (31 bits), the lower a counter of activations under that epoch (32
 * bits). Code compares ids; people read the {@linkplain ActivationTag tag}.
 *
 * @param value both halves, never negative
 */
public record ActivationId(long value) implements Comparable<ActivationId> {

    /** The highest epoch that an id can carry. */
    public static final long MAX_EPOCH = 0x7fff_ffffL;

    /** The highest counter; past it the node claims its own shard anew. */
    public static final long MAX_COUNTER = 0xffff_ffffL;

    public ActivationId {
        if (value < 0) {
            throw new IllegalArgumentException("value = " + value + " must be >= 0");
        }
    }

    /**
     * Joins an epoch and a counter.
     *
     * @throws IllegalArgumentException when either is out of its range
     */
    public static ActivationId of(long epoch, long counter) {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new IllegalArgumentException("epoch = " + epoch + " must be between 0 and " + MAX_EPOCH);
        }
        if (counter < 0 || counter > MAX_COUNTER) {
            throw new IllegalArgumentException("counter = " + counter + " must be between 0 and " + MAX_COUNTER);
        }
        return new ActivationId(epoch << 32 | counter);
    }

    /** The shard's epoch under which this activation lives. */
    public long epoch() {
        return value >>> 32;
    }

    /** The number of this activation under its epoch. */
    public long counter() {
        return value & MAX_COUNTER;
    }

    /** The tag that people see: 8 upper-case hex digits. */
    public String tag() {
        return ActivationTag.of(this);
    }

    @Override
    public int compareTo(ActivationId other) {
        return Long.compare(value, other.value);
    }

    /** The marker and the tag, {@code activation #017DA86C}. */
    @Override
    public String toString() {
        return ActivationTag.render(this);
    }
}
