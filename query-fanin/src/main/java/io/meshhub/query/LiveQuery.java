package io.meshhub.query;

/** A query that is followed. */
@FunctionalInterface
public interface LiveQuery {

    /** Tells nothing more, from now on in the thread that was told; idempotent, from any thread. */
    void close();
}
