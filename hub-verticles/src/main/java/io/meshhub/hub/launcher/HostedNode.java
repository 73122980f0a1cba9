package io.meshhub.hub.launcher;

import io.meshhub.cluster.BusTls;
import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.settings.Settings;
import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.AccessControl;
import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Whose;
import io.meshhub.hub.access.directory.DirectoryHub;
import io.meshhub.hub.activity.Activities;
import io.meshhub.hub.admin.HttpEdge;
import io.meshhub.hub.admin.HttpOptions;
import io.meshhub.hub.admin.MicrometerMetrics;
import io.meshhub.hub.guard.Gates;
import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.query.NodeProviders;
import io.meshhub.hub.query.StaticNodes;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.router.InFlightBounds;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node of the process: a hub of the mesh with a store of nodes and an HTTP edge. */
final class HostedNode implements MeshNode {

    private static final Logger LOG = LoggerFactory.getLogger(HostedNode.class);

    private static final Duration HTTP_BOUND = Duration.ofSeconds(1);

    private final MeshHubSettings settings;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final MeshHub.Builder builder;
    private volatile @Nullable AccessControl access;
    private volatile @Nullable ModelDecider model;
    private volatile @Nullable MeshHub hub;
    private volatile @Nullable Future<Void> starting;

    HostedNode(Settings<MeshHubSettings> settings) {
        this(settings, MeshHub.builder());
    }

    /** The builder may hold already what a test adds to the node. */
    HostedNode(Settings<MeshHubSettings> settings, MeshHub.Builder builder) {
        this.settings = settings.value();
        this.builder = builder;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        gc.bindTo(registry);
    }

    @Override
    public Future<Void> start() {
        Future<Void> begun = begin();
        starting = begun;
        return begun;
    }

    private Future<Void> begin() {
        if (SecurityRules.isEnforced(settings)) {
            builder.hub(DirectoryHub.ADDRESS, () -> new DirectoryHub(this::find));
        }
        return builder.cluster(cluster())
                .budgets(BudgetLadder.of(settings.budget().operationTimeout()))
                .options(hubs())
                .guards(new GuardOptions(
                        settings.hub().stormGuard().perSecond(), settings.hub().blockedAfter()))
                .inFlight(inFlight())
                .sync(SettingsRules.sync(settings))
                .gates(this::gates)
                .metrics(new MicrometerMetrics(registry))
                .store(
                        this::open,
                        (store, own) -> own.catalog(new StoreCatalog(store))
                                .hub(NodeHubs.type(store))
                                .hub(Activities.type(store)))
                // First, so that no query finds a part of them.
                .beforeUp(started -> NodeProviders.addTo(started, staticNodes()))
                .beforeUp(this::access)
                // Probes are answered before the node is up: why it is not ready is asked above all while it is not.
                .beforeUp(this::edge)
                .start()
                .map(started -> {
                    hub = started;
                    return null;
                });
    }

    private Gates gates(Vertx vertx, Pacer pacer) {
        if (!SecurityRules.isEnforced(settings)) {
            LOG.info("Security is open: whoever reaches node {} may do everything (security.mode = open)", name());
            return Gates.OPEN;
        }
        BudgetLadder budgets = BudgetLadder.of(settings.budget().operationTimeout());
        ModelDecider decider = new ModelDecider(pacer, new MicrometerMetrics(registry));
        // Read once more than by the rules of the settings: a file may be another one by now, and then the start fails.
        AccessControl.Parts parts = new AccessControl.Parts(
                name(),
                SecurityRules.tokens(settings),
                SecurityRules.jwt(settings),
                decider,
                decider,
                budgets.permission(),
                new MicrometerMetrics(registry));
        AccessControl control = parts.open(vertx, pacer);
        LOG.info(
                "Security is enforced on node {} (tokens={}, jwt={})",
                name(),
                parts.tokens().size(),
                parts.jwt().isPresent());
        access = control;
        model = decider;
        return control;
    }

    private Future<Void> access(MeshHub started) {
        ModelDecider decider = model;
        return decider == null ? Future.succeededFuture() : decider.start(started);
    }

    private Future<Lookup> find(Key key) {
        ModelDecider names = model;
        return names == null ? Whose.NOBODY_SAYS.find(key) : names.find(key);
    }

    private String name() {
        return SettingsRules.nodeName(settings);
    }

    private Future<Void> edge(MeshHub started) {
        HttpEdge.Builder edge = HttpEdge.builder(started.vertx(), started.mesh(), started.membership())
                .options(new HttpOptions(
                        settings.http().host(),
                        settings.http().port(),
                        Math.toIntExact(settings.http().maxBody().bytes()),
                        settings.http().eventStreams(),
                        settings.http().eventStreamsPerClient()))
                .registry(registry)
                .standing(started::standing)
                .sync(started.sync())
                .queries(started.query())
                .hubs(() -> levels(started));
        started.store().ifPresent(edge::store);
        AccessControl control = access;
        if (control != null) {
            edge.access(control);
        }
        return edge.build().start().map(listening -> {
            // The port stays open while the node drains, so that what is under way can be answered.
            started.onStop(() -> listening.shutdown(HTTP_BOUND));
            return null;
        });
    }

    // Read once more than by the rule of the setting: the file may be another one by now, and then the start fails.
    private List<QueryNode> staticNodes() {
        return settings.query().staticNodes().map(StaticNodes::read).orElse(List.of());
    }

    private static JsonObject levels(MeshHub started) {
        JsonObject levels = new JsonObject();
        for (RunLevel level : RunLevel.values()) {
            if (level != RunLevel.DEAD) {
                levels.put(level.name(), started.runtime().count(level));
            }
        }
        return levels;
    }

    private Future<? extends NodeStore> open(Vertx vertx) {
        if (settings.store().kind() == MeshHubSettings.StoreKind.MEMORY) {
            return Future.succeededFuture(new InMemoryNodeStore());
        }
        Path directory = settings.store().dir().orElse(settings.data().resolve("store"));
        return SqliteNodeStore.open(vertx, StoreOptions.in(directory), new MicrometerMetrics(registry));
    }

    private InFlightBounds inFlight() {
        MeshHubSettings.Routing routing = settings.routing();
        return new InFlightBounds(
                routing.inFlight(),
                routing.inFlightBytes().bytes(),
                routing.held(),
                routing.heldBytes().bytes(),
                routing.loopQueue(),
                routing.loopQueueBytes().bytes());
    }

    private HubOptions hubs() {
        MeshHubSettings.Hub hubs = settings.hub();
        return HubOptions.ofDefaults()
                .withQueues(hubs.startQueue(), hubs.mailbox())
                .withIdleTimeout(hubs.idleTimeout())
                .withDisposal(SettingsRules.disposal(settings), SettingsRules.rideOut(settings))
                .withKeepAliveCap(hubs.keepAliveCap())
                .withAllowPark(hubs.allowPark())
                .withPrincipalRequired(SecurityRules.isEnforced(settings));
    }

    private ClusterOptions cluster() {
        MeshHubSettings.Cluster cluster = settings.cluster();
        ClusterOptions.Builder builder = ClusterOptions.builder(SettingsRules.nodeName(settings))
                .clusterName(cluster.name())
                .hazelcast(
                        cluster.hazelcast().host(),
                        cluster.hazelcast().port(),
                        cluster.hazelcast().ports())
                .bus(cluster.bus().host(), cluster.bus().port())
                .heartbeat(cluster.heartbeat().interval(), cluster.heartbeat().limit())
                .handOverBound(SettingsRules.disposal(settings).handOver())
                .quorum(SettingsRules.quorum(settings));
        MeshHubSettings.Tls tls = cluster.bus().tls();
        tls.keyStore()
                .ifPresent(keys -> builder.busTls(new BusTls(
                        keys, tls.trustStore().orElse(keys), tls.password().orElse(""))));
        switch (cluster.join()) {
            case NONE -> {}
            case TCP -> builder.seeds(cluster.seeds().orElse(List.of()));
            case KUBERNETES ->
                builder.kubernetesService(cluster.kubernetesService().orElse(""));
        }
        return builder.build();
    }

    @Override
    public Future<Drained> stop(Duration drain) {
        MeshHub running = hub;
        gc.close();
        Future<Void> begun = starting;
        if (running == null && begun != null && !begun.isComplete()) {
            // What a start has begun can be taken back in good order only when it is over.
            Promise<Drained> promise = Promise.promise();
            begun.transform(done -> hub == null ? Future.succeededFuture(Drained.whole()) : stop(drain))
                    .onComplete(promise);
            return promise.future();
        }
        if (running == null) {
            // A start that failed has taken everything back by itself.
            return Future.succeededFuture(Drained.whole());
        }
        return running.stop(drain)
                .map(stopped -> new Drained(stopped.cut().map(List::of).orElse(List.of())));
    }

    @Override
    public List<String> pending() {
        MeshHub running = hub;
        return running == null ? List.of("its start") : running.pending();
    }
}
