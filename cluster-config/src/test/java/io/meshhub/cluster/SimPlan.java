package io.meshhub.cluster;

import io.meshhub.cluster.lease.Quorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What one simulated run is made of; a run follows from it alone.
 *
 * @param seed of everything random
 * @param nodes how many nodes there are
 * @param quorum who must hear whom
 * @param plant the rule that is broken on purpose
 * @param net how well the network works
 * @param faults what goes wrong
 */
record SimPlan(long seed, int nodes, Quorum quorum, Plant plant, SimNet net, List<SimFault> faults) {

    static final int SHARDS = 3;
    static final long FAULTS_END_MILLIS = 36_000;
    static final long CALM_MILLIS = 35_000;
    static final Duration LEASE = Duration.ofSeconds(3);

    /** A rule of the protocol that is broken on purpose, to see that the checks notice. */
    enum Plant {
        NONE,
        NO_WAIT_AFTER_A_LOSS,
        MISSING_ROW_CLAIMED_AS_UNOWNED,
        DROPPED_INCARNATION_ACKNOWLEDGED,
        LEASE_COUNTED_FROM_THE_ANSWER,
        EQUAL_EPOCHS_ACCEPTED_BY_THE_STORE,
        REFUSALS_WITHOUT_REST,
        RESTARTED_VOTER_ACKNOWLEDGES_AT_ONCE,
        UNLISTED_VOTER_COUNTS,
        OUTSTANDING_CALLER_TOLD_NEVER_EXECUTED
    }

    /** The run of that seed: of a kind that the seed picks. */
    static SimPlan of(long seed) {
        Random random = new Random(seed);
        boolean leased = random.nextInt(4) != 0;
        return of(seed, leased, Plant.NONE);
    }

    /** The run of that seed with a rule broken, of the kind that needs the rule. */
    static SimPlan of(long seed, Plant plant) {
        return of(seed, plant != Plant.EQUAL_EPOCHS_ACCEPTED_BY_THE_STORE, plant);
    }

    private static SimPlan of(long seed, boolean leased, Plant plant) {
        Random random = new Random(seed * 31 + 7);
        int nodes = 3 + random.nextInt(2);
        List<String> voters = new ArrayList<>(List.of("n0", "n1", "n2"));
        if (plant == Plant.UNLISTED_VOTER_COUNTS) {
            nodes = 4;
            voters.add("n3");
        }
        Quorum quorum = leased
                ? new Quorum(2, Math.max(3, voters.size() - 1), voters.subList(0, 3), Quorum.AfterLoss.SAFE, LEASE)
                : Quorum.NONE;
        SimSchedules.Drawn drawn = SimSchedules.draw(random, nodes);
        return new SimPlan(seed, nodes, quorum, plant, drawn.net(), drawn.faults());
    }

    /** When the run ends: long enough after the last fault for all to be well. */
    long endMillis() {
        long last = 0;
        for (SimFault fault : faults) {
            last = Math.max(last, fault.endMillis());
        }
        return last + CALM_MILLIS;
    }

    SimPlan without(int fault) {
        return new SimPlan(
                seed,
                nodes,
                quorum,
                plant,
                net,
                IntStream.range(0, faults.size())
                        .filter(i -> i != fault)
                        .mapToObj(faults::get)
                        .toList());
    }

    /** Whether one of the faults can make two sides, or is taken for one. */
    boolean mayCut() {
        return faults.stream().anyMatch(fault -> switch (fault.kind()) {
            case FREEZE, SLEEP, CUT, CUT_BUS, HOLD_ON -> true;
            case KILL, LEAVE, LOSE_ROW -> false;
        });
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                "seed " + seed + ", " + nodes + " nodes, " + quorum.terms() + ", plant " + plant + ", " + net + ":");
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.toString();
    }
}
