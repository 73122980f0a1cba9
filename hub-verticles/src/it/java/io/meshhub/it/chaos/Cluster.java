package io.meshhub.it.chaos;

import io.meshhub.it.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The processes of a run: some nodes, and mostly one that only calls. */
public final class Cluster implements AutoCloseable {

    static final Duration START = Duration.ofSeconds(90);
    static final String CALLER = "caller";

    private static final Duration PACE = Duration.ofMillis(50);

    private final ChaosOptions options;
    private final Class<?> main;
    private final boolean withCaller;
    private final String name = "chaos-" + UUID.randomUUID();
    private final List<Managed> nodes;
    private final Managed caller = new Managed(CALLER);
    private final Wiring wiring;
    private int starts;
    private int commands;

    Cluster(ChaosOptions options) {
        this(options, ChaosProcess.class, true);
    }

    private Cluster(ChaosOptions options, Class<?> main, boolean withCaller) {
        this.options = options;
        this.main = main;
        this.withCaller = withCaller;
        this.nodes = IntStream.range(0, options.nodes())
                .mapToObj(i -> new Managed(Character.toString('a' + i)))
                .toList();
        List<String> processes = new ArrayList<>(names());
        if (withCaller) {
            processes.add(CALLER);
        }
        boolean cuts = withCaller || options.faults().stream().anyMatch(Fault.Kind::isCut);
        this.wiring = cuts ? Wiring.choose(processes) : new Wiring.Loopback(processes);
    }

    /**
     * Nodes of another kind, and nobody who only calls.
     *
     * @param main takes the {@link ChildSettings} as its argument, and obeys commands as {@link ChaosProcess} does
     */
    public static Cluster of(ChaosOptions options, Class<?> main) {
        return new Cluster(options, main, false);
    }

    boolean hasCaller() {
        return withCaller;
    }

    private List<String> names() {
        return nodes.stream().map(node -> node.name).toList();
    }

    Wiring wiring() {
        return wiring;
    }

    /** The nodes. */
    public List<Managed> nodes() {
        return nodes;
    }

    Managed node(int index) {
        return nodes.get(index);
    }

    Managed caller() {
        return caller;
    }

    /** The nodes and the caller. */
    public List<Managed> all() {
        List<Managed> all = new ArrayList<>(nodes);
        if (withCaller) {
            all.add(caller);
        }
        return all;
    }

    /** Whether this machine allows links to be cut; only a cluster whose options name such a fault tries. */
    public boolean canCut() {
        return wiring.canCut();
    }

    /** Cuts a node off from all others, without a word to anybody. */
    public void cutOff(Managed node) {
        othersOf(node).forEach(other -> wiring.cut(node.name, other.name));
    }

    /** Lets a node that was cut off reach the others again. */
    public void heal(Managed node) {
        othersOf(node).forEach(other -> wiring.heal(node.name, other.name));
    }

    private List<Managed> othersOf(Managed node) {
        return all().stream().filter(other -> other != node).toList();
    }

    /** Starts a process; it need not be up when this returns. */
    public void start(Managed process) {
        int start = starts++;
        boolean lite = process == caller;
        ChildSettings settings = new ChildSettings(
                process.name,
                start,
                name,
                wiring.host(process.name),
                wiring.port(process.name),
                nodes.stream()
                        .map(node -> wiring.host(node.name) + ":" + wiring.port(node.name))
                        .toList(),
                lite,
                options.directory().toString(),
                options.seed(),
                options.load().addresses(),
                lite ? options.load().workers() : options.load().nodeWorkers(),
                options.load().deadlinesMs(),
                options.load().recyclesPerMille(),
                lite ? 0 : options.load().holders(),
                options.quorum(),
                names(),
                options.mode(),
                (int) options.lease().toSeconds(),
                (int) options.heartbeatLimit().toSeconds(),
                options.plant() == Plant.NONE ? "" : options.plant().name());
        List<String> command = new ArrayList<>(wiring.prefix(process.name));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ChildJvm.FLAGS);
        // A process of a run lives too short for the second compiler to pay, and says what a node of the product says.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=logback.xml"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), settings.toJson()));
        process.started(ChildJvm.start(settings.process(), command, Map.of()), start);
    }

    /** Starts all, the first node before the others, and waits until they are up. */
    public void startAll() {
        start(nodes.get(0));
        await(START, "the first node is up", nodes.get(0)::isUp);
        nodes.stream().skip(1).forEach(this::start);
        await(START, "all nodes are up", () -> nodes.stream().allMatch(Managed::isUp));
        if (withCaller) {
            start(caller);
            await(START, "the caller is up", caller::isUp);
        }
    }

    /** Tells a process what to do, and waits until it is done. */
    public void command(Managed process, String what, Duration bound) {
        String token = "c" + commands++;
        process.jvm().say(what + " " + token);
        process.jvm().awaitLine("DONE " + token, bound);
    }

    /** Waits until it holds. */
    public void await(Duration bound, String what, BooleanSupplier holds) {
        long end = System.nanoTime() + bound.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + bound.toSeconds() + " s: " + what);
            }
            rest();
        }
    }

    /** Whether a process keeps all others from writing to the store now. */
    boolean holdsTheStore(Managed process) {
        return FileLocks.isHolding(process.jvm().pid(), options.directory().resolve("store"));
    }

    static void rest() {
        LockSupport.parkNanos(PACE.toNanos());
    }

    @Override
    public void close() {
        for (Managed process : all()) {
            if (process.isAlive()) {
                process.jvm().close();
            }
        }
        wiring.close();
    }
}
