package io.meshhub.cluster;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardRow.State;
import io.meshhub.routing.spi.ShardRow.Via;
import java.util.function.Predicate;

/**
 * A change of one shard's row that is made only if the row is still as the author of the change believes.
 */
sealed interface RowChange {

    /**
     * Makes the change, or not.
     *
     * @param row the row as it stands
     * @param dropped whether an incarnation is dropped, as seen where the change is made
     * @return the row that stands then; the same object when nothing was changed
     */
    ShardRow apply(ShardRow row, Predicate<String> dropped);

    /**
     * Takes a shard from nobody, or from an owner that is dropped.
     *
     * @param target the incarnation that gets it
     * @param known the highest epoch of the shard that the author ever saw
     * @param floor the least epoch to give
     * @param asked whether everybody who may know an owner was asked; otherwise a row that is missing stays so
     */
    record Claim(String target, long known, long floor, boolean asked) implements RowChange {
        @Override
        public ShardRow apply(ShardRow row, Predicate<String> dropped) {
            // An owner that the author never heard of may still hold a lease: it must be judged first.
            boolean free = row.owner() == null ? asked : row.epoch() <= known && dropped.test(row.owner());
            long epoch = Math.max(floor, Math.max(known, row.epoch()) + 1);
            if (!free || dropped.test(target) || epoch > ActivationId.MAX_EPOCH) {
                return row;
            }
            return new ShardRow(row.shard(), target, epoch, Via.CLAIM, State.OWNED, null);
        }
    }

    /**
     * Asks the owner to give the shard away.
     *
     * @param owner the incarnation that must own it
     * @param epoch the epoch under which it must own it
     * @param next the incarnation that is to get it
     */
    record HandOff(String owner, long epoch, String next) implements RowChange {
        @Override
        public ShardRow apply(ShardRow row, Predicate<String> dropped) {
            boolean asBelieved = row.isOwnedBy(owner) && row.epoch() == epoch && row.state() == State.OWNED;
            if (!asBelieved || next.equals(owner) || dropped.test(next)) {
                return row;
            }
            return new ShardRow(row.shard(), owner, epoch, row.via(), State.HANDOFF, next);
        }
    }

    /**
     * Gives an own shard, of which no activation lives any more, to the next owner.
     *
     * @param owner the incarnation that gives it away
     * @param epoch the epoch under which it owns it
     * @param next the incarnation that gets it; the owner itself takes it back under a new epoch
     */
    record Release(String owner, long epoch, String next) implements RowChange {
        @Override
        public ShardRow apply(ShardRow row, Predicate<String> dropped) {
            boolean asBelieved = row.isOwnedBy(owner) && row.epoch() == epoch;
            if (!asBelieved || dropped.test(next) || epoch >= ActivationId.MAX_EPOCH) {
                return row;
            }
            return new ShardRow(row.shard(), next, epoch + 1, Via.RELEASE, State.OWNED, null);
        }
    }

    /**
     * Takes an own shard anew.
     *
     * @param owner the incarnation that owns it
     * @param epoch the epoch under which it owns it
     * @param floor the least epoch to give
     */
    record Reclaim(String owner, long epoch, long floor) implements RowChange {
        @Override
        public ShardRow apply(ShardRow row, Predicate<String> dropped) {
            boolean asBelieved = row.isOwnedBy(owner) && row.epoch() == epoch && row.state() == State.OWNED;
            long next = Math.max(floor, epoch + 1);
            if (!asBelieved || next > ActivationId.MAX_EPOCH) {
                return row;
            }
            return new ShardRow(row.shard(), owner, next, Via.CLAIM, State.OWNED, null);
        }
    }

    /**
     * Puts a row back that was lost with its copies while its owner lives.
     *
     * @param remembered the row as the author saw it last; it has an owner
     */
    record Restore(ShardRow remembered) implements RowChange {
        @Override
        public ShardRow apply(ShardRow row, Predicate<String> dropped) {
            return RowMerge.isLost(remembered, row, dropped) ? remembered : row;
        }
    }
}
