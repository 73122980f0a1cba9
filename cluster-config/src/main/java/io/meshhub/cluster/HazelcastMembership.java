package io.meshhub.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.meshhub.cluster.lease.Streaks;
import io.meshhub.cluster.links.MembersChanged;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is in the mesh, kept in a Hazelcast map of one row per node and in Hazelcast's member list.
 *
 * <p>All changes are made on the {@link ControlThread}, in the order in which they are learnt; all reads are answered from
 * memory. Events are best effort, so all rows are read again at a pace and after each change of the members.
 */
public final class HazelcastMembership implements ClusterMembership {

    private static final Logger LOG = LoggerFactory.getLogger(HazelcastMembership.class);

    // A row that is missing in two reads in a row, although its node writes it again when it finds it missing.
    private static final int ABSENT_READS = 2;

    private static final int READS = 4;

    private final HazelcastInstance hazelcast;
    private final ControlThread control;
    private final ClusterOptions options;
    private final IMap<String, NodeRow> map;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> unknown = new ConcurrentHashMap<>();
    private volatile NodeRow self;
    private volatile NodesView view = NodesView.EMPTY;
    private Map<String, NodeRow> stored = Map.of();
    private final Streaks unlisted = new Streaks(ABSENT_READS);
    private final Streaks rowless = new Streaks(ABSENT_READS);
    private boolean readSince;
    private boolean reading;
    private boolean readAgain;
    private volatile @Nullable UpRounds upRounds;
    private volatile boolean closed;
    private volatile Runnable unlisten = () -> {};

    private HazelcastMembership(
            HazelcastInstance hazelcast, ControlThread control, ClusterOptions options, NodeRow self) {
        this.hazelcast = hazelcast;
        this.control = control;
        this.options = options;
        this.map = hazelcast.getMap(HazelcastConfigs.NODES);
        this.self = self;
    }

    /**
     * Joins the mesh as a node that is STARTING.
     *
     * @param self what the node tells about itself
     * @param prefixes which role the addresses below a prefix belong to, as configured on this node
     * @return fails with {@link JoinRefused} and one line that names both nodes when this one does not fit to
     *     one that is there, and with {@link io.meshhub.routing.failure.Unavailable} when the cluster does not answer
     */
    public static Future<HazelcastMembership> join(
            HazelcastInstance hazelcast,
            ControlThread control,
            ClusterOptions options,
            NodeInfo self,
            Map<String, String> prefixes) {
        UUID member = hazelcast.getCluster().getLocalMember().getUuid();
        NodeRow row = new NodeRow(
                self.in(NodeInfo.State.STARTING),
                member,
                MeshAddress.SHARDS,
                prefixes,
                options.quorum().terms());
        return control.blocking(() -> new HazelcastMembership(hazelcast, control, options, row))
                .compose(HazelcastMembership::enter);
    }

    private Future<HazelcastMembership> enter() {
        return read().compose(done -> expelFormer())
                .compose(done -> put())
                .compose(done -> read())
                .compose(done -> fits(this::cameFirst))
                .compose(done -> control.blocking(() -> {
                    UUID members = hazelcast
                            .getCluster()
                            .addMembershipListener(new MembersChanged(() -> control.execute(this::membersChanged)));
                    UUID rows = map.addEntryListener(new Rows(), true);
                    UUID lifecycle = hazelcast.getLifecycleService().addLifecycleListener(this::lifecycleChanged);
                    unlisten = () -> {
                        hazelcast.getCluster().removeMembershipListener(members);
                        map.removeEntryListener(rows);
                        hazelcast.getLifecycleService().removeLifecycleListener(lifecycle);
                    };
                    return this;
                }))
                .compose(done -> {
                    Predicate<String> dropped = this::isDropped;
                    hazelcast.getUserContext().put(ShardChange.DROPPED, dropped);
                    reread();
                    rereadLater();
                    return Future.succeededFuture(this);
                });
    }

    // A member hosts one incarnation: a former one of this process must not seem to live because its member does.
    private Future<Void> expelFormer() {
        List<Future<Void>> expelled = stored.values().stream()
                .filter(row -> row.member().equals(self.member()))
                .filter(row -> row.node().state() != NodeInfo.State.EXPELLED)
                .map(row -> put(row.in(NodeInfo.State.EXPELLED)))
                .toList();
        return Future.all(expelled).mapEmpty();
    }

    // After a merge this member is another one, which the others never knew.
    private void lifecycleChanged(LifecycleEvent event) {
        if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
            control.execute(this::membersChanged);
        }
    }

    /** Follows nothing any more; what was known stays. */
    void close() {
        closed = true;
        control.blocking(() -> {
                    unlisten.run();
                    return true;
                })
                .onFailure(e -> LOG.debug("The listeners could not be taken back: {}", e.toString()));
    }

    private Future<Void> put() {
        return put(self);
    }

    private Future<Void> put(NodeRow row) {
        return control.bounded(
                        map.setAsync(row.incarnation(), row),
                        options.operationTimeout(),
                        "Writing the row of node " + row.node().name())
                .mapEmpty();
    }

    /** Fails, and takes the own row back, when this node does not fit to one of the live ones that count. */
    private Future<Void> fits(Predicate<NodeRow> counts) {
        NodeRow me = self;
        Optional<String> conflict = view.live().stream()
                .filter(other -> !other.incarnation().equals(me.incarnation()))
                .filter(counts)
                .flatMap(other -> me.conflictWith(other).stream())
                .findFirst();
        if (conflict.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> refused = Promise.promise();
        // The others saw the row already: they drop it by its last state.
        announce(NodeInfo.State.EXPELLED)
                .compose(done -> control.bounded(
                        map.removeAsync(me.incarnation()), options.operationTimeout(), "Taking back the node's row"))
                .onComplete(done -> refused.fail(new JoinRefused(conflict.get())));
        return refused.future();
    }

    // Two nodes that start at once see each other: the younger one gives way.
    private boolean cameFirst(NodeRow other) {
        return other.node().state() != NodeInfo.State.STARTING || isOlder(other);
    }

    private boolean isOlder(NodeRow other) {
        List<UUID> members = members();
        return members.indexOf(other.member()) < members.indexOf(self.member());
    }

    private List<UUID> members() {
        return hazelcast.getCluster().getMembers().stream().map(Member::getUuid).toList();
    }

    // ---- what is told and read

    private final class Rows implements EntryAddedListener<String, NodeRow>, EntryUpdatedListener<String, NodeRow> {
        @Override
        public void entryAdded(EntryEvent<String, NodeRow> event) {
            control.execute(() -> apply(List.of(event.getValue())));
        }

        @Override
        public void entryUpdated(EntryEvent<String, NodeRow> event) {
            control.execute(() -> apply(List.of(event.getValue())));
        }
    }

    private void membersChanged() {
        apply(List.of());
        reread();
    }

    private void apply(Collection<NodeRow> rows) {
        if (closed) {
            return;
        }
        NodesView.Step step = view.on(members(), rows);
        view = step.view();
        NodesView now = view;
        rows.stream()
                .map(NodeRow::incarnation)
                .filter(told -> now.find(told).isPresent() || now.dropped().contains(told))
                .forEach(unknown::remove);
        for (NodesView.Event event : step.events()) {
            if (event.change() == Change.DROPPED && event.node().incarnation().equals(self.incarnation())) {
                self = self.in(NodeInfo.State.EXPELLED);
            }
            LOG.info(
                    "Node {} (incarnation {}): {}, state {}; {} nodes in the mesh",
                    event.node().name(),
                    event.node().incarnation(),
                    event.change(),
                    event.node().state(),
                    view.live().size());
            listeners.forEach(listener -> listener.changed(event.change(), event.node()));
        }
    }

    private void rereadLater() {
        control.after(options.rowReread(), () -> {
            if (closed) {
                return;
            }
            dropUnlisted();
            dropRowless();
            reread();
            rereadLater();
        });
    }

    /*
     * A row of a member that was gone before this node joined would wait for ever, and with it the claim of its shards on
     * the partitions that this node keeps. The list may lag behind a row for a moment, never for several re-reads.
     */
    private void dropUnlisted() {
        for (String incarnation : unlisted.on(Set.copyOf(view.waiting().keySet()))) {
            view = view.withDropped(incarnation);
            LOG.info("Incarnation {} has a row and no member: it counts as dropped", incarnation);
            if (incarnation.equals(self.incarnation())) {
                // This member became another one before the list ever showed it.
                self = self.in(NodeInfo.State.EXPELLED);
                listeners.forEach(listener -> listener.changed(Change.DROPPED, self.node()));
            }
        }
    }

    /*
     * An incarnation whose end this node was not told, and whose row is gone since: while its member lives on as another
     * one it would seem to live for ever, be waited for by those who start, and be given shards. A node that does live
     * writes its row again at its own re-reads.
     */
    private void dropRowless() {
        if (!readSince) {
            return;
        }
        readSince = false;
        Set<String> absent = view.live().stream()
                .map(NodeRow::incarnation)
                .filter(incarnation -> !stored.containsKey(incarnation) && !incarnation.equals(self.incarnation()))
                .collect(Collectors.toSet());
        for (String incarnation : rowless.on(absent)) {
            LOG.info("Incarnation {} has a member and no row: it counts as dropped", incarnation);
            drop(incarnation);
        }
    }

    /** Reads all node rows, one read at a time; on the control thread. */
    private void reread() {
        if (reading) {
            readAgain = true;
            return;
        }
        reading = true;
        readOnce().onComplete(done -> {
            reading = false;
            if (done.failed()) {
                LOG.warn(
                        "The node rows could not be read; what is known stands: {}",
                        done.cause().toString());
            }
            if (readAgain) {
                readAgain = false;
                reread();
            }
        });
    }

    // What a frozen member holds cannot be read before it is dropped or goes on: who starts waits for that.
    private Future<Void> read() {
        return control.tried(READS, this::readOnce);
    }

    private Future<Void> readOnce() {
        Set<String> asked = Set.copyOf(unknown.keySet());
        Future<List<NodeRow>> read = control.blocking(() -> List.copyOf(map.values()));
        return control.bounded(read, options.callTimeout(), "Reading the rows of the nodes")
                .map(rows -> {
                    stored = new HashMap<>();
                    rows.forEach(row -> stored.put(row.incarnation(), row));
                    readSince = true;
                    apply(rows);
                    for (String incarnation : asked) {
                        Integer absent = unknown.computeIfPresent(incarnation, (key, reads) -> reads + 1);
                        if (absent != null && absent >= ABSENT_READS) {
                            unknown.remove(incarnation);
                            view = view.withDropped(incarnation);
                        }
                    }
                    NodeRow me = self;
                    if (!stored.containsKey(me.incarnation())
                            && me.node().state() != NodeInfo.State.EXPELLED
                            && view.find(me.incarnation()).isPresent()) {
                        LOG.warn("The row of this node was lost from the cluster; it is written again");
                        put().onFailure(e -> LOG.warn("The row of this node could not be written: {}", e.toString()));
                    }
                    return null;
                });
    }

    /**
     * Whether the incarnation is dropped, from memory and the member list as it is at this moment; any thread.
     *
     * <p>One of which no row is known is not dropped, until its row is found missing twice.
     */
    @Override
    public boolean isDropped(String incarnation) {
        NodesView now = view;
        if (now.dropped().contains(incarnation)) {
            return true;
        }
        Optional<NodeRow> row = now.find(incarnation);
        if (row.isPresent()) {
            UUID member = row.get().member();
            return hazelcast.getCluster().getMembers().stream()
                    .noneMatch(listed -> listed.getUuid().equals(member));
        }
        if (unknown.size() < NodesView.MAX_DROPPED) {
            unknown.putIfAbsent(incarnation, 0);
        }
        return false;
    }

    @Override
    public void forget(String role, Set<String> owners) {
        for (NodeRow row : stored.values()) {
            boolean ofRole = row.node().role().equals(role) || row.node().role().isEmpty();
            if (ofRole && view.dropped().contains(row.incarnation()) && !owners.contains(row.incarnation())) {
                control.bounded(
                                map.removeAsync(row.incarnation()),
                                options.operationTimeout(),
                                "Removing the row of the lost node "
                                        + row.node().name())
                        .onFailure(e -> LOG.debug("It is tried again after the next read: {}", e.toString()));
            }
        }
    }

    @Override
    public boolean holdsDropped() {
        return stored.keySet().stream().anyMatch(view.dropped()::contains);
    }

    // ---- Membership

    @Override
    public NodeInfo self() {
        return self.node();
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return view.live().stream().map(NodeRow::node).toList();
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return view.find(incarnation).filter(row -> !isDropped(incarnation)).map(NodeRow::node);
    }

    /** Which role the addresses below a prefix belong to, as all live nodes together publish it. */
    public Map<String, String> prefixes() {
        Map<String, String> all = new HashMap<>();
        view.live().forEach(row -> all.putAll(row.prefixes()));
        return Map.copyOf(all);
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        Promise<Void> told = Promise.promise();
        control.execute(() -> {
            NodeInfo.State now = self.node().state();
            if (closed || state.compareTo(now) < 0) {
                // One that was given up stays so: only another incarnation can be up again.
                if (state == NodeInfo.State.LEAVING) {
                    told.complete();
                } else {
                    told.fail(control.unavailable(
                            "Node " + self.node().name() + " cannot be " + state + ": this incarnation is " + now));
                }
                return;
            }
            self = self.in(state);
            apply(List.of(self));
            put().onComplete(told);
        });
        return told.future();
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Announces this node as UP, once it has reached every node that is there and was heard by it.
     *
     * <p>Peers that do not answer are tried again every 500 ms; one that is dropped meanwhile is no longer asked.
     *
     * @param ping reaches every inbound address of a peer over the event bus and hears its answer, so that both ways are
     *     tried
     * @return fails with {@link io.meshhub.routing.failure.Unavailable} that names the peers that were not reached within
     *     {@link ClusterOptions#upTimeout()}, and like {@link #join} when another node took the name meanwhile
     */
    public Future<Void> announceUp(Function<NodeInfo, Future<Void>> ping) {
        UpRounds begun = new UpRounds(this, control, options, ping);
        upRounds = begun;
        return begun.start();
    }

    /** The peers that must be reached before this node is UP, and were not yet; any thread. */
    Collection<NodeInfo> unreached() {
        UpRounds begun = upRounds;
        return begun == null || self().state() != NodeInfo.State.STARTING ? List.of() : begun.missing();
    }

    /** Whether this node has to reach that one before it is UP. */
    boolean mustReach(NodeRow other) {
        boolean me = other.incarnation().equals(self.incarnation());
        return !me && (other.node().state() == NodeInfo.State.UP || isOlder(other));
    }

    @Override
    public void drop(String incarnation) {
        // What the member list says by now comes first, and is told.
        apply(List.of());
        if (!view.dropped().contains(incarnation)) {
            Optional<NodeRow> row = view.find(incarnation);
            view = view.withDropped(incarnation);
            row.ifPresent(dropped -> listeners.forEach(listener -> listener.changed(Change.DROPPED, dropped.node())));
        }
    }

    @Override
    public Future<Void> expel(String incarnation) {
        Optional<NodeRow> row = view.find(incarnation);
        return row.isEmpty()
                ? Future.succeededFuture()
                : put(row.get().in(NodeInfo.State.EXPELLED)).onSuccess(done -> reread());
    }

    NodesView view() {
        return view;
    }

    /** Becomes UP, unless a node that does not fit came before; all peers are reached. */
    Future<Void> settle() {
        return read().compose(done -> fits(this::cameFirst))
                .compose(done -> announce(NodeInfo.State.UP))
                .compose(done -> read())
                .compose(done -> fits(this::isOlder));
    }
}
