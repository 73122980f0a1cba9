package io.meshhub.routing.spi;

/** The right of this node to serve its shards; checked at dispatch and before an answer leaves. */
@FunctionalInterface
public interface Lease {

    /** A lease that never ends, as with a quorum of 1. */
    Lease ALWAYS = nanoTime -> true;

    /** Whether the lease is held at that time of the {@link MeshClock}; costs nanoseconds, any thread. */
    boolean heldAt(long nanoTime);
}
