package io.meshhub.it.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How a run is done.
 *
 * @param seed of the schedule and of the callers' choices
 * @param duration for how long faults are made
 * @param nodes how many nodes there are
 * @param quorum {@code cluster.quorum}
 * @param mode {@code safe} or {@code fast}
 * @param lease {@code cluster.lease}
 * @param heartbeatLimit after how much silence a member is removed
 * @param faults the kinds of faults
 * @param plant what is broken on purpose
 * @param strict whether one activation is asked for although quorum and faults do not allow it
 * @param addresses how many addresses there are
 * @param workers how many requests the caller keeps under way; each node has a quarter of that
 * @param directory where everything of the run is kept
 */
record ChaosOptions(
        long seed,
        Duration duration,
        int nodes,
        int quorum,
        String mode,
        Duration lease,
        Duration heartbeatLimit,
        Set<Fault.Kind> faults,
        Plant plant,
        boolean strict,
        int addresses,
        int workers,
        Path directory) {

    /** Whether an address has one activation at any time. */
    boolean oneActivation() {
        return strict || (mode.equals("safe") && quorum > 1) || !Schedule.canSplit(faults);
    }

    ChaosOptions withFaults(Set<Fault.Kind> kinds) {
        return new ChaosOptions(
                seed, duration, nodes, quorum, mode, lease, heartbeatLimit, kinds, plant, strict, addresses, workers,
                directory);
    }
}
