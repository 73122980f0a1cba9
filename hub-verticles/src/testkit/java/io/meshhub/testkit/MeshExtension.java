package io.meshhub.testkit;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs nodes of the mesh in the process of a test, for {@code @RegisterExtension}: in a field of the instance for new
 * nodes in each test, in a static field for the same nodes in all tests of the class.
 *
 * <p>After each test it lets go what hangs, releases what is parked, ends all hubs, and fails the test that left
 * something behind: a call or message without an answer, a hub that does not end, a consumer, a timer or a deployed
 * verticle, each named. A hub that is merely awake is none of these. What is looked for is what came after the nodes had
 * started or the last test had ended, so tests of one class must not run side by side on nodes that they share.
 */
public final class MeshExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    /** How long a result is waited for, in real time: 10 s. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long a node may take to start, and the shards to be spread: 60 s. */
    public static final Duration START_BOUND = Duration.ofSeconds(60);

    /** How long what a test left may take to end by itself where nothing is set: 3 s of real time. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(3);

    // What a drain has beyond the end of the hubs, as in a process.
    private static final Duration BEYOND_HUBS = Duration.ofSeconds(3);

    private final Builder setup;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<MeshAddress> parked = ConcurrentHashMap.newKeySet();
    private Faults faults = new Faults();
    private @Nullable MeshTime time;
    private @Nullable String sharedBy;

    private MeshExtension(Builder setup) {
        this.setup = setup;
    }

    /** Describes one node in one process. */
    public static Builder single() {
        return new Builder(1);
    }

    /**
     * Describes nodes in a cluster of their own, on free ports of the loopback interface and without multicast; they are
     * named {@code node-1} and so on.
     *
     * @param nodes at least 1; each takes the memory of a Hazelcast member, and a second or more to start
     */
    public static Builder cluster(int nodes) {
        if (nodes < 1) {
            throw new IllegalArgumentException("nodes = " + nodes + " must be >= 1");
        }
        Builder builder = new Builder(nodes);
        builder.clustered = true;
        return builder;
    }

    /** Waits for the value of a future, at most {@link #PATIENCE}; throws an {@link AssertionError} without one. */
    public static <T> T await(Future<T> future) {
        return Patience.value(future, PATIENCE);
    }

    /** Waits for the failure of a future, at most {@link #PATIENCE}; throws an {@link AssertionError} without one. */
    public static Throwable awaitFailure(Future<?> future) {
        Patience.end(future, PATIENCE);
        Throwable cause = future.cause();
        if (cause == null) {
            throw new AssertionError("it did not fail: " + future.result());
        }
        return cause;
    }

    /** The first node. */
    public MeshHub node() {
        return node(1);
    }

    /** The node of that number, from 1. */
    public MeshHub node(int number) {
        return numbered(number).hub();
    }

    private Node numbered(int number) {
        if (number < 1 || number > nodes.size()) {
            throw new IllegalArgumentException("node " + number + ": there are " + nodes.size() + " nodes now");
        }
        return nodes.get(number - 1);
    }

    /** Sends from the first node. */
    public Mesh mesh() {
        return mesh(1);
    }

    /** Sends from the node of that number, from 1. A call without an answer is found at the end of the test. */
    public Mesh mesh(int number) {
        return numbered(number).mesh();
    }

    /**
     * The time of the node.
     *
     * @throws IllegalStateException when it is real time, see {@link Builder#manualTime}
     */
    public MeshTime time() {
        MeshTime own = time;
        if (own == null) {
            throw new IllegalStateException("the nodes run on real time: say manualTime() when they are described");
        }
        return own;
    }

    /** The hub at an address, to be parked, recycled, hung and failed. */
    public Owner owner(String address) {
        return owner(MeshAddress.of(address));
    }

    /** The hub at an address, to be parked, recycled, hung and failed. */
    public Owner owner(MeshAddress address) {
        Node asked = nodes.stream()
                .filter(Node::isUp)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node is up"));
        return new Owner(address, asked.hub().mesh(), faults, parked);
    }

    /** An address {@code PREFIX/n} whose owner is the node of that number now. */
    public MeshAddress addressOn(int number, String prefix) {
        return Cluster.addressOn(node(number), prefix);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // Also called for nested classes, which share the nodes of the outer one.
        if (sharedBy == null) {
            start();
            sharedBy = context.getUniqueId();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (sharedBy == null) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        List<String> left = new ArrayList<>();
        try {
            left.addAll(rest());
        } finally {
            if (sharedBy == null) {
                left.addAll(stop());
            }
        }
        complain(left);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (context.getUniqueId().equals(sharedBy)) {
            sharedBy = null;
            complain(stop());
        }
    }

    private static void complain(List<String> left) {
        if (!left.isEmpty()) {
            throw new AssertionError(left.size() + " left behind by the test:\n  " + String.join("\n  ", left));
        }
    }

    private List<String> rest() {
        faults.letAllGo();
        for (MeshAddress address : List.copyOf(parked)) {
            if (nodes.stream().anyMatch(Node::isUp)) {
                owner(address).release();
            }
        }
        parked.clear();
        return new Leftovers(nodes, time, setup.grace).find();
    }

    private void start() {
        faults = new Faults();
        time = setup.manualTime ? new MeshTime() : null;
        Cluster cluster = setup.clustered ? new Cluster(setup.nodes) : null;
        try {
            for (int i = 0; i < setup.nodes; i++) {
                nodes.add(start(cluster, i));
            }
            List<MeshHub> hubs = nodes.stream().map(Node::hub).toList();
            if (!Patience.until(START_BOUND, () -> Cluster.isAtRest(hubs))) {
                throw new AssertionError("the shards of " + hubs.size() + " nodes have not come to rest within "
                        + START_BOUND.toMillis() + " ms");
            }
            nodes.forEach(Node::rest);
        } catch (RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    private Node start(@Nullable Cluster cluster, int index) {
        String name = "node-" + (index + 1);
        MeshHub.Builder builder = MeshHub.builder();
        setup.configuration.accept(builder);
        builder.options(setup.options.withAllowPark(true)).intercept(faults);
        if (cluster == null) {
            builder.name(name);
        } else {
            builder.cluster(cluster.options(name, index));
        }
        BusWatch bus = new BusWatch();
        builder.customizeVertx(vertx -> vertx.withMetrics(bus));
        MeshTime own = time;
        if (own != null) {
            builder.time(own.clock(), own.pacer());
        }
        MeshHub hub = Patience.value(builder.start(), START_BOUND);
        if (own != null) {
            own.runsOn(hub.vertx());
        }
        return new Node(hub, bus);
    }

    private List<String> stop() {
        List<String> left = new ArrayList<>();
        Duration drain = setup.options.handOver().plus(BEYOND_HUBS);
        try {
            for (int i = nodes.size() - 1; i >= 0; i--) {
                left.addAll(nodes.get(i).stop(drain));
            }
        } finally {
            nodes.clear();
        }
        return left;
    }

    /** Describes the nodes of a test; all host the same hubs. */
    public static final class Builder {

        private final int nodes;
        private boolean clustered;
        private boolean manualTime;
        private HubOptions options = HubOptions.ofDefaults();
        private Duration grace = DEFAULT_GRACE;
        private Consumer<MeshHub.Builder> configuration = builder -> {};

        private Builder(int nodes) {
            this.nodes = nodes;
        }

        /** Hosts hubs at the prefix and below. */
        public Builder hub(String prefix, Supplier<? extends HubVerticle> factory) {
            return configure(builder -> builder.hub(prefix, factory));
        }

        /**
         * Says anything else of each node: a store, a catalogue, budgets. Its name, place in the cluster, hub options,
         * interceptor and the metrics of its Vert.x are those of the kit.
         */
        public Builder configure(Consumer<MeshHub.Builder> newConfiguration) {
            configuration = configuration.andThen(newConfiguration);
            return this;
        }

        /** The bounds of the hubs; addresses can be parked whatever they say. */
        public Builder options(HubOptions newOptions) {
            options = newOptions;
            return this;
        }

        /**
         * Runs the node on a time that passes only with {@link MeshTime#advance}.
         *
         * @throws IllegalStateException for a cluster, whose members need real time
         */
        public Builder manualTime() {
            if (clustered) {
                throw new IllegalStateException("a cluster needs real time: only a single node can do without");
            }
            manualTime = true;
            return this;
        }

        /** How long what a test left may take to end by itself; positive, {@link #DEFAULT_GRACE} where not set. */
        public Builder grace(Duration newGrace) {
            if (newGrace.isNegative() || newGrace.isZero()) {
                throw new IllegalArgumentException("grace = " + newGrace + " must be > 0");
            }
            grace = newGrace;
            return this;
        }

        /** The extension, to be registered. */
        public MeshExtension build() {
            return new MeshExtension(this);
        }
    }
}
