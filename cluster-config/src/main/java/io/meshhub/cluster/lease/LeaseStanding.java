package io.meshhub.cluster.lease;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node's right to serve, and what it depends on, for people and probes.
 *
 * @param quorum how many voters must acknowledge the node; 1: it needs no lease
 * @param held whether it may serve
 * @param since since when it may not, by its own wall clock; empty while it may
 * @param votesFrom from when on this voter acknowledges others; empty when it does already, or has no vote
 * @param heard the voters that count now: those that it and they hear each other, and itself once it votes
 * @param unheard the other voters
 */
public record LeaseStanding(
        int quorum,
        boolean held,
        Optional<Instant> since,
        Optional<Instant> votesFrom,
        List<String> heard,
        List<String> unheard) {

    /** That of a node which nobody is asked about. */
    public static final LeaseStanding NOT_NEEDED =
            new LeaseStanding(1, true, Optional.empty(), Optional.empty(), List.of(), List.of());

    public LeaseStanding {
        heard = List.copyOf(heard);
        unheard = List.copyOf(unheard);
    }

    /** The same node at a moment at which it may not serve any more. */
    public LeaseStanding lapsed(Instant now) {
        return held ? new LeaseStanding(quorum, false, Optional.of(now), votesFrom, heard, unheard) : this;
    }

    /** Whether others can count on it: it may serve, and has a vote where it is to have one. */
    public boolean isSound() {
        return held && votesFrom.isEmpty();
    }
}
