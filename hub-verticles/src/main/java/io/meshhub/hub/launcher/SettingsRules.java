package io.meshhub.hub.launcher;

import io.meshhub.cluster.lease.Quorum;
import io.meshhub.cluster.settings.SettingsCheck;
import io.meshhub.cluster.settings.SettingsLoader;
import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.hub.query.StaticNodes;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.protocol.LatchBudget;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The rules over several keys of {@link MeshHubSettings}, and the values that depend on the machine. */
final class SettingsRules {

    static final String PREFIX = "meshhub";

    /** The file that is read where none is named. */
    static final Path DEFAULT_FILE = Path.of("conf", "meshhub.yaml");

    /** Names with our prefix that are no settings: they concern the scripts and the client commands. */
    static final Set<String> RESERVED =
            Set.of("MESHHUB_URL", "MESHHUB_TOKEN", "MESHHUB_CONFIG", "MESHHUB_JAVA_OPTS", "meshhub.jar");

    /** What a node needs to leave, after its last disposal was forced: 2 s. */
    private static final Duration AFTER_DISPOSAL = Duration.ofSeconds(2);

    private static final String FALLBACK_NODE = "node-1";

    private SettingsRules() {}

    static SettingsLoader<MeshHubSettings> loader() {
        return SettingsLoader.of(MeshHubSettings.class, PREFIX)
                .withReserved(RESERVED)
                .withChecks(List.of(
                        rule(
                                List.of("cluster.node"),
                                s -> !s.cluster().node().filter("store"::equals).isPresent(),
                                "must not be the name of the store's directory in data"),
                        rule(
                                List.of("cluster.seeds", "cluster.join"),
                                s -> s.cluster().join() != MeshHubSettings.Join.TCP
                                        || s.cluster().seeds().isPresent(),
                                "must name at least one peer where cluster.join is tcp"),
                        rule(
                                List.of("cluster.kubernetes-service", "cluster.join"),
                                s -> s.cluster().join() != MeshHubSettings.Join.KUBERNETES
                                        || s.cluster().kubernetesService().isPresent(),
                                "must be set where cluster.join is kubernetes"),
                        rule(
                                List.of("cluster.hazelcast.ports", "cluster.hazelcast.port"),
                                s -> s.cluster().hazelcast().port()
                                                + s.cluster().hazelcast().ports()
                                        <= 65_536,
                                "must not reach beyond port 65535 from cluster.hazelcast.port on"),
                        rule(
                                List.of("cluster.heartbeat.interval"),
                                s -> wholeSeconds(s.cluster().heartbeat().interval()),
                                "must be whole seconds"),
                        rule(
                                List.of("cluster.heartbeat.limit"),
                                s -> wholeSeconds(s.cluster().heartbeat().limit()),
                                "must be whole seconds"),
                        rule(
                                List.of("cluster.heartbeat.limit", "cluster.heartbeat.interval"),
                                s -> s.cluster()
                                                .heartbeat()
                                                .limit()
                                                .compareTo(s.cluster()
                                                        .heartbeat()
                                                        .interval()
                                                        .multipliedBy(3))
                                        >= 0,
                                "must be at least three times cluster.heartbeat.interval"),
                        rule(
                                List.of(
                                        "cluster.bus.tls.key-store",
                                        "cluster.bus.tls.trust-store",
                                        "cluster.bus.tls.password"),
                                s -> allOrNone(s.cluster().bus().tls()),
                                "must be set together, or none of them"),
                        new SettingsCheck<>(
                                List.of(
                                        "cluster.quorum",
                                        "cluster.max-nodes",
                                        "cluster.voters",
                                        "cluster.after-loss",
                                        "cluster.lease"),
                                SettingsRules::quorumFault),
                        new SettingsCheck<>(
                                List.of("hub.disposal-watchdog", "hub.quiesce"),
                                SettingsRules::watchdogOutlastsQuiesce),
                        rule(
                                List.of("hub.blocked-after", "hub.disposal-watchdog"),
                                s -> s.hub().blockedAfter().compareTo(s.hub().disposalWatchdog()) < 0,
                                "must be below hub.disposal-watchdog, or a disposal is forced before it is known who"
                                        + " blocks it"),
                        new SettingsCheck<>(
                                List.of("hub.disposal-watchdog", "ride-out.pace"),
                                SettingsRules::ridersOutlastWatchdog),
                        new SettingsCheck<>(List.of("query.static-nodes"), SettingsRules::staticNodesFault),
                        new SettingsCheck<>(List.of("http.host", "security.mode"), SecurityRules::openToOthers),
                        new SettingsCheck<>(
                                List.of(
                                        "security.mode",
                                        "security.tokens-file",
                                        "security.jwt.public-key-file",
                                        "security.jwt.secret-file"),
                                SecurityRules::closedToAll),
                        new SettingsCheck<>(List.of("security.tokens-file"), SecurityRules::tokensFault),
                        new SettingsCheck<>(
                                List.of(
                                        "security.jwt.public-key-file",
                                        "security.jwt.secret-file",
                                        "security.jwt.algorithm",
                                        "security.jwt.issuer",
                                        "security.jwt.audience",
                                        "security.jwt.leeway"),
                                SecurityRules::jwtFault),
                        new SettingsCheck<>(
                                List.of("shutdown.drain", "hub.quiesce", "hub.disposal-watchdog"),
                                SettingsRules::drainOutlastsHandOver)));
    }

    private static Optional<String> watchdogOutlastsQuiesce(MeshHubSettings settings) {
        return settings.hub().disposalWatchdog().compareTo(settings.hub().quiesce()) > 0
                ? Optional.empty()
                : Optional.of(
                        "must be above hub.quiesce, " + settings.hub().quiesce().toMillis() + "ms");
    }

    private static Optional<String> ridersOutlastWatchdog(MeshHubSettings settings) {
        RideOutPolicy rideOut = rideOut(settings);
        Duration most = rideOut.lastReask().minus(rideOut.pace());
        return settings.hub().disposalWatchdog().compareTo(most) <= 0
                ? Optional.empty()
                : Optional.of("must be at most " + most.toMillis() + "ms, which is " + (rideOut.repeatBound() - 1)
                        + " times ride-out.pace, or who rides out a disposal gives up before it is forced");
    }

    private static Optional<String> drainOutlastsHandOver(MeshHubSettings settings) {
        // By hand: bounds that are impossible by themselves are told too, all at once.
        Duration handOver = settings.hub().quiesce().plus(settings.hub().disposalWatchdog());
        Duration above = handOver.plus(AFTER_DISPOSAL);
        return settings.shutdown().drain().compareTo(above) > 0
                ? Optional.empty()
                : Optional.of("must be above " + above.toMillis() + "ms, the bound of a hand-over ("
                        + handOver.toMillis() + "ms, hub.quiesce and hub.disposal-watchdog) and "
                        + AFTER_DISPOSAL.toSeconds() + "s");
    }

    /** The bounds of a disposal. */
    static DisposalBounds disposal(MeshHubSettings settings) {
        return new DisposalBounds(settings.hub().quiesce(), settings.hub().disposalWatchdog());
    }

    /** How refusals are ridden out: the pace is a setting, the counts are not. */
    static RideOutPolicy rideOut(MeshHubSettings settings) {
        return new RideOutPolicy(
                settings.rideOut().pace(), RideOutPolicy.DEFAULT_ACTIVATION_BOUND, RideOutPolicy.DEFAULT_REPEAT_BOUND);
    }

    /** How addresses are followed, by streams that ride out as everybody does. */
    static SyncOptions sync(MeshHubSettings settings) {
        LatchBudget latch = LatchBudget.of(rideOut(settings), settings.hub().disposalWatchdog());
        return new SyncOptions(
                settings.sync().beatInterval(),
                settings.sync().idleRelease(),
                settings.sync().resubscribesInFlight(),
                latch);
    }

    private static SettingsCheck<MeshHubSettings> rule(
            List<String> keys, Predicate<MeshHubSettings> kept, String otherwise) {
        return new SettingsCheck<>(keys, s -> kept.test(s) ? Optional.empty() : Optional.of(otherwise));
    }

    private static boolean allOrNone(MeshHubSettings.Tls tls) {
        boolean key = tls.keyStore().isPresent();
        return key == tls.trustStore().isPresent() && key == tls.password().isPresent();
    }

    private static Optional<String> quorumFault(MeshHubSettings settings) {
        try {
            quorum(settings);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("must fit together: " + e.getMessage());
        }
    }

    /**
     * Who must hear the node.
     *
     * @throws IllegalArgumentException when the settings do not fit together; says which and why
     */
    static Quorum quorum(MeshHubSettings settings) {
        MeshHubSettings.Cluster cluster = settings.cluster();
        Quorum.AfterLoss usual = cluster.quorum() > 1 ? Quorum.AfterLoss.SAFE : Quorum.AfterLoss.FAST;
        return new Quorum(
                cluster.quorum(),
                Math.max(cluster.maxNodes(), cluster.quorum()),
                cluster.voters().orElse(List.of()),
                cluster.afterLoss().orElse(usual),
                cluster.lease());
    }

    private static Optional<String> staticNodesFault(MeshHubSettings settings) {
        try {
            settings.query().staticNodes().ifPresent(StaticNodes::read);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("must be a file of nodes, and it is not: " + e.getMessage());
        }
    }

    private static boolean wholeSeconds(Duration duration) {
        return duration.toMillis() % 1000 == 0;
    }

    /** The node's name: as set, else the host name without its domain, else {@code node-1}. */
    static String nodeName(MeshHubSettings settings) {
        return settings.cluster().node().orElseGet(SettingsRules::hostName);
    }

    private static String hostName() {
        try {
            String name = InetAddress.getLocalHost().getHostName();
            int dot = name.indexOf('.');
            String first = dot < 0 ? name : name.substring(0, dot);
            boolean plain = first.matches("[A-Za-z][A-Za-z0-9-]{0,63}") && !first.equals("localhost");
            return plain ? first : FALLBACK_NODE;
        } catch (UnknownHostException e) {
            return FALLBACK_NODE;
        }
    }

    /** The directory of the store. */
    static Path storeDirectory(MeshHubSettings settings) {
        return settings.store().dir().orElseGet(() -> settings.data().resolve("store"));
    }
}
