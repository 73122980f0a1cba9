package io.meshhub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
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
     * The state of the streams for which a latch looks for their owner, or has ceased to.
     *
     * @param refusal what the owner said last; null when it refused nothing
     */
    static SyncState of(LatchState latch, @Nullable MeshException refusal, MeshClock clock) {
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

    /** The state of a stream whose owner is known to hold it no more, and has not been asked again. */
    static SyncState.RidingOut lost(String why) {
        return new SyncState.RidingOut(Optional.empty(), 1, 0, 0, Optional.empty(), why);
    }

    /** The state of a stream that was refused while others of its address are live: it is charged to nothing yet. */
    static SyncState.RidingOut refused(MeshException refusal) {
        return new SyncState.RidingOut(
                Optional.empty(), 2, 0, 0, Optional.empty(), String.valueOf(refusal.getMessage()));
    }

    /** Why the streams of an address are given up, for people. */
    static String givenUp(MeshAddress address, LatchCommand.GiveUp warning, String node) {
        return "Stream of " + address + " is given up: its owner keeps refusing ("
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
