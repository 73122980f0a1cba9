package io.meshhub.cluster;

import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs simulated clusters, and makes the plan of one that failed as short as it still fails. */
final class SimRun {

    private static final Logger LOG = LoggerFactory.getLogger("io.meshhub.simulation");

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

    /** A run that failed, and what went wrong in it. */
    record Found(SimPlan plan, String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    /** What went wrong, in the shortest run that still shows something. */
    static Found shortest(SimPlan plan, String fault) {
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
        return new Found(current, shown);
    }

    /** What went wrong in the first run of the range that failed, made short; several threads, each with worlds of its own. */
    static Optional<Found> firstFault(long from, long to, LongFunction<SimPlan> plans) {
        return LongStream.range(from, to)
                .parallel()
                .mapToObj(plans)
                .map(plan -> fault(plan).map(fault -> shortest(plan, fault)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Runs one seed, or a range, and logs a digest of all: {@code SimRun 17}, {@code SimRun 0 1000 [plant]}. */
    public static void main(String[] args) {
        long from = Long.parseLong(args[0]);
        long to = args.length > 1 ? Long.parseLong(args[1]) : from + 1;
        int failed = 0;
        long digest = 0;
        for (long seed = from; seed < to; seed++) {
            SimPlan plan = args.length > 2 ? SimPlan.of(seed, SimPlan.Plant.valueOf(args[2])) : SimPlan.of(seed);
            try {
                digest = digest * 31 + new SimWorld(plan).run();
            } catch (SimWorld.Violation e) {
                failed++;
                if (failed <= 5) {
                    LOG.warn("{}", shortest(plan, String.valueOf(e.getMessage())));
                }
            }
        }
        LOG.warn("{} of {} failed, digest {}", failed, to - from, digest);
    }
}
