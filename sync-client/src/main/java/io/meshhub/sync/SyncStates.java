package io.meshhub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.sync.protocol.LatchCommand;
import io.meshhub.sync.protocol.LatchState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Says what the state of a latch means for those who watch. */
final class SyncStates {

    private SyncStates() {}

    /**
     * The state of a stream.
     *
     * @param known whether a first state of the owner has come
     * @param refusal what the owner said last; null when it refused nothing
     */
    static SyncState of(LatchState latch, boolean known, @Nullable MeshException refusal, MeshClock clock) {
        if (latch instanceof LatchState.Live) {
            return known ? new SyncState.Live() : new SyncState.Connecting();
        }
        if (latch instanceof LatchState.RidingOut riding) {
            Optional<Instant> next = riding.nextAtNanos().isEmpty()
                    ? Optional.empty()
                    : Optional.of(clock.now().plusNanos(riding.nextAtNanos().getAsLong() - clock.nanoTime()));
            String why = refusal == null ? "" : String.valueOf(refusal.getMessage());
            return new SyncState.RidingOut(
                    riding.axis(), riding.attempt(), riding.observed(), riding.allowed(), next, why);
        }
        if (latch instanceof LatchState.Dormant dormant) {
            return new SyncState.Dormant(reason(dormant.reason()));
        }
        return latch instanceof LatchState.Ended ended
                ? new SyncState.Ended(reason(ended.reason()), Optional.ofNullable(refusal))
                : new SyncState.Connecting();
    }

    /** The state of a stream whose owner was heard of no more at the last beat. */
    static SyncState.RidingOut silent(
            WatchKey key, ActivationId owner, String cause, OptionalLong nextBeat, MeshClock clock) {
        return new SyncState.RidingOut(
                Optional.empty(),
                1,
                0,
                0,
                nextBeat.isEmpty()
                        ? Optional.empty()
                        : Optional.of(clock.now().plusNanos(nextBeat.getAsLong() - clock.nanoTime())),
                "Nothing was heard of hub " + key.address() + " (" + owner
                        + ") at the last beat, its value may be another: " + cause);
    }

    /** Why a stream is given up, for people. */
    static String givenUp(WatchKey key, LatchCommand.GiveUp warning, String node) {
        return "Stream of " + key + " is given up: its owner keeps refusing ("
                + warning.activation().map(ActivationId::toString).orElse("activation unknown")
                + ", bound=" + warning.allowed() + " of " + warning.bound() + ", observed=" + warning.observed()
                + ", node=" + node + "): " + warning.last().getMessage()
                + "; it is dormant until there is news of the address";
    }

    static SyncState.Reason reason(LatchState.Reason reason) {
        return switch (reason) {
            case NOT_FOUND -> SyncState.Reason.NOT_FOUND;
            case GAVE_UP -> SyncState.Reason.GAVE_UP;
            case REFUSED -> SyncState.Reason.REFUSED;
            case FAILED -> SyncState.Reason.FAILED;
            case DISPOSED -> SyncState.Reason.CLOSED;
        };
    }
}
