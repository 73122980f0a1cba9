package io.meshhub.it.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What is done when; follows from the seed and the options alone. */
public final class Schedule {

    private static final int SELDOM = 5;

    private Schedule() {}

    /** The faults, each after the one before. */
    public static List<Fault> of(ChaosOptions options) {
        Random random = new Random(options.seed());
        List<Fault.Kind> kinds = List.copyOf(options.faults());
        List<Fault> faults = new ArrayList<>();
        if (kinds.isEmpty()) {
            return faults;
        }
        long at = 2000;
        int turn = random.nextInt(kinds.size());
        while (true) {
            // Each kind in its turn, so that a short run has all of them.
            Fault.Kind kind = kinds.get(turn++ % kinds.size());
            int node = random.nextInt(options.nodes());
            int other = (node + 1 + random.nextInt(Math.max(1, options.nodes() - 1))) % options.nodes();
            Fault fault = new Fault(kind, at, lasts(kind, options, random), node, other, random.nextInt(SELDOM) == 0);
            if (fault.end() + 1000 > options.duration().toMillis()) {
                return faults;
            }
            faults.add(fault);
            at = fault.end() + gap(random);
        }
    }

    private static long lasts(Fault.Kind kind, ChaosOptions options, Random random) {
        long limit = options.heartbeatLimit().toMillis();
        long lease = options.lease().toMillis();
        return switch (kind) {
            case KILL, RESTART -> between(random, 500, 4000);
            case FREEZE -> between(random, 300, Math.min(limit, lease) * 2 / 3);
            case STUTTER -> between(random, 3000, 6000);
            case LONG_FREEZE, CUT_NODE, CUT_LINK ->
                random.nextInt(SELDOM) == 0
                        ? between(random, 1000, limit)
                        : between(random, Math.max(limit, lease) + 2000, Math.max(limit, lease) + lease + 8000);
        };
    }

    // Mostly soon after one another, now and then before the last one is over, sometimes with time for all to be calm.
    private static long gap(Random random) {
        return switch (random.nextInt(SELDOM)) {
            case 0 -> -between(random, 300, 1000);
            case 1, 2 -> between(random, 22_000, 30_000);
            default -> between(random, 4000, 10_000);
        };
    }

    private static long between(Random random, long least, long most) {
        return least + (long) (random.nextDouble() * (Math.max(least + 1, most) - least));
    }

    /** Whether the kinds can make two activations where the quorum is 1. */
    static boolean canSplit(Set<Fault.Kind> kinds) {
        return kinds.stream().anyMatch(Fault.Kind::isSplit);
    }

    /** How long the effects of a fault are excused: until its loss is known, waited for, and its shards are taken. */
    static Duration calmAfter(ChaosOptions options) {
        return options.heartbeatLimit().plus(options.lease()).plusSeconds(10);
    }
}
