package io.meshhub.it.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

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
 * @param load what is asked meanwhile
 * @param directory where everything of the run is kept
 */
public record ChaosOptions(
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
        Workload load,
        Path directory) {

    /**
     * What is asked.
     *
     * @param addresses how many addresses there are
     * @param workers how many requests the caller keeps under way
     * @param nodeWorkers how many each node keeps under way
     * @param deadlinesMs the deadlines of requests, one of them by chance
     * @param recyclesPerMille how many of 1,000 requests end the activation
     * @param holders how many more each node keeps under way whose answers are held for a while; they wait long
     */
    public record Workload(
            int addresses, int workers, int nodeWorkers, List<Integer> deadlinesMs, int recyclesPerMille, int holders) {

        /** One of which nothing is held. */
        public Workload(int addresses, int workers, int nodeWorkers, List<Integer> deadlinesMs, int recyclesPerMille) {
            this(addresses, workers, nodeWorkers, deadlinesMs, recyclesPerMille, 0);
        }

        /** A load that a machine with two processors bears. */
        public static final Workload DEFAULT = new Workload(200, 16, 4, List.of(1000, 3000, 8000), 10);
    }

    /** Nodes of quorum 1 as they are by default, but for times that let a short run hold much. */
    public static ChaosOptions of(long seed, Duration duration, Set<Fault.Kind> faults) {
        return new ChaosOptions(
                seed,
                duration,
                3,
                1,
                "fast",
                Duration.ofSeconds(3),
                Duration.ofSeconds(5),
                faults,
                Plant.NONE,
                false,
                Workload.DEFAULT,
                Path.of("target", "chaos", Long.toString(seed)).toAbsolutePath());
    }

    /** The same with a lease that so many voters renew. */
    public ChaosOptions safe(int newQuorum) {
        return new ChaosOptions(
                seed,
                duration,
                nodes,
                newQuorum,
                "safe",
                lease,
                heartbeatLimit,
                faults,
                plant,
                strict,
                load,
                directory);
    }

    /** The run that shows a plant. */
    ChaosOptions planted(Plant newPlant) {
        Set<Fault.Kind> kinds = newPlant.faults().stream().map(Fault::kind).collect(Collectors.toUnmodifiableSet());
        return new ChaosOptions(
                seed,
                newPlant.tail(),
                nodes,
                newPlant.isWithoutLease() ? 1 : quorum,
                newPlant.isWithoutLease() ? "fast" : mode,
                newPlant.lease().orElse(lease),
                heartbeatLimit,
                kinds,
                newPlant,
                true,
                newPlant.load(),
                directory.resolve(newPlant.name().toLowerCase(Locale.ROOT)));
    }

    /** The same with so many nodes. */
    public ChaosOptions withNodes(int newNodes) {
        return new ChaosOptions(
                seed, duration, newNodes, quorum, mode, lease, heartbeatLimit, faults, plant, strict, load, directory);
    }

    /** The same with another load. */
    public ChaosOptions withLoad(Workload newLoad) {
        return new ChaosOptions(
                seed, duration, nodes, quorum, mode, lease, heartbeatLimit, faults, plant, strict, newLoad, directory);
    }

    /** Whether an address has one activation at any time. */
    boolean oneActivation() {
        return strict || (mode.equals("safe") && quorum > 1) || !Schedule.canSplit(faults);
    }

    /** The same, kept in another directory. */
    public ChaosOptions in(Path newDirectory) {
        return new ChaosOptions(
                seed,
                duration,
                nodes,
                quorum,
                mode,
                lease,
                heartbeatLimit,
                faults,
                plant,
                strict,
                load,
                newDirectory.toAbsolutePath());
    }

    ChaosOptions withFaults(Set<Fault.Kind> kinds) {
        return new ChaosOptions(
                seed, duration, nodes, quorum, mode, lease, heartbeatLimit, kinds, plant, strict, load, directory);
    }
}
