package io.meshhub.cluster.lease;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The lease of one node: a state machine without a clock and without I/O; immutable. All times are monotonic nanoseconds of
 * that node.
 *
 * <p>A round that a quorum has acknowledged lets the node serve for one lease, counted from when the round was
 * <em>sent</em>: whoever acknowledged it did so later. After a lapse the node first reads its rows again.
 *
 * @param phase how far it is
 * @param until when the lease ends; meaningless in {@link Phase#NONE}
 * @param lapses how often the lease was lost
 * @param noneSince since when there is none, though there was one
 * @param rounds the rounds that are not too old to count
 */
public record LeaseState(Phase phase, long until, int lapses, Optional<Long> noneSince, Map<Long, Round> rounds) {

    /** No lease, and no round. */
    public static final LeaseState START = new LeaseState(Phase.NONE, 0, 0, Optional.empty(), Map.of());

    private static final int MAX_ROUNDS = 64;

    /** How far a lease is. */
    public enum Phase {
        /** There is none. */
        NONE,
        /** A quorum has acknowledged, and the rows are being read. */
        REREADING,
        /** The node serves. */
        HELD
    }

    /** What is to be done. */
    public enum Command {
        /** Nothing. */
        NOTHING,
        /** Read the rows again, then say so. */
        REREAD,
        /** The node serves from now on. */
        SERVE,
        /** The node serves no more. */
        CEASE,
        /** The node was without a lease for so long that the others go on without it. */
        EXPEL
    }

    /** A round: when it was sent, and the names that acknowledged it. */
    public record Round(long sent, Set<String> names) {}

    /** A state, and what is to be done on entering it. */
    public record Step(LeaseState state, Command command) {}

    /** A round is being sent. */
    public LeaseState sent(long round, long now) {
        TreeMap<Long, Round> all = new TreeMap<>(rounds);
        all.put(round, new Round(now, Set.of()));
        while (all.size() > MAX_ROUNDS) {
            all.pollFirstEntry();
        }
        return new LeaseState(phase, until, lapses, noneSince, all);
    }

    /** A name acknowledged a round. */
    public Step acknowledged(long round, String name, long now, Quorum quorum) {
        Round sent = rounds.get(round);
        if (sent == null || !quorum.isVoter(name)) {
            return stay();
        }
        Set<String> names = new LinkedHashSet<>(sent.names());
        names.add(name);
        TreeMap<Long, Round> all = new TreeMap<>(rounds);
        all.put(round, new Round(sent.sent(), names));
        LeaseState next = new LeaseState(phase, until, lapses, noneSince, all);
        long end = sent.sent() + quorum.lease().toNanos();
        return names.size() < quorum.size() || end - now <= 0 ? new Step(next, Command.NOTHING) : next.won(end, now);
    }

    private Step won(long end, long now) {
        boolean running = phase != Phase.NONE && until - now > 0;
        if (running) {
            long later = end - until > 0 ? end : until;
            return new Step(new LeaseState(phase, later, lapses, noneSince, rounds), Command.NOTHING);
        }
        // A lapse that nobody has noticed until now is one all the same: no read that began before it counts.
        LeaseState lapsed = phase == Phase.NONE ? this : none(now).state();
        return new Step(new LeaseState(Phase.REREADING, end, lapsed.lapses, lapsed.noneSince, rounds), Command.REREAD);
    }

    /** The rows were read again; the read began in {@link Phase#REREADING}, at the number of lapses given. */
    public Step reread(int begunAt, long now) {
        if (phase != Phase.REREADING || begunAt != lapses) {
            return stay();
        }
        if (until - now <= 0) {
            return none(now);
        }
        return new Step(new LeaseState(Phase.HELD, until, lapses, Optional.empty(), rounds), Command.SERVE);
    }

    /** The rows could not be read again; the next round tries anew. */
    public Step notReread(int begunAt, long now) {
        return phase == Phase.REREADING && begunAt == lapses ? none(now) : stay();
    }

    /** Time has passed. */
    public Step tick(long now, Quorum quorum) {
        if (phase != Phase.NONE) {
            return until - now <= 0 ? none(now) : stay();
        }
        long limit = 2 * quorum.lease().toNanos();
        boolean over = noneSince.isPresent() && now - noneSince.get() >= limit;
        return new Step(this, over ? Command.EXPEL : Command.NOTHING);
    }

    /** The clocks do not fit together: what was won before counts no more. */
    public Step voided(long now) {
        LeaseState forgot = new LeaseState(phase, until, lapses, noneSince, Map.of());
        return phase == Phase.NONE ? new Step(forgot, Command.NOTHING) : forgot.none(now);
    }

    private Step none(long now) {
        // It may have ended before anybody looked. One that was never served under is none that was lost.
        long since = until - now <= 0 ? until : now;
        Optional<Long> lost = phase == Phase.HELD ? Optional.of(since) : noneSince;
        LeaseState next = new LeaseState(Phase.NONE, 0, lapses + 1, lost, rounds);
        return new Step(next, phase == Phase.HELD ? Command.CEASE : Command.NOTHING);
    }

    private Step stay() {
        return new Step(this, Command.NOTHING);
    }
}
