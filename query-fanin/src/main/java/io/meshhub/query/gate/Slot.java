package io.meshhub.query.gate;

import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * One provider in a gate.
 *
 * @param ask the number of its present ask; 0 before the first
 * @param retries how often it was asked again because it was not reached
 * @param ownBefore the nanoseconds of its own time in its earlier asks
 * @param startedAt when its own time began in the present ask
 * @param heard whether it is here, or was heard of in the present ask
 */
record Slot(String provider, Phase phase, int ask, int retries, long ownBefore, OptionalLong startedAt, boolean heard) {

    enum Phase {
        /** It was asked, or is about to be. */
        ASKED,
        /** It was not reached, and is asked again after a rest. */
        RESTING,
        /** It gave its first result. */
        ANSWERED,
        /** It completed without one. */
        EMPTY
    }

    static Slot of(String provider) {
        return new Slot(provider, Phase.ASKED, 0, 0, 0, OptionalLong.empty(), true);
    }

    boolean isWaiting() {
        return phase == Phase.ASKED || phase == Phase.RESTING;
    }

    boolean hasCall() {
        return ask > 0 && (phase == Phase.ASKED || phase == Phase.ANSWERED);
    }

    Slot to(Phase next) {
        return new Slot(provider, next, ask, retries, ownBefore, startedAt, heard);
    }

    Slot heard(boolean nowHeard) {
        return new Slot(provider, phase, ask, retries, ownBefore, startedAt, nowHeard);
    }

    Slot started(long now) {
        return startedAt.isPresent()
                ? this
                : new Slot(provider, phase, ask, retries, ownBefore, OptionalLong.of(now), true);
    }

    /** Asked once more; the time of the ask before is kept. */
    Slot asked(long now) {
        return new Slot(provider, Phase.ASKED, ask + 1, retries, own(now), OptionalLong.empty(), true);
    }

    /** Not reached: its own time stands still until the next ask. */
    Slot resting(long now) {
        return new Slot(provider, Phase.RESTING, ask, retries + 1, own(now), OptionalLong.empty(), heard);
    }

    private long own(long now) {
        return ownBefore + (startedAt.isPresent() ? now - startedAt.getAsLong() : 0);
    }

    Stall stall(long openedAt, long now) {
        long own = own(now);
        return new Stall(provider, Duration.ofNanos(now - openedAt - own), Duration.ofNanos(own), ask, heard);
    }
}
