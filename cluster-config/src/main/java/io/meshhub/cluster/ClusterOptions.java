package io.meshhub.cluster;

import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.BudgetLadder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a process joins the cluster, and the bounds of what it does there; immutable and valid once made.
 *
 * @param clusterName nodes of other cluster names never meet; not blank
 * @param nodeName the node's name, stable over restarts and unique in the cluster; not blank
 * @param join how the first peers are found
 * @param seeds with {@link Join#TCP} the peers to ask, each {@code host} or {@code host:port}; at least one then
 * @param kubernetesService with {@link Join#KUBERNETES} the DNS name of the headless service; empty otherwise
 * @param lite whether the process only calls: it keeps no part of the cluster's data and owns no shard
 * @param hazelcastHost the address to which the member binds and by which others reach it
 * @param hazelcastPort the first port to try
 * @param hazelcastPorts how many ports are tried from there; at least 1
 * @param busHost the address to which the event bus binds and by which others reach it
 * @param busPort the port of the event bus; 0 takes any free one
 * @param busTls how the event bus is encrypted and its peers are known; empty: neither
 * @param heartbeatInterval the pace of the members' heartbeats, whole seconds
 * @param heartbeatLimit after this much silence a member is removed, whole seconds; at least 3 intervals
 * @param rowReread the pace at which all shard rows and node rows are read again, since events are best effort
 * @param quietPeriod how long the members must stay the same before shards are moved
 * @param handOverBatch the most shards of a role that move at a time
 * @param operationTimeout the bound of one cluster operation, and of a wait for a shard to be served
 * @param upTimeout how long a joining node tries to reach all its peers before it gives up
 * @param handOverBound how long ending the activations of a shard that is given away may take; its owner is expelled when
 *     the shard was not given away {@link #EXPEL_AFTER} later
 * @param quorum who must hear a node so that it may serve
 */
public record ClusterOptions(
        String clusterName,
        String nodeName,
        Join join,
        List<String> seeds,
        String kubernetesService,
        boolean lite,
        String hazelcastHost,
        int hazelcastPort,
        int hazelcastPorts,
        String busHost,
        int busPort,
        Optional<BusTls> busTls,
        Duration heartbeatInterval,
        Duration heartbeatLimit,
        Duration rowReread,
        Duration quietPeriod,
        int handOverBatch,
        Duration operationTimeout,
        Duration upTimeout,
        Duration handOverBound,
        Quorum quorum) {

    /** The cluster's name where nothing is set: {@value}. */
    public static final String DEFAULT_CLUSTER_NAME = "meshhub";

    /** How peers are found where nothing is set: not at all. */
    public static final Join DEFAULT_JOIN = Join.NONE;

    /** Where Hazelcast and the event bus bind where nothing is set: {@value}, reachable from this machine only. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    /** The first Hazelcast port where nothing is set: {@value}. */
    public static final int DEFAULT_HAZELCAST_PORT = 5701;

    /** How many Hazelcast ports are tried where nothing is set: {@value}, so that a few nodes fit on one machine. */
    public static final int DEFAULT_HAZELCAST_PORTS = 8;

    /** The event bus's port where nothing is set: any free one. */
    public static final int DEFAULT_BUS_PORT = 0;

    /** The pace of heartbeats where nothing is set: 1 s. */
    public static final Duration DEFAULT_HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    /** The silence after which a member is removed where nothing is set: 10 s. */
    public static final Duration DEFAULT_HEARTBEAT_LIMIT = Duration.ofSeconds(10);

    /** The pace of the re-read where nothing is set: 5 s. */
    public static final Duration DEFAULT_ROW_REREAD = Duration.ofSeconds(5);

    /**
     * The quiet period where nothing is set: 5 s. A process that has just begun is slow and slows what runs beside it; what
     * is given to it in its first second is away twice as long.
     */
    public static final Duration DEFAULT_QUIET_PERIOD = Duration.ofSeconds(5);

    /** The most shards of a role that move at a time where nothing is set: {@value}. */
    public static final int DEFAULT_HAND_OVER_BATCH = 16;

    /** The bound of a cluster operation where nothing is set: 10 s. */
    public static final Duration DEFAULT_OPERATION_TIMEOUT = Duration.ofSeconds(10);

    /** The bound of becoming UP where nothing is set: 30 s. */
    public static final Duration DEFAULT_UP_TIMEOUT = Duration.ofSeconds(30);

    /** The bound of a hand-over where nothing is set: 9.5 s, a disposal and its watchdog. */
    public static final Duration DEFAULT_HAND_OVER_BOUND = Duration.ofMillis(9500);

    /** How long after that bound an owner that still has not given a shard away is expelled: 2 s. */
    public static final Duration EXPEL_AFTER = Duration.ofSeconds(2);

    private static final int MIN_INTERVALS = 3;
    private static final int MAX_PORT = 65_535;

    /** How the first peers are found. Never by multicast. */
    public enum Join {
        /** Not at all: the node stays alone until another one asks it. */
        NONE,
        /** By a list of seeds. */
        TCP,
        /** By the DNS name of a headless Kubernetes service. */
        KUBERNETES
    }

    public ClusterOptions {
        requireText("clusterName", clusterName);
        requireText("nodeName", nodeName);
        requireText("hazelcastHost", hazelcastHost);
        requireText("busHost", busHost);
        seeds = List.copyOf(seeds);
        seeds.forEach(seed -> fault(seed).ifPresent(fault -> {
            throw new IllegalArgumentException("seed = '" + seed + "' " + fault);
        }));
        require(join != Join.TCP || !seeds.isEmpty(), "seeds must name at least one peer when join = TCP");
        require(
                join != Join.KUBERNETES || !kubernetesService.isBlank(),
                "kubernetesService must be set when join = KUBERNETES");
        requireRange("hazelcastPort", hazelcastPort, 1, MAX_PORT);
        requireRange("hazelcastPorts", hazelcastPorts, 1, MAX_PORT + 1 - hazelcastPort);
        requireRange("busPort", busPort, 0, MAX_PORT);
        requireSeconds("heartbeatInterval", heartbeatInterval);
        requireSeconds("heartbeatLimit", heartbeatLimit);
        require(
                heartbeatLimit.compareTo(heartbeatInterval.multipliedBy(MIN_INTERVALS)) >= 0,
                "heartbeatLimit = " + heartbeatLimit + " must be >= " + MIN_INTERVALS + " x heartbeatInterval ("
                        + heartbeatInterval + ")");
        requirePositive("rowReread", rowReread);
        requirePositive("quietPeriod", quietPeriod);
        requirePositive("operationTimeout", operationTimeout);
        requirePositive("upTimeout", upTimeout);
        requireRange("handOverBatch", handOverBatch, 1, Integer.MAX_VALUE);
        requirePositive("handOverBound", handOverBound);
    }

    /** What is wrong with that seed, as the end of a sentence; empty when nothing is. */
    static Optional<String> fault(String seed) {
        int colon = seed.lastIndexOf(':');
        String host = colon < 0 || seed.endsWith("]") ? seed : seed.substring(0, colon);
        if (host.isBlank()) {
            return Optional.of("must be host or host:port");
        }
        if (host.length() == seed.length()) {
            return Optional.empty();
        }
        String port = seed.substring(colon + 1);
        boolean number = !port.isEmpty() && port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || Integer.parseInt(port) < 1 || Integer.parseInt(port) > MAX_PORT) {
            return Optional.of("must end with a port between 1 and " + MAX_PORT);
        }
        return Optional.empty();
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    private static void requireText(String name, String value) {
        require(!value.isBlank(), name + " must not be blank");
    }

    private static void requireRange(String name, int value, int least, int most) {
        require(
                value >= least && value <= most,
                name + " = " + value + " must be "
                        + (most == Integer.MAX_VALUE ? ">= " + least : "between " + least + " and " + most));
    }

    private static void requirePositive(String name, Duration value) {
        require(!value.isNegative() && !value.isZero(), name + " = " + value + " must be > 0");
    }

    private static void requireSeconds(String name, Duration value) {
        requirePositive(name, value);
        require(value.equals(Duration.ofSeconds(value.toSeconds())), name + " = " + value + " must be whole seconds");
    }

    /** After how long an owner that has not given a shard away is expelled. */
    Duration handOverLimit() {
        return handOverBound.plus(EXPEL_AFTER);
    }

    /** The bound of one call of the cluster inside an operation: what is stuck is called again before the operation ends. */
    Duration callTimeout() {
        return BudgetLadder.nest(operationTimeout);
    }

    /** Options of a node of that name, all else as by default. */
    public static ClusterOptions of(String nodeName) {
        return builder(nodeName).build();
    }

    /** Begins with the defaults. */
    public static Builder builder(String nodeName) {
        return new Builder(nodeName);
    }

    /** Collects options; what is not set is as by default. */
    public static final class Builder {
        private final String nodeName;
        private String clusterName = DEFAULT_CLUSTER_NAME;
        private Join join = DEFAULT_JOIN;
        private List<String> seeds = List.of();
        private String kubernetesService = "";
        private boolean lite;
        private String hazelcastHost = DEFAULT_HOST;
        private int hazelcastPort = DEFAULT_HAZELCAST_PORT;
        private int hazelcastPorts = DEFAULT_HAZELCAST_PORTS;
        private String busHost = DEFAULT_HOST;
        private int busPort = DEFAULT_BUS_PORT;
        private Duration heartbeatInterval = DEFAULT_HEARTBEAT_INTERVAL;
        private Duration heartbeatLimit = DEFAULT_HEARTBEAT_LIMIT;
        private Duration rowReread = DEFAULT_ROW_REREAD;
        private Duration quietPeriod = DEFAULT_QUIET_PERIOD;
        private int handOverBatch = DEFAULT_HAND_OVER_BATCH;
        private Duration operationTimeout = DEFAULT_OPERATION_TIMEOUT;
        private Duration upTimeout = DEFAULT_UP_TIMEOUT;
        private Duration handOverBound = DEFAULT_HAND_OVER_BOUND;
        private Quorum quorum = Quorum.NONE;
        private Optional<BusTls> busTls = Optional.empty();

        private Builder(String nodeName) {
            this.nodeName = nodeName;
        }

        /** Sets {@link ClusterOptions#clusterName()}. */
        public Builder clusterName(String value) {
            clusterName = value;
            return this;
        }

        /** Finds peers by these seeds; none: stays alone. */
        public Builder seeds(List<String> value) {
            seeds = List.copyOf(value);
            join = seeds.isEmpty() ? Join.NONE : Join.TCP;
            return this;
        }

        /** Finds peers by this headless service. */
        public Builder kubernetesService(String value) {
            kubernetesService = value;
            join = Join.KUBERNETES;
            return this;
        }

        /** Sets {@link ClusterOptions#lite()}. */
        public Builder lite(boolean value) {
            lite = value;
            return this;
        }

        /** Sets where Hazelcast binds, and how many ports it tries from the first. */
        public Builder hazelcast(String host, int port, int ports) {
            hazelcastHost = host;
            hazelcastPort = port;
            hazelcastPorts = ports;
            return this;
        }

        /** Sets where the event bus binds. */
        public Builder bus(String host, int port) {
            busHost = host;
            busPort = port;
            return this;
        }

        /** Sets the pace of heartbeats, and the silence after which a member is removed. */
        public Builder heartbeat(Duration interval, Duration limit) {
            heartbeatInterval = interval;
            heartbeatLimit = limit;
            return this;
        }

        /** Sets {@link ClusterOptions#rowReread()}. */
        public Builder rowReread(Duration value) {
            rowReread = value;
            return this;
        }

        /** Sets {@link ClusterOptions#quietPeriod()}. */
        public Builder quietPeriod(Duration value) {
            quietPeriod = value;
            return this;
        }

        /** Sets {@link ClusterOptions#handOverBatch()}. */
        public Builder handOverBatch(int value) {
            handOverBatch = value;
            return this;
        }

        /** Sets {@link ClusterOptions#operationTimeout()}. */
        public Builder operationTimeout(Duration value) {
            operationTimeout = value;
            return this;
        }

        /** Sets {@link ClusterOptions#upTimeout()}. */
        public Builder upTimeout(Duration value) {
            upTimeout = value;
            return this;
        }

        /** Sets {@link ClusterOptions#busTls()}. */
        public Builder busTls(BusTls value) {
            busTls = Optional.of(value);
            return this;
        }

        /** Sets {@link ClusterOptions#handOverBound()}. */
        public Builder handOverBound(Duration value) {
            handOverBound = value;
            return this;
        }

        /** Sets {@link ClusterOptions#quorum()}. */
        public Builder quorum(Quorum value) {
            quorum = value;
            return this;
        }

        /**
         * Makes the options.
         *
         * @throws IllegalArgumentException naming the first option that breaks its rule
         */
        public ClusterOptions build() {
            return new ClusterOptions(
                    clusterName,
                    nodeName,
                    join,
                    seeds,
                    kubernetesService,
                    lite,
                    hazelcastHost,
                    hazelcastPort,
                    hazelcastPorts,
                    busHost,
                    busPort,
                    busTls,
                    heartbeatInterval,
                    heartbeatLimit,
                    rowReread,
                    quietPeriod,
                    handOverBatch,
                    operationTimeout,
                    upTimeout,
                    handOverBound,
                    quorum);
        }
    }
}
