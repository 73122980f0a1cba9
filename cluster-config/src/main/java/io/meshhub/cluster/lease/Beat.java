package io.meshhub.cluster.lease;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One node's question to another in one round: do you list me? It is both ping and request for a lease.
 *
 * @param from the incarnation that asks
 * @param name its node's name
 * @param round the number of the round; rises with each
 * @param lost incarnations that the asker has dropped and waits to hear others have dropped too
 */
public record Beat(String from, String name, long round, Set<String> lost) {

    public Beat {
        lost = copy(lost);
    }

    /** What one node is to another. */
    public enum Standing {
        /** It is in the member list. */
        LISTED,
        /** Nothing is known of it. */
        UNKNOWN,
        /** It was dropped, and that is for good. */
        DROPPED
    }

    /**
     * What the other one says.
     *
     * @param from the incarnation that answers
     * @param name its node's name
     * @param round the round that is answered
     * @param acknowledged whether it is a voter that lists the asker, and is past the wait after its own start
     * @param standing what the asker is to it
     * @param without those of the lost ones that it has dropped; it will never again acknowledge them
     * @param heard the incarnations of which it heard a beat within the last lease
     */
    public record Answer(
            String from,
            String name,
            long round,
            boolean acknowledged,
            Standing standing,
            Set<String> without,
            Set<String> heard) {

        public Answer {
            without = copy(without);
            heard = copy(heard);
        }
    }

    // In the order given: what follows from a message must not differ from run to run.
    private static Set<String> copy(Set<String> set) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(set));
    }
}
