package io.meshhub.cluster;

import io.meshhub.cluster.lease.Beat;
import io.meshhub.cluster.lease.HeardWatch;
import io.meshhub.cluster.lease.JumpWatch;
import io.meshhub.cluster.lease.LeaseStanding;
import io.meshhub.cluster.lease.LeaseState;
import io.meshhub.cluster.lease.LossWatch;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.cluster.lease.PeerHearing;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lease of this node, answers those who ask for theirs, and knows who hears whom: the shell around {@link
 * LeaseState}, {@link LossWatch} and {@link HeardWatch}.
 *
 * <p>All on the control thread, but for {@link #heldAt}.
 */
final class LeaseKeeper implements Lease {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    /** How many rounds of silence make a peer one that is not heard. */
    private static final int SILENT_ROUNDS = 3;

    /** What the keeper needs of the node that it keeps the lease for. */
    interface Host {

        /** Reads the rows of the cluster again, since nothing that is known of them may be trusted. */
        Future<Void> reread();

        /** The node may serve from now on: what it still owns it takes anew. */
        void serve();

        /** The node must not serve: what it owns is no longer taken. */
        void cease();

        /** A quorum has acknowledged the node since then. */
        void acknowledged(long sent);

        /** The others go on without this node, or must. */
        void expelled(String reason);

        /** A round is over: time to look again. */
        void round();
    }

    private final Quorum quorum;
    private final ClusterMembership membership;
    private final Control control;
    private final MeshClock clock;
    private final PeerBeats peers;
    private final Host host;
    private final long pauseLimit;
    private final long votesFrom;
    private final Map<String, Long> heardFrom = new HashMap<>();
    private final Map<String, Long> heardBy = new HashMap<>();
    private final Map<String, Long> upSince = new HashMap<>();
    private final Set<String> droppedBy = new LinkedHashSet<>();
    private LeaseState state = LeaseState.START;
    private LossWatch losses = LossWatch.EMPTY;
    private HeardWatch heard = HeardWatch.EMPTY;
    private long round;
    private long listedFrom;
    private volatile boolean hadPeers;
    private long aloneSince;
    private boolean ended;
    private boolean asking;
    private volatile boolean held;
    private Instant withoutSince;
    private volatile long heldUntil;
    private volatile long lastTick;
    private volatile Heard lastRound;
    private final JumpWatch jumps;

    /**
     * A keeper that has not begun.
     *
     * @param pauseLimit with a quorum of 1: after a pause so long the others may have gone on without this node
     * @param votesFrom when this node, if it is a voter, begins to acknowledge others
     */
    LeaseKeeper(
            Quorum quorum,
            ClusterMembership membership,
            Control control,
            MeshClock clock,
            PeerBeats peers,
            Host host,
            Duration pauseLimit,
            long votesFrom) {
        this.quorum = quorum;
        this.membership = membership;
        this.control = control;
        this.clock = clock;
        this.peers = peers;
        this.host = host;
        this.pauseLimit = pauseLimit.toNanos();
        this.votesFrom = votesFrom;
        this.lastTick = clock.nanoTime();
        this.aloneSince = lastTick;
        this.jumps = new JumpWatch(clock, lastTick);
        this.held = !quorum.isLeased();
        this.withoutSince = clock.now();
        this.lastRound = heardAt(lastTick);
    }

    void begin() {
        tick();
    }

    void end() {
        ended = true;
    }

    @Override
    public boolean heldAt(long nanoTime) {
        if (!held) {
            return false;
        }
        if (!quorum.isLeased()) {
            return !hadPeers || nanoTime - lastTick < pauseLimit;
        }
        return nanoTime - heldUntil < 0 && !jumps.jumped(nanoTime);
    }

    // ---- rounds

    private void tick() {
        if (ended) {
            return;
        }
        long now = clock.nanoTime();
        boolean jumped = jumps.jumped(now);
        jumps.follow(now);
        if (quorum.isLeased()) {
            if (jumped) {
                LOG.warn("The wall clock ran ahead of the monotonic one: the lease is void until a quorum renews it");
                perform(state.voided(now));
            }
            perform(state.tick(now, quorum));
        } else if (hadPeers && held && (jumped || now - lastTick >= pauseLimit)) {
            LOG.warn(
                    "This node stood still for {} ms; it serves again once a peer says that it still lists it",
                    Duration.ofNanos(now - lastTick).toMillis());
            lose();
            listedFrom = round + 1;
            aloneSince = now;
        }
        lastTick = now;
        ask(now);
        lastRound = heardAt(now);
        host.round();
        control.after(Quorum.ROUND, this::tick);
    }

    private void ask(long now) {
        NodeInfo self = membership.self();
        if (self.state() == NodeInfo.State.EXPELLED) {
            return;
        }
        round++;
        state = state.sent(round, now);
        if (votes(now)) {
            perform(state.acknowledged(round, self.name(), now, quorum));
        }
        Set<String> open = losses.unreported(quorum);
        open.forEach(lost -> reported(lost, self.name(), now));
        Beat beat = new Beat(self.incarnation(), self.name(), round, open);
        List<NodeInfo> others = others();
        hadPeers |= !others.isEmpty();
        retain(others, now);
        for (NodeInfo peer : others) {
            peers.beat(peer, beat)
                    .onSuccess(answer -> control.execute(() -> on(answer)))
                    .onFailure(e -> LOG.debug("Node {} did not answer a beat: {}", peer.name(), e.toString()));
        }
        if (!others.isEmpty()) {
            aloneSince = now;
        } else if (!quorum.isLeased() && !held && now - aloneSince >= pauseLimit) {
            // Long enough to have met those again that went on without this node, if there are any.
            held = true;
            host.serve();
        }
    }

    private void retain(List<NodeInfo> others, long now) {
        Set<String> known = new LinkedHashSet<>();
        others.forEach(peer -> known.add(peer.incarnation()));
        heardFrom.keySet().retainAll(known);
        heardBy.keySet().retainAll(known);
        Map<String, Long> before = Map.copyOf(upSince);
        upSince.clear();
        for (NodeInfo peer : others) {
            if (peer.state() == NodeInfo.State.UP) {
                upSince.put(peer.incarnation(), before.getOrDefault(peer.incarnation(), now));
            }
        }
    }

    private void lose() {
        held = false;
        withoutSince = clock.now();
    }

    private List<NodeInfo> others() {
        String self = membership.self().incarnation();
        List<NodeInfo> others = new ArrayList<>();
        for (NodeInfo node : membership.nodes()) {
            if (!node.incarnation().equals(self) && !node.role().isEmpty()) {
                others.add(node);
            }
        }
        return others;
    }

    /** Asks all others now, and not only with the next round; many calls are one. */
    void askSoon() {
        if (!asking) {
            asking = true;
            control.execute(() -> {
                asking = false;
                if (!ended) {
                    ask(clock.nanoTime());
                }
            });
        }
    }

    /** Whether this node serves only under a lease. */
    boolean isLeased() {
        return quorum.isLeased();
    }

    private boolean votes(long now) {
        return quorum.isVoter(membership.self().name()) && now - votesFrom >= 0;
    }

    private void on(Beat.Answer answer) {
        if (ended) {
            return;
        }
        long now = clock.nanoTime();
        heardBy.put(answer.from(), now);
        for (String lost : answer.without()) {
            reported(lost, answer.name(), now);
        }
        if (quorum.isVoter(answer.name())) {
            heard = heard.on(answer.name(), answer.heard(), now);
        }
        if (answer.standing() == Beat.Standing.DROPPED) {
            dropped(answer);
            return;
        }
        if (answer.acknowledged()) {
            perform(state.acknowledged(answer.round(), answer.name(), now, quorum));
        }
        boolean listed = answer.standing() == Beat.Standing.LISTED && answer.round() >= listedFrom;
        if (!quorum.isLeased() && !held && listed && membership.self().state() != NodeInfo.State.EXPELLED) {
            held = true;
            host.serve();
        }
    }

    /*
     * So many have given this node up that no quorum can ever acknowledge it again. With a quorum of 1 nobody can tell which
     * of the two was cut off, or is just ending: the merge decides, or the row of this node.
     */
    private void dropped(Beat.Answer answer) {
        boolean counts = quorum.isLeased() && quorum.isVoter(answer.name());
        if (counts && droppedBy.add(answer.name()) && droppedBy.size() >= quorum.reportsOfLoss()) {
            expel("it was dropped by " + droppedBy);
        }
    }

    private void expel(String reason) {
        if (membership.self().state() != NodeInfo.State.EXPELLED) {
            if (held) {
                lose();
            }
            host.expelled(reason);
        }
    }

    private void perform(LeaseState.Step step) {
        state = step.state();
        if (state.phase() == LeaseState.Phase.HELD) {
            heldUntil = state.until();
            host.acknowledged(heldUntil - quorum.lease().toNanos());
        }
        switch (step.command()) {
            case NOTHING -> {}
            case REREAD -> reread();
            case SERVE -> {
                held = true;
                LOG.info("This node holds a lease");
                host.serve();
            }
            case CEASE -> {
                lose();
                LOG.warn("This node has lost its lease: no quorum acknowledged it in time; it serves nothing");
                host.cease();
            }
            case EXPEL -> expel("it was without a lease for two lease times");
        }
    }

    private void reread() {
        if (held) {
            lose();
            host.cease();
        }
        int lapses = state.lapses();
        host.reread()
                .onComplete(done -> control.execute(() -> {
                    long now = clock.nanoTime();
                    perform(done.succeeded() ? state.reread(lapses, now) : state.notReread(lapses, now));
                }));
    }

    @Override
    public String toString() {
        return state.phase() + " after " + state.lapses() + " lapses, round " + round + ", lost " + losses;
    }

    // ---- what others ask

    /** Says whether this node lists the one that asks. */
    Beat.Answer on(Beat beat) {
        long now = clock.nanoTime();
        NodeInfo self = membership.self();
        heardFrom.put(beat.from(), now);
        Set<String> without = new LinkedHashSet<>();
        for (String lost : beat.lost()) {
            if (membership.node(lost).isEmpty()) {
                // It may merely not be known here yet; whoever asks has seen it go, so it must never be known.
                membership.drop(lost);
                without.add(lost);
            }
        }
        Beat.Standing standing = standing(beat.from());
        boolean acknowledged =
                standing == Beat.Standing.LISTED && self.state() != NodeInfo.State.EXPELLED && votes(now);
        return new Beat.Answer(
                self.incarnation(), self.name(), beat.round(), acknowledged, standing, without, heardWithin(now));
    }

    private Beat.Standing standing(String incarnation) {
        if (membership.isDropped(incarnation)) {
            return Beat.Standing.DROPPED;
        }
        return membership.node(incarnation).isPresent() ? Beat.Standing.LISTED : Beat.Standing.UNKNOWN;
    }

    private Set<String> heardWithin(long now) {
        Set<String> recent = new LinkedHashSet<>();
        heardFrom.forEach((incarnation, at) -> {
            if (now - at < quorum.lease().toNanos()) {
                recent.add(incarnation);
            }
        });
        return recent;
    }

    // ---- losses

    /** A node that could own shards was dropped here. */
    void lost(String incarnation) {
        LossWatch before = losses;
        losses = losses.lost(incarnation);
        if (!losses.equals(before) && quorum.isSafe()) {
            // What it owned is away until the others have given it up as well.
            askSoon();
        }
    }

    private void reported(String lost, String voter, long now) {
        boolean certain = losses.isCertain(lost);
        losses = losses.reported(lost, voter, now, quorum);
        if (!certain && losses.isCertain(lost)) {
            control.after(quorum.certainEnd(), () -> {
                if (!ended) {
                    host.round();
                }
            });
        }
    }

    /** A former incarnation of this process serves nothing any more, and needs not be waited for. */
    void ended(String incarnation) {
        losses = losses.ended(incarnation, clock.nanoTime());
    }

    /** Whether what a lost node owned may be claimed. */
    boolean hasEnded(String incarnation) {
        return losses.hasEnded(incarnation, clock.nanoTime(), quorum);
    }

    /** Whether there is a lost node of which that is not certain. */
    boolean isLossOpen() {
        return losses.isOpen(clock.nanoTime(), quorum);
    }

    /** Forgets the losses that are over. */
    void forget(Set<String> owners) {
        losses = losses.forget(owners, clock.nanoTime(), quorum);
    }

    /** The nodes that no quorum has heard for two lease times; to be asked by the planner alone. */
    Set<String> unheard() {
        if (!quorum.isLeased()) {
            return Set.of();
        }
        long now = clock.nanoTime();
        Set<String> known = new LinkedHashSet<>();
        // A node that starts has not begun to beat.
        List<NodeInfo> watched = others().stream()
                .filter(peer -> peer.state() != NodeInfo.State.STARTING)
                .toList();
        watched.forEach(peer -> known.add(peer.incarnation()));
        heard = heard.watching(known, now);
        if (quorum.isVoter(membership.self().name())) {
            heard = heard.on(membership.self().name(), heardWithin(now), now);
        }
        for (NodeInfo peer : watched) {
            // A voter counts itself in its own quorum.
            if (quorum.isVoter(peer.name())) {
                heard = heard.on(peer.name(), Set.of(peer.incarnation()), now);
            }
        }
        return heard.unheard(quorum.size(), now, 2 * quorum.lease().toNanos());
    }

    /** Who hears whom, and what follows from it. */
    private record Heard(List<PeerHearing> hearing, LeaseStanding lease) {}

    /** How the node of that state stands, which has yet to reach the peers named and knows of shards to move; any thread. */
    NodeStanding standing(NodeInfo.State nodeState, List<String> unreached, int shardsToMove) {
        Heard last = lastRound;
        // The lease is checked at this moment: a control thread that stands still would go on saying that it is held.
        LeaseStanding lease =
                heldAt(clock.nanoTime()) ? last.lease() : last.lease().lapsed(clock.now());
        return new NodeStanding(nodeState, lease, last.hearing(), unreached, shardsToMove);
    }

    private Heard heardAt(long now) {
        List<PeerHearing> hearing = hearing(now);
        return new Heard(hearing, lease(hearing, now));
    }

    private List<PeerHearing> hearing(long now) {
        long limit = SILENT_ROUNDS * Quorum.ROUND.toNanos();
        List<PeerHearing> all = new ArrayList<>();
        for (NodeInfo peer : others()) {
            Long up = upSince.get(peer.incarnation());
            Long from = heardFrom.get(peer.incarnation());
            Long by = heardBy.get(peer.incarnation());
            all.add(new PeerHearing(
                    peer.name(),
                    up != null && now - up >= limit,
                    from != null && now - from < limit,
                    by != null && now - by < limit));
        }
        return List.copyOf(all);
    }

    private LeaseStanding lease(List<PeerHearing> hearing, long now) {
        boolean holds = heldAt(now);
        String self = membership.self().name();
        Set<String> counting = new LinkedHashSet<>();
        hearing.stream().filter(PeerHearing::isMutual).map(PeerHearing::name).forEach(counting::add);
        boolean waits = quorum.isVoter(self) && !votes(now);
        if (!waits) {
            counting.add(self);
        }
        return new LeaseStanding(
                quorum.size(),
                holds,
                holds ? Optional.empty() : Optional.of(held ? clock.now() : withoutSince),
                waits ? Optional.of(clock.now().plusNanos(votesFrom - now)) : Optional.empty(),
                quorum.voters().stream().filter(counting::contains).toList(),
                quorum.voters().stream()
                        .filter(voter -> !counting.contains(voter))
                        .toList());
    }
}
