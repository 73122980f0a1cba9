package io.meshhub.routing;

/** How far an activation has come in its life; levels only rise, in the order in which they are declared. */
public enum RunLevel {
    /** Init runs; messages wait. */
    STARTING,
    /** Messages are handled. */
    STARTED,
    /** New messages are refused, queued ones are finished. */
    QUIESCING,
    /** The hubs that this one hosts are being disposed. */
    DISPOSING_HOSTED_HUBS,
    /** Nothing is handled any more; the context is being closed. */
    SHUT_DOWN,
    /** Over; a later message to the address makes a new activation. */
    DEAD;

    /** Whether an activation at this level takes messages, at once or after its start. */
    public boolean accepts() {
        return this == STARTING || this == STARTED;
    }
}
