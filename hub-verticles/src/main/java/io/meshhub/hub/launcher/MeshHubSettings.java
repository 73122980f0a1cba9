package io.meshhub.hub.launcher;

import io.meshhub.cluster.lease.Quorum;
import io.meshhub.cluster.settings.ByteSize;
import io.meshhub.cluster.settings.Setting;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of a node. Each key can be set in the file, as a variable, as a system property or by a flag. */
public interface MeshHubSettings {

    /** The cluster and this node's place in it. */
    Cluster cluster();

    /** The HTTP interface. */
    Http http();

    /** Who may do what. */
    SecuritySettings security();

    /** The store of nodes. */
    Store store();

    /** The hubs of this node. */
    Hub hub();

    /** How refusals are ridden out. */
    RideOut rideOut();

    /** How addresses are followed. */
    Sync sync();

    /** What queries find. */
    Query query();

    /** How much is held and in flight. */
    Routing routing();

    /** Time budgets. */
    Budget budget();

    /** The end of the process. */
    Shutdown shutdown();

    /** Where the node keeps what is its own. */
    @Setting("Directory for what a node keeps; each node locks its own directory in it.")
    @WithDefault("data")
    Path data();

    /** How the first peers are found. */
    enum Join {
        /** Not at all: the node stays alone until another one asks it. */
        NONE,
        /** By a list of seeds. */
        TCP,
        /** By a headless Kubernetes service. */
        KUBERNETES
    }

    /** Section {@code cluster}. */
    interface Cluster {
        /** Separates clusters. */
        @Setting(
                value = "Name of the cluster; nodes of other names never meet.",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                patternRule = "1 to 64 of the letters A to Z, digits and . _ -, and begin with a letter or digit")
        @WithDefault("meshhub")
        String name();

        /** The node's name, if set. */
        @Setting(
                value = "Name of this node, unique in the cluster and the same after each restart.",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                patternRule = "1 to 64 of the letters A to Z, digits and . _ -, and begin with a letter or digit",
                absent = "the machine's host name, or node-1 where it has none")
        Optional<String> node();

        /** How the first peers are found. */
        @Setting("How the first peers are found. Never by multicast.")
        @WithDefault("none")
        Join join();

        /** The peers to ask. */
        @Setting(
                value = "The peers to ask where join is tcp, each host or host:port of its Hazelcast member.",
                pattern = "([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:]+])(:[0-9]{1,5})?",
                patternRule = "a list of host or host:port",
                absent = "none")
        Optional<List<String>> seeds();

        /** The headless service. */
        @Setting(
                value = "DNS name of the headless service where join is kubernetes.",
                pattern = "[A-Za-z0-9.-]+",
                patternRule = "a DNS name",
                absent = "none")
        Optional<String> kubernetesService();

        /** How many voters must hear a node. */
        @Setting(
                value =
                        "How many voters, a node itself included, must acknowledge a node so that it may serve. With 1 there is"
                                + " no lease and a node that is cut off goes on, so a real cut makes two activations for as long"
                                + " as it lasts.",
                min = "1",
                max = "64")
        @WithDefault("1")
        int quorum();

        /** The most voters. */
        @Setting(
                value =
                        "The most voters that the cluster will ever have; cluster.quorum must exceed half of it. Alike on"
                                + " all nodes.",
                min = "1",
                max = "127")
        @WithDefault("1")
        int maxNodes();

        /** Who votes. */
        @Setting(
                value = "The names of the nodes that vote where cluster.quorum is 2 or more. Alike on all nodes.",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                patternRule = "a list of node names",
                absent = "none")
        Optional<List<String>> voters();

        /** What follows a loss. */
        @Setting(
                value =
                        "When the addresses of a lost node are served again: safe waits until its lease has certainly ended"
                                + " (cluster.lease and 2s), fast does not. With cluster.quorum 1 only fast is possible.",
                absent = "safe where cluster.quorum is 2 or more, else fast")
        Optional<Quorum.AfterLoss> afterLoss();

        /** The lease. */
        @Setting(
                value = "How long an acknowledged round lets a node serve where cluster.quorum is 2 or more.",
                min = "3s",
                max = "10m")
        @WithDefault("10s")
        Duration lease();

        /** The Hazelcast member. */
        Hazelcast hazelcast();

        /** The event bus. */
        Bus bus();

        /** Heartbeats between members. */
        Heartbeat heartbeat();
    }

    /** Section {@code cluster.hazelcast}. */
    interface Hazelcast {
        /** The interface. */
        @Setting(
                value = "Address to which the Hazelcast member binds, and by which the others reach it. Its traffic is"
                        + " neither encrypted nor authenticated: keep it on a private network.",
                pattern = "[^\\s/]+",
                patternRule = "a host name or an address")
        @WithDefault("127.0.0.1")
        String host();

        /** The first port. */
        @Setting(value = "First port that the member tries.", min = "1", max = "65535")
        @WithDefault("5701")
        int port();

        /** How many ports. */
        @Setting(value = "How many ports it tries from there.", min = "1", max = "1000")
        @WithDefault("8")
        int ports();
    }

    /** Section {@code cluster.bus}. */
    interface Bus {
        /** The interface. */
        @Setting(
                value = "Address to which the event bus binds, and by which the others reach it.",
                pattern = "[^\\s/]+",
                patternRule = "a host name or an address")
        @WithDefault("127.0.0.1")
        String host();

        /** The port. */
        @Setting(value = "Port of the event bus; 0 takes any free one.", min = "0", max = "65535")
        @WithDefault("0")
        int port();

        /** Encryption. */
        Tls tls();
    }

    /** Section {@code cluster.bus.tls}. */
    interface Tls {
        /** The node's own key. */
        @Setting(
                value =
                        "PKCS #12 file with the node's key and certificate; with it the bus is encrypted, and takes only"
                                + " peers whose certificate an authority of the trust store has signed.",
                absent = "none: the bus is not encrypted, and whoever reaches its port can send to any address")
        Optional<Path> keyStore();

        /** The trusted authorities. */
        @Setting(value = "PKCS #12 file with the certificates of the trusted authorities.", absent = "none")
        Optional<Path> trustStore();

        /** The password. */
        @Setting(value = "Password of both files.", secret = true, absent = "none")
        Optional<String> password();
    }

    /** Section {@code cluster.heartbeat}. */
    interface Heartbeat {
        /** The pace. */
        @Setting(value = "Pace of the members' heartbeats, in whole seconds.", min = "1s", max = "1m")
        @WithDefault("1s")
        Duration interval();

        /** The silence that counts as a loss. */
        @Setting(
                value = "Silence after which a member counts as lost, in whole seconds; at least three intervals.",
                min = "3s",
                max = "10m")
        @WithDefault("10s")
        Duration limit();
    }

    /** Section {@code http}. */
    interface Http {
        /** The interface. */
        @Setting(
                value = "Address of the interface that the HTTP server listens on.",
                pattern = "[^\\s/]+",
                patternRule = "a host name or an address")
        @WithDefault("127.0.0.1")
        String host();

        /** The port. */
        @Setting(value = "Port of the HTTP server; 0 takes any free one.", min = "0", max = "65535")
        @WithDefault("8080")
        int port();

        /** The largest body. */
        @Setting(value = "Largest body of a request.", min = "1KiB", max = "64MiB")
        @WithDefault("1MiB")
        ByteSize maxBody();

        /** Event streams. */
        @Setting(
                value = "Most event streams that are open at one time; a request for one more is answered with 503.",
                min = "1",
                max = "1000000")
        @WithDefault("1000")
        int eventStreams();

        /** Event streams of one client. */
        @Setting(
                value =
                        "Most event streams that are open at one time from one client address, which all clients behind a"
                                + " proxy share; a request for one more is answered with 429.",
                min = "1",
                max = "1000000")
        @WithDefault("100")
        int eventStreamsPerClient();
    }

    /** Kinds of store. */
    enum StoreKind {
        /** One file, shared by the processes of one machine. */
        SQLITE,
        /** In memory: gone with the process, and shared by nobody. */
        MEMORY
    }

    /** Section {@code store}. */
    interface Store {
        /** The kind. */
        @Setting("Where nodes are kept: sqlite in files, memory until the process ends.")
        @WithDefault("sqlite")
        StoreKind kind();

        /** The directory, if set. */
        @Setting(
                value = "Directory of the store's files; the nodes of one machine share it.",
                absent = "the directory store in data")
        Optional<Path> dir();
    }

    /** Section {@code hub}. */
    interface Hub {
        /** When an activation is passivated. */
        @Setting(value = "Ends an activation after so long without a message.", min = "1s", max = "30d")
        @WithDefault("5m")
        Duration idleTimeout();

        /** Messages that wait at a started hub. */
        @Setting(
                value = "Most messages that wait at a hub; the next one is refused as Overloaded.",
                min = "1",
                max = "1000000")
        @WithDefault("1024")
        int mailbox();

        /** Messages that wait for a start. */
        @Setting(value = "Most messages that wait for the start of a hub.", min = "1", max = "1000000")
        @WithDefault("512")
        int startQueue();

        /** For what is under way. */
        @Setting(
                value = "How long a disposal waits for handlers that run and for requests of the hub itself.",
                min = "10ms",
                max = "10m")
        @WithDefault("2s")
        Duration quiesce();

        /** Until a disposal is forced. */
        @Setting(
                value = "After how long a disposal is forced; above hub.quiesce, and at most 15 times ride-out.pace."
                        + " The bounds of hosted hubs are derived from it.",
                min = "20ms",
                max = "15m")
        @WithDefault("7500ms")
        Duration disposalWatchdog();

        /** The most of one keep-alive. */
        @Setting(value = "Longest time for which a hub can keep itself awake with one call.", min = "1s", max = "30d")
        @WithDefault("1h")
        Duration keepAliveCap();

        /** Whether addresses can be parked. */
        @Setting("Whether 'meshhub recycle --park' may hold an address of this node at DEAD; for tests and demos only.")
        @WithDefault("false")
        boolean allowPark();

        /** When a loop counts as blocked. */
        @Setting(
                value = "A hub whose code blocks its thread for so long is refused as dead and reported; below"
                        + " hub.disposal-watchdog.",
                min = "100ms",
                max = "15m")
        @WithDefault("5s")
        Duration blockedAfter();

        /** Floods of one kind of message. */
        StormGuard stormGuard();
    }

    /** Section {@code ride-out}. */
    interface RideOut {
        /** The pace. */
        @Setting(
                value = "Rest between two asks of an address that shuts down, after the first, which comes at once.",
                min = "10ms",
                max = "1m")
        @WithDefault("500ms")
        Duration pace();
    }

    /** Section {@code sync}. */
    interface Sync {
        /** The pace of beats. */
        @Setting(
                value =
                        "How often a process and a node tell each other which streams are alive. An owner forgets who is"
                                + " silent for three of its own intervals.",
                min = "100ms",
                max = "10m")
        @WithDefault("45s")
        Duration beatInterval();

        /** For streams that nobody watches. */
        @Setting(
                value = "How long a stream that nobody in the process watches any more is kept for the next who does.",
                min = "0s",
                max = "1h")
        @WithDefault("5s")
        Duration idleRelease();

        /** Streams that look for their owners. */
        @Setting(
                value = "Most streams of a process that look for their owners again at one time.",
                min = "1",
                max = "100000")
        @WithDefault("256")
        int resubscribesInFlight();
    }

    /** Section {@code hub.storm-guard}. */
    interface StormGuard {
        /** The limit. */
        @Setting(
                value =
                        "Most messages of one type to one address in a second; more are refused as Overloaded until they"
                                + " become fewer. 0 switches it off.",
                min = "0",
                max = "1000000000")
        @WithDefault("200000")
        int perSecond();
    }

    /** Section {@code query}. */
    interface Query {
        /** Nodes of a file. */
        @Setting(
                value =
                        "File of nodes that queries find beside those of the store, one JSON object of path, nodeType, name"
                                + " and content a line. Read at the start; alike on all nodes.",
                absent = "none")
        Optional<Path> staticNodes();
    }

    /** Section {@code routing}. */
    interface Routing {
        /** Messages in flight to one node. */
        @Setting(
                value =
                        "Most messages that wait for an answer of one other node, and, counted apart, notifications that"
                                + " wait to be written to it.",
                min = "1",
                max = "4000000")
        @WithDefault("65536")
        int inFlight();

        /** Bytes among them. */
        @Setting(value = "Most bytes of bodies among each of the two.", min = "4MiB", max = "128GiB")
        @WithDefault("64MiB")
        ByteSize inFlightBytes();

        /** Messages that wait for the owner of their shard. */
        @Setting(value = "Most messages that wait for the owner or the row of their shard.", min = "1", max = "4000000")
        @WithDefault("65536")
        int held();

        /** Bytes among them. */
        @Setting(value = "Most bytes of bodies among them.", min = "4MiB", max = "128GiB")
        @WithDefault("64MiB")
        ByteSize heldBytes();

        /** Messages of the node that wait for one loop. */
        @Setting(
                value = "Most messages of the node's own that wait for their turn on one hub loop.",
                min = "1",
                max = "4000000")
        @WithDefault("65536")
        int loopQueue();

        /** Bytes among them. */
        @Setting(value = "Most bytes of bodies among them.", min = "4MiB", max = "128GiB")
        @WithDefault("64MiB")
        ByteSize loopQueueBytes();
    }

    /** Section {@code budget}. */
    interface Budget {
        /** The outermost budget. */
        @Setting(
                value = "Budget of an operation from the edge; every inner budget is derived from it.",
                min = "100ms",
                max = "10m")
        @WithDefault("30s")
        Duration operationTimeout();
    }

    /** Section {@code shutdown}. */
    interface Shutdown {
        /** The bound of the drain. */
        @Setting(
                value =
                        "How long a node that was told to end hands over and disposes before it is cut; above hub.quiesce"
                                + " and hub.disposal-watchdog and 2s.",
                max = "1h")
        @WithDefault("30s")
        Duration drain();
    }
}
