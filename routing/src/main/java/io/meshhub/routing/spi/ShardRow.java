package io.meshhub.routing.spi;

import org.jspecify.annotations.Nullable;

/**
 * Who owns one shard, and since which epoch; immutable.
 *
 * <p>Rows compare by epoch, then by owner: a lower one never replaces a higher one.
 *
 * @param shard from 0 to {@link io.meshhub.routing.MeshAddress#SHARDS} - 1
 * @param owner the incarnation that owns it; null when nobody does
 * @param epoch rises with every change of the owner; 0 before the first
 * @param via how the epoch came about
 * @param state whether the owner is about to give it away
 * @param next the incarnation that gets it after a hand-over; null unless one is under way
 */
public record ShardRow(
        int shard,
        @Nullable String owner,
        long epoch,
        Via via,
        State state,
        @Nullable String next) implements Comparable<ShardRow> {

    /** How an epoch came about. */
    public enum Via {
        /** The owner before gave it away: nothing of the epoch before can still be in progress. */
        RELEASE,
        /** It was taken from an owner that was lost, or from nobody. */
        CLAIM
    }

    /** Whether the owner is about to give the shard away. */
    public enum State {
        /** The owner serves. */
        OWNED,
        /** The owner drains, and then releases to the next one. */
        HANDOFF
    }

    /** The row of a shard that nobody has owned yet. */
    public static ShardRow unowned(int shard) {
        return new ShardRow(shard, null, 0, Via.CLAIM, State.OWNED, null);
    }

    /** Whether that incarnation owns the shard. */
    public boolean isOwnedBy(String incarnation) {
        return incarnation.equals(owner);
    }

    /** Whether this row is the later one; a change of the state within an epoch counts as later. */
    public boolean supersedes(ShardRow other) {
        int order = compareTo(other);
        return order > 0 || (order == 0 && state == State.HANDOFF && other.state == State.OWNED);
    }

    @Override
    public int compareTo(ShardRow other) {
        int order = Long.compare(epoch, other.epoch);
        if (order != 0) {
            return order;
        }
        if (owner == null || other.owner == null) {
            return Boolean.compare(owner != null, other.owner != null);
        }
        return owner.compareTo(other.owner);
    }
}
