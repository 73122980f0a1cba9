package io.meshhub.hub.access.existence;

import java.time.Duration;

/**
 * A question that goes on with an answer where none could be read, by decision: there is no other such use. Each has a
 * bound of its own, which lies before the stall of its query.
 */
public enum FailOpen {
    /** May a node of this type be created here? A rule that bars it must be found; 10 s, else yes. */
    MAY_CREATE_TYPE(Duration.ofSeconds(10), false, true),

    /** Is this the last administrator of the partition? Another one must be found; 10 s, else no. */
    LAST_ADMIN(Duration.ofSeconds(10), false, false),

    /** Does this surface exist? It must be found; 0.8 s, else no. */
    SURFACE(Duration.ofMillis(800), true, false),

    /** Are there routing rules for this notification? One must be found; 10 s, else no, and it goes where it goes without. */
    ROUTING_RULES(Duration.ofSeconds(10), true, false);

    private final Duration bound;
    private final boolean ifFound;
    private final boolean ifOpen;

    FailOpen(Duration bound, boolean ifFound, boolean ifOpen) {
        this.bound = bound;
        this.ifFound = ifFound;
        this.ifOpen = ifOpen;
    }

    /** How long it waits at most, where the query's rung does not make it less. */
    public Duration bound() {
        return bound;
    }

    /** Its answer. */
    Answer answer(Existence existence) {
        if (existence instanceof Existence.Known known) {
            return new Answer(known.exists() == ifFound, false, "");
        }
        String why = existence instanceof Existence.Fault fault
                ? fault.reason()
                : "nobody knew within "
                        + ((Existence.Assumed) existence).bound().toMillis() + " ms";
        return new Answer(ifOpen, true, why);
    }

    /**
     * An answer that always comes.
     *
     * @param yes whether the question is answered with yes
     * @param assumed whether that could not be read and is the answer by decision
     * @param why what was in the way where it is assumed; for operators only
     */
    public record Answer(boolean yes, boolean assumed, String why) {}
}
