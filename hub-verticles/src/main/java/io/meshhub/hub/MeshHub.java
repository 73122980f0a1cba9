package io.meshhub.hub;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.ClusteredVertx;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.hub.guard.Gates;
import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.hub.life.Seams;
import io.meshhub.hub.sync.ReadGate;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryProvider;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.router.InFlightBounds;
import io.meshhub.routing.spi.AddressCatalog;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import io.meshhub.sync.SyncClient;
import io.meshhub.sync.SyncOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A node of the mesh inside a program: what an embedder starts, asks and stops.
 *
 * <p>Without {@link Builder#cluster} the mesh is this process alone; with it, the same program runs on any number of
 * processes.
 */
public final class MeshHub {

    private final NodeParts parts;

    MeshHub(NodeParts parts) {
        this.parts = parts;
    }

    /** Describes a node. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sends messages to any address of the mesh. */
    public Mesh mesh() {
        return parts.router();
    }

    /** The Vert.x of this node. */
    public Vertx vertx() {
        return parts.vertx();
    }

    /** Who is in the mesh. */
    public Membership membership() {
        return parts.membership();
    }

    /** Who owns which shard. */
    public ShardTable shards() {
        return parts.shards();
    }

    /** How this node stands in its cluster: its state, its right to serve, and whom it hears. */
    public NodeStanding standing() {
        return parts.standing().get();
    }

    /** The node store; empty when the node has none. */
    public Optional<NodeStore> store() {
        return parts.store();
    }

    /** Runs the action when the node stops, after its hubs have ended and before it can no longer be reached. */
    public void onStop(Supplier<? extends Future<?>> action) {
        parts.lastly().add(action);
    }

    /** Follows what addresses of the mesh publish; closed when the node stops. */
    public SyncClient sync() {
        return parts.sync();
    }

    /**
     * Asks queries, and takes the providers that answer them: an embedder registers his own here, and {@code NodeProviders}
     * those of the node's store and activations. Queries end when the node stops.
     */
    public QueryFanIn query() {
        return parts.queries().fanIn();
    }

    /** Registers a query provider as {@link #query} does, and lets the other nodes of the cluster ask it too. */
    public Future<Void> serve(QueryProvider provider) {
        return parts.queries().serve(provider);
    }

    /** The host of this node's activations. */
    public HubRuntime runtime() {
        return parts.runtime();
    }

    /** Stops with the default drain. */
    public Future<Stopped> stop() {
        return stop(Builder.DEFAULT_DRAIN);
    }

    /**
     * Leaves in good order: nothing new is accepted, shards go to other nodes, hubs are disposed, and then the node's own
     * Vert.x is closed, unless it was given.
     *
     * @param drain the bound for shards and hubs together; what follows has {@link Builder#TAIL} more
     * @return what had to be cut; never fails
     */
    public Future<Stopped> stop(Duration drain) {
        return parts.stop(drain);
    }

    /** What a stop that goes on waits for, for people: its steps, and the hubs that live. */
    public List<String> pending() {
        return parts.pending();
    }

    /**
     * How a stop went.
     *
     * @param cut what did not end by itself within its bound, for people; empty when all did
     */
    public record Stopped(Optional<String> cut) {}

    /** Describes a node; every setting has a default. */
    public static final class Builder {

        /** How long a stop waits for shards and hubs: 30 s. */
        public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

        /** What everything that follows the drain may take together (store, Vert.x, Hazelcast): 9 s. */
        public static final Duration TAIL = Duration.ofSeconds(9);

        final HubTypes types = new HubTypes();
        String name = "node-1";
        String role = NodeInfo.DEFAULT_ROLE;
        String storeId = "";
        BudgetLadder budgets = BudgetLadder.ofDefaults();
        HubOptions options = HubOptions.ofDefaults();
        GuardOptions guards = GuardOptions.ofDefaults();
        ReadGate readGate = ReadGate.OPEN;
        BiFunction<Vertx, Pacer, ? extends Gates> gates = (vertx, pacer) -> Gates.OPEN;
        InFlightBounds inFlight = InFlightBounds.ofDefaults();
        FenceStore fences = FenceStore.NONE;
        AddressCatalog catalog = address -> Future.succeededFuture(false);
        MeshMetrics metrics = MeshMetrics.NONE;
        MeshClock clock = MeshClock.system();
        VertxOptions vertxOptions = new VertxOptions();
        Consumer<VertxBuilder> vertxCustomizer = builder -> {};
        Seams seams = Seams.NONE;
        Duration tail = TAIL;
        Level announced = Level.INFO;
        final List<Function<MeshHub, ? extends Future<?>>> beforeUp = new ArrayList<>();

        BiConsumer<NodeStore, Builder> storeUser = (store, builder) -> {};

        @Nullable
        Function<Vertx, ? extends Future<? extends NodeStore>> storeOpener;

        @Nullable
        Pacer pacer;

        @Nullable
        SyncOptions sync;

        @Nullable
        ClusterOptions cluster;

        @Nullable
        Vertx vertx;

        private Builder() {}

        /** Hosts hubs at the prefix and below; each address there exists. */
        public Builder hub(String prefix, Supplier<? extends HubVerticle> factory) {
            types.register(prefix, factory);
            return this;
        }

        /** Hosts hubs of a type. */
        public Builder hub(HubType type) {
            types.register(type);
            return this;
        }

        /** Names the node; in a cluster its {@link ClusterOptions} do. */
        public Builder name(String newName) {
            name = newName;
            return this;
        }

        /** Makes the node one that only calls: it hosts nothing, and its end moves nothing. */
        public Builder callerOnly() {
            role = "";
            return this;
        }

        /** Joins a cluster. */
        public Builder cluster(ClusterOptions newCluster) {
            cluster = newCluster;
            name = newCluster.nodeName();
            return this;
        }

        /** Runs on a Vert.x that is there already, in one process; it is not closed at the end. */
        public Builder vertx(Vertx newVertx) {
            vertx = newVertx;
            return this;
        }

        /** Options of the Vert.x that the node makes. */
        public Builder vertxOptions(VertxOptions newOptions) {
            vertxOptions = newOptions;
            return this;
        }

        /** Adds metrics, a tracer or the like to the Vert.x that the node makes; several do so one after the other. */
        public Builder customizeVertx(Consumer<VertxBuilder> customizer) {
            vertxCustomizer = vertxCustomizer.andThen(customizer);
            return this;
        }

        /** The budgets of every wait. */
        public Builder budgets(BudgetLadder newBudgets) {
            budgets = newBudgets;
            return this;
        }

        /** The bounds of the hubs. */
        public Builder options(HubOptions newOptions) {
            options = newOptions;
            return this;
        }

        /** When a hub counts as one that harms others. */
        public Builder guards(GuardOptions newGuards) {
            guards = newGuards;
            return this;
        }

        /** Decides who may follow what; everybody may where it is not set. */
        public Builder readGate(ReadGate newGate) {
            readGate = newGate;
            return this;
        }

        /**
         * Has gates stand before the hubs, the queries and the plain event-bus entries of the node; open ones where it is not
         * set.
         *
         * @param opener makes them for the node's Vert.x, with the pacer of its time
         */
        public Builder gates(BiFunction<Vertx, Pacer, ? extends Gates> opener) {
            gates = opener;
            return this;
        }

        /** How much is held and in flight at most. */
        public Builder inFlight(InFlightBounds newBounds) {
            inFlight = newBounds;
            return this;
        }

        /** Remembers which epoch served which shard, so that ids rise over restarts and old owners cannot write. */
        public Builder fences(FenceStore newFences, String newStoreId) {
            fences = newFences;
            storeId = newStoreId;
            return this;
        }

        /**
         * Opens a node store once the Vert.x is there: it keeps the fences, and is closed when the node stops.
         *
         * @param opener opens it
         * @param user adds to this builder what needs the store: a catalogue, hub types
         */
        public Builder store(
                Function<Vertx, ? extends Future<? extends NodeStore>> opener, BiConsumer<NodeStore, Builder> user) {
            storeOpener = opener;
            storeUser = user;
            return this;
        }

        /** Decides which addresses of catalogued types exist; none without it. */
        public Builder catalog(AddressCatalog newCatalog) {
            catalog = newCatalog;
            return this;
        }

        /** The bounds of streams; those of {@link SyncOptions#of} the bounds of the hubs where they are not set. */
        public Builder sync(SyncOptions newOptions) {
            sync = newOptions;
            return this;
        }

        /** Where numbers go. */
        public Builder metrics(MeshMetrics newMetrics) {
            metrics = newMetrics;
            return this;
        }

        /** Has all hubs of the node stand behind the interceptor; there is one at most. */
        public Builder intercept(HubTypes.Interceptor interceptor) {
            types.intercept(interceptor);
            return this;
        }

        /**
         * Runs the action when the node has joined and is not announced as up yet: it can be asked how it stands, owns
         * nothing, and goes on only when the action has ended. One that fails fails the start. Several run one after the
         * other; alone, the node is up already.
         */
        public Builder beforeUp(Function<MeshHub, ? extends Future<?>> action) {
            beforeUp.add(action);
            return this;
        }

        /** Starts and stops without a word to people. */
        Builder unannounced() {
            announced = Level.DEBUG;
            return this;
        }

        /**
         * Runs router and hubs on a time of its own, for tests: deadlines, rests, idle time-outs and watchdogs pass by it
         * and by it alone. What belongs to the cluster, and the bounds of the node's own stop, keep real time.
         *
         * @param newClock tells the time
         * @param newPacer runs what waits, by that clock
         */
        public Builder time(MeshClock newClock, Pacer newPacer) {
            clock = newClock;
            pacer = newPacer;
            return this;
        }

        /**
         * Starts the node.
         *
         * @return completes when it is up: it may own shards, and every other node has been heard. Fails when it cannot
         *     start, and then nothing of it is left running
         * @throws IllegalArgumentException when the node is to join a cluster and to run on a given Vert.x, or to call
         *     only and not as a lite member
         */
        public Future<MeshHub> start() {
            if (cluster != null && vertx != null) {
                throw new IllegalArgumentException(
                        "a node that joins a cluster makes its own Vert.x: give it a cluster or a Vertx, not both");
            }
            if (cluster != null && cluster.lite() != role.isEmpty()) {
                throw new IllegalArgumentException("a node that only calls is a lite member and the other way round:"
                        + " say both callerOnly() and ClusterOptions.lite, or neither");
            }
            if (cluster != null && cluster.handOverBound().compareTo(options.handOver()) < 0) {
                throw new IllegalArgumentException("ClusterOptions.handOverBound = "
                        + cluster.handOverBound().toMillis() + " ms must not be below "
                        + options.handOver().toMillis()
                        + " ms, the bound of a disposal: a node that hands over in good order would be expelled");
            }
            if (cluster != null) {
                ClusteredVertx.prepareJvm();
            }
            return NodeStart.start(this);
        }
    }
}
