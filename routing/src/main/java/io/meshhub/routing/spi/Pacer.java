package io.meshhub.routing.spi;

import java.time.Duration;

/** Runs something later, as a seam: everything that waits does so through a pacer, so that tests own the time. */
@FunctionalInterface
public interface Pacer {

    /**
     * Runs the action once after the delay, on any thread: the action itself hops to where it belongs.
     *
     * @param delay how long to wait; zero or less runs it as soon as can be, never before this call returns
     * @return takes the action back
     */
    Cancellable after(Duration delay, Runnable action);

    /** Takes back an action that has not begun. */
    @FunctionalInterface
    interface Cancellable {

        /** Nothing to take back. */
        Cancellable NONE = () -> false;

        /** Whether the action was taken back; false when it has begun, ended or was taken back before. */
        boolean cancel();
    }
}
