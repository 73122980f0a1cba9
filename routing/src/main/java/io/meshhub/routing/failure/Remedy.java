package io.meshhub.routing.failure;

/** What a caller should do about a failure. */
public enum Remedy {
    /** The answer stands; asking again gives the same one. */
    STOP,
    /** Nothing was executed and the address may come back: ask again, paced, inside the deadline. */
    RIDE_OUT,
    /** It may have been executed: ask again only where a second execution does no harm. */
    RETRY_IF_IDEMPOTENT,
    /** Nothing was executed for want of room: ask again after {@link MeshException#retryAfter()}. */
    RETRY_LATER,
    /** Someone has to look at it; asking again does not help by itself. */
    REPORT
}
