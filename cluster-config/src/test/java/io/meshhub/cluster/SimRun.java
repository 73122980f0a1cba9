package io.meshhub.cluster;

import java.util.Optional;

/** Runs simulated clusters, and makes the plan of one that failed as short as it still fails. */
final class SimRun {

    private SimRun() {}

    /** What went wrong in that run; empty when nothing did. */
    static Optional<String> fault(SimPlan plan) {
        try {
            new SimWorld(plan).run();
            return Optional.empty();
        } catch (SimWorld.Violation e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** What went wrong, in the shortest run that still shows something. */
    static String shortest(SimPlan plan, String fault) {
        String shown = fault;
        SimPlan current = plan;
        for (int i = current.faults().size() - 1; i >= 0; i--) {
            SimPlan less = current.without(i);
            Optional<String> still = fault(less);
            if (still.isPresent()) {
                current = less;
                shown = still.get();
            }
        }
        return shown;
    }

    /** Runs one seed, or a range: {@code SimRun 17}, {@code SimRun 0 1000 [plant]}. */
    public static void main(String[] args) {
        long from = Long.parseLong(args[0]);
        long to = args.length > 1 ? Long.parseLong(args[1]) : from + 1;
        int failed = 0;
        long begun = System.nanoTime();
        for (long seed = from; seed < to; seed++) {
            SimPlan plan = args.length > 2
                    ? SimPlan.of(seed, !args[2].startsWith("EQUAL"), SimPlan.Plant.valueOf(args[2]))
                    : SimPlan.of(seed);
            Optional<String> fault = fault(plan);
            if (fault.isPresent()) {
                failed++;
                if (failed <= 5) {
                    System.out.println("seed " + seed + " " + shortest(plan, fault.get()));
                }
            }
        }
        System.out.println(
                failed + " of " + (to - from) + " failed, " + (System.nanoTime() - begun) / 1_000_000 + " ms");
    }
}
