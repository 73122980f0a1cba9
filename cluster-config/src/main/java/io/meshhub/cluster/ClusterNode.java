package io.meshhub.cluster;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in a cluster: its place among the members, its view of the shards and its right to serve them.
 *
 * <p>A node that was expelled comes back as another incarnation, see {@link #rejoin}; who holds this object need not know.
 */
public final class ClusterNode implements Membership, ShardTable, Lease {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

    private final ClusteredVertx cluster;
    private final ClusterOptions options;
    private final FenceStore fences;
    private final MeshClock clock;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<ShardRow>> rowListeners = new CopyOnWriteArrayList<>();
    private volatile Life life;
    private @Nullable Consumer<String> onExpelled;
    private @Nullable String expelledFor;

    /** What one incarnation has of its own. */
    private static final class Life {
        private final HazelcastMembership membership;
        private final HazelcastShardTable shards;
        private final BusBeats beats;

        Life(HazelcastMembership membership, HazelcastShardTable shards, BusBeats beats) {
            this.membership = membership;
            this.shards = shards;
            this.beats = beats;
        }

        HazelcastMembership membership() {
            return membership;
        }

        HazelcastShardTable shards() {
            return shards;
        }

        BusBeats beats() {
            return beats;
        }
    }

    private ClusterNode(ClusteredVertx cluster, ClusterOptions options, FenceStore fences, MeshClock clock, Life life) {
        this.cluster = cluster;
        this.options = options;
        this.fences = fences;
        this.clock = clock;
        this.life = life;
        follow(life);
    }

    /**
     * Joins as {@code STARTING}: the node is seen and owns nothing yet.
     *
     * @param self the node; an empty role only calls
     * @param fences where the fences of the shards are written that it will take
     * @param clock the time, which tells the first epoch
     * @return fails when the cluster refuses the node, or when the store cannot be asked; the message says why
     */
    public static Future<ClusterNode> join(
            ClusteredVertx cluster, ClusterOptions options, NodeInfo self, FenceStore fences, MeshClock clock) {
        return begin(cluster, options, self, fences, clock)
                .map(life -> new ClusterNode(cluster, options, fences, clock, life));
    }

    private static Future<Life> begin(
            ClusteredVertx cluster, ClusterOptions options, NodeInfo self, FenceStore fences, MeshClock clock) {
        ControlThread control = cluster.control();
        BusBeats beats = new BusBeats(cluster.vertx().eventBus(), cluster.busContext(), control);
        // A process that only calls is asked nothing.
        Future<Void> listening = self.role().isEmpty() ? Future.succeededFuture() : beats.listen(self.incarnation());
        return control.bounded(listening, options.operationTimeout(), "Registering the address of the node's control")
                .compose(done -> HazelcastMembership.join(cluster.hazelcast(), control, options, self, Map.of()))
                .compose(membership -> HazelcastShardTable.start(
                                cluster.hazelcast(),
                                self.role().isEmpty() ? NodeInfo.DEFAULT_ROLE : self.role(),
                                membership,
                                fences,
                                clock,
                                options,
                                beats,
                                control)
                        .map(shards -> {
                            beats.answering(shards.answers());
                            return new Life(membership, shards, beats);
                        })
                        .onFailure(e -> membership.close()))
                // The bus is about to go: what is still to be taken back then fails loudly.
                .recover(e -> control.bounded(
                                beats.closed(), options.callTimeout(), "Taking back the address of the node's control")
                        .transform(closed -> Future.failedFuture(e)));
    }

    private void follow(Life next) {
        next.membership().onChange((change, node) -> {
            if (life == next) {
                listeners.forEach(listener -> listener.changed(change, node));
            }
        });
        next.shards().onRow(row -> {
            if (life == next) {
                rowListeners.forEach(listener -> listener.accept(row));
            }
        });
        next.shards().onExpelled(reason -> {
            Consumer<String> action = onExpelled;
            if (life == next && action != null) {
                action.accept(reason);
            } else if (life == next) {
                expelledFor = reason;
            }
        });
    }

    /**
     * Says what is done when the others go on without this node, or must: everything that lived on it is being ended.
     *
     * @param action called on the control thread, once for each incarnation, with the reason
     */
    public void onExpelled(Consumer<String> action) {
        cluster.control().execute(() -> {
            onExpelled = action;
            String reason = expelledFor;
            expelledFor = null;
            if (reason != null) {
                action.accept(reason);
            }
        });
    }

    /**
     * Comes back after an expulsion as a new incarnation that owns nothing: {@code STARTING}, to be announced as up once it
     * is heard.
     *
     * @param self the node under its new incarnation
     * @return fails like {@link #join}, and can then be tried again
     */
    public Future<Void> rejoin(NodeInfo self) {
        Life former = life;
        end(former);
        return begin(cluster, options, self, fences, clock).map(next -> {
            life = next;
            follow(next);
            next.shards().succeeds(former.membership().self().incarnation());
            cluster.control()
                    .blocking(() -> {
                        former.shards().forget();
                        return true;
                    })
                    .onFailure(e -> LOG.debug("The former listeners could not be taken back: {}", e.toString()));
            return null;
        });
    }

    /** Asks, answers and follows nothing any more: the bus is about to go. What was known stays. */
    public void close() {
        end(life);
    }

    private static void end(Life over) {
        over.shards().close();
        over.membership().close();
        over.beats().close();
    }

    /** Who ends the activations of shards that are given away or lost; none before this is called. */
    public void activator(Activator activator) {
        life.shards().activator(activator);
    }

    /** Goes through a hand-over before there is one, while this node owns nothing; never fails. */
    public Future<Void> rehearse() {
        return life.shards().rehearse();
    }

    /** Announces this node as UP, see {@link HazelcastMembership#announceUp}. */
    public Future<Void> announceUp(Function<NodeInfo, Future<Void>> ping) {
        return life.membership().announceUp(ping);
    }

    /** Leaves, see {@link HazelcastShardTable#leave}. */
    public Future<Set<Integer>> leave(Duration bound) {
        return life.shards().leave(bound);
    }

    /** How this node stands: its state, its right to serve, and whom it hears as of the last round. */
    public NodeStanding standing() {
        Life now = life;
        return now.shards()
                .standing(
                        now.membership().self().state(),
                        now.membership().unreached().stream()
                                .map(NodeInfo::name)
                                .toList());
    }

    /** Whether this node serves only under a lease. */
    public boolean isLeased() {
        return options.quorum().isLeased();
    }

    @Override
    public boolean heldAt(long nanoTime) {
        return life.shards().lease().heldAt(nanoTime);
    }

    @Override
    public NodeInfo self() {
        return life.membership().self();
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return life.membership().nodes();
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return life.membership().node(incarnation);
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        return life.membership().announce(state);
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    // Hazelcast is asked before a connection is chosen or opened, and never after.
    @Override
    public boolean isLookupFailure(Throwable failure) {
        return failure instanceof HazelcastException || failure instanceof HazelcastInstanceNotActiveException;
    }

    @Override
    public ShardRow row(int shard) {
        return life.shards().row(shard);
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        return life.shards().refresh(shard);
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        return life.shards().claim(shard);
    }

    @Override
    public boolean serves(int shard, long epoch) {
        return life.shards().serves(shard, epoch);
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        return life.shards().whenServed(shard);
    }

    @Override
    public Future<ShardRow> reclaim(int shard) {
        return life.shards().reclaim(shard);
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        rowListeners.add(listener);
    }
}
