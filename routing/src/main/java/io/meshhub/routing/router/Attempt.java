package io.meshhub.routing.router;

/** One attempt of a call that waits for its outcome. */
interface Attempt {

    /** Ends the attempt; only the first end counts. Called on any thread. */
    void ended(Outcome outcome);
}
