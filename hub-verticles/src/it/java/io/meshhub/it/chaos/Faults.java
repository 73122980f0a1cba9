package io.meshhub.it.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Makes the faults of a schedule in their time, and starts again what has ended. */
public final class Faults {

    private static final long STUTTER_MS = 150;
    private static final int FREEZES = 50;

    // It has ended; what it printed is read to its end.
    private static final Duration EXIT = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final Consumer<String> say;
    private final PriorityQueue<Action> actions =
            new PriorityQueue<>(Comparator.comparingLong(Action::at).thenComparingLong(Action::order));
    private final List<Span> spans = new ArrayList<>();
    private final List<Span> freezes = new ArrayList<>();
    private final Map<String, Long> killed = new HashMap<>();
    private final Map<Managed, Long> frozenSince = new HashMap<>();
    private final Map<Managed, Down> down = new HashMap<>();
    private long origin;
    private long order;
    private final List<End> ends = new ArrayList<>();

    private record Action(long at, long order, Runnable what) {}

    /** A node that is not up, or not yet again. */
    private static final class Down {
        final long since;
        final String what;
        long startAt;
        boolean started;
        boolean failed;
        long startedAt;

        Down(long since, String what, long startAt) {
            this.since = since;
            this.what = what;
            this.startAt = startAt;
        }
    }

    /** What is made is told to people. */
    public Faults(Cluster cluster, Consumer<String> say) {
        this.cluster = cluster;
        this.say = say;
    }

    /** When which node was not itself, by its name or by that of its process. */
    public List<Span> spans() {
        return spans;
    }

    List<Span> freezes() {
        return freezes;
    }

    Map<String, Long> killed() {
        return killed;
    }

    List<End> ends() {
        return ends;
    }

    /** How often a node ended, or did not start, by itself. */
    public int unexpectedEnds() {
        return ends.size();
    }

    /** Makes all of them; returns when the last one is over and the time has passed. */
    public void run(List<Fault> faults, long durationMs) {
        origin = System.nanoTime();
        faults.forEach(this::plan);
        while (sinceOrigin() < durationMs || !actions.isEmpty()) {
            while (!actions.isEmpty() && actions.element().at() <= sinceOrigin()) {
                actions.remove().what().run();
            }
            supervise();
            Cluster.rest();
        }
    }

    /** Waits until every node is up again. */
    public void heal() {
        cluster.await(Cluster.START, "all nodes are up again", () -> {
            supervise();
            return down.isEmpty() && cluster.nodes().stream().allMatch(Managed::isUp);
        });
    }

    private long sinceOrigin() {
        return (System.nanoTime() - origin) / 1_000_000;
    }

    private void at(long at, Runnable what) {
        actions.add(new Action(at, order++, what));
    }

    private void plan(Fault fault) {
        Managed node = cluster.node(fault.node());
        switch (fault.kind()) {
            case KILL -> at(fault.at(), () -> kill(node, fault));
            case RESTART -> at(fault.at(), () -> stop(node, fault));
            case FREEZE, LONG_FREEZE -> {
                at(fault.at(), () -> {
                    freeze(node, fault.kind() + " for " + fault.lasts() + " ms");
                    if (fault.kind() == Fault.Kind.LONG_FREEZE) {
                        letGoOfTheStore(node);
                    }
                });
                at(fault.end(), () -> thaw(node));
            }
            case STUTTER -> {
                at(fault.at(), () -> tell("STUTTER " + node.name + " for " + fault.lasts() + " ms"));
                for (long at = fault.at(); at < fault.end(); at += 2 * STUTTER_MS) {
                    at(at, () -> freeze(node, ""));
                    at(at + STUTTER_MS, () -> thaw(node));
                }
            }
            case CUT_NODE -> cut(fault, othersOf(fault));
            case CUT_LINK -> cut(fault, List.of(cluster.node(fault.other()).name));
        }
    }

    private List<String> othersOf(Fault fault) {
        List<String> others = new ArrayList<>();
        for (Managed other : cluster.nodes()) {
            if (other != cluster.node(fault.node())) {
                others.add(other.name);
            }
        }
        if (cluster.hasCaller() && !fault.withCaller()) {
            others.add(Cluster.CALLER);
        }
        return others;
    }

    private void tell(String what) {
        say.accept(String.format("%7.1f s  %s", sinceOrigin() / 1000.0, what));
    }

    private void cut(Fault fault, List<String> others) {
        String node = cluster.node(fault.node()).name;
        at(fault.at(), () -> {
            tell(fault.kind() + " " + node + " from " + others + " for " + fault.lasts() + " ms");
            others.forEach(other -> cluster.wiring().cut(node, other));
            // Where the caller is cut off with the node, it cannot reach the others.
            if (isCallerCutOff(fault)) {
                others.forEach(other -> cluster.wiring().cut(Cluster.CALLER, other));
            }
        });
        at(fault.end(), () -> {
            others.forEach(other -> cluster.wiring().heal(node, other));
            if (isCallerCutOff(fault)) {
                others.forEach(other -> cluster.wiring().heal(Cluster.CALLER, other));
            }
            spans.add(new Span(node, fault.kind().name(), origin + fault.at() * 1_000_000, System.nanoTime()));
            tell("  healed " + node);
        });
    }

    private boolean isCallerCutOff(Fault fault) {
        return cluster.hasCaller() && fault.kind() == Fault.Kind.CUT_NODE && fault.withCaller();
    }

    private void kill(Managed node, Fault fault) {
        if (!node.isAlive()) {
            tell("KILL " + node.name + " passes: it is down");
            return;
        }
        tell("KILL " + node.name + ", down for " + fault.lasts() + " ms");
        thawedForGood(node);
        killed.put(node.process(), System.nanoTime());
        isDown(node, "KILL", fault.end());
        node.jvm().kill();
    }

    private void stop(Managed node, Fault fault) {
        if (!node.isUp() || node.isFrozen() || down.containsKey(node)) {
            tell("RESTART " + node.name + " passes: it is not up");
            return;
        }
        tell("RESTART " + node.name);
        killed.put(node.process(), System.nanoTime());
        isDown(node, "RESTART", fault.end());
        node.jvm().say("stop now");
    }

    private void isDown(Managed node, String what, long startAt) {
        Down before = down.get(node);
        // A node that is killed while it starts is down since it was first.
        down.put(node, new Down(before == null ? System.nanoTime() : before.since, what, startAt));
    }

    private void freeze(Managed node, String what) {
        if (!node.isAlive() || node.isFrozen()) {
            return;
        }
        if (!what.isEmpty()) {
            tell(what + ": " + node.name);
        }
        frozenSince.put(node, System.nanoTime());
        node.freeze();
    }

    /*
     * One that stands still in the middle of a commit keeps the others from writing to the store that they share: then it
     * is no matter who owns what. A shorter freeze may well do so.
     */
    private void letGoOfTheStore(Managed node) {
        for (int i = 0; i < FREEZES; i++) {
            Cluster.rest();
            if (!node.isFrozen() || !cluster.holdsTheStore(node)) {
                return;
            }
            tell("  " + node.name + " holds the store, and goes on for a moment");
            node.thaw();
            Cluster.rest();
            frozenSince.put(node, System.nanoTime());
            node.freeze();
        }
    }

    private void thaw(Managed node) {
        if (node.isFrozen() && node.isAlive()) {
            node.thaw();
            thawedForGood(node);
        }
    }

    private void thawedForGood(Managed node) {
        Long since = frozenSince.remove(node);
        if (since != null) {
            Span span = new Span(node.process(), "frozen", since, System.nanoTime());
            freezes.add(span);
            spans.add(span);
        }
    }

    /** Does what a supervisor does: a node that has ended is started again. */
    private void supervise() {
        for (Managed node : cluster.nodes()) {
            Down off = down.get(node);
            if (off == null && !node.isAlive()) {
                ended(node, System.nanoTime(), true);
                tell("  " + node.name + " ended by itself and is started again");
                killed.put(node.process(), System.nanoTime());
                off = new Down(System.nanoTime(), "ended by itself", sinceOrigin());
                down.put(node, off);
            }
            if (off != null) {
                bringUp(node, off);
            }
        }
    }

    private void bringUp(Managed node, Down off) {
        if (!off.started) {
            if (!node.isAlive() && sinceOrigin() >= off.startAt) {
                if (off.what.equals(Fault.Kind.RESTART.name()) && node.jvm().awaitExit(EXIT) != 0 && !off.failed) {
                    ended(node, System.nanoTime(), true);
                }
                off.started = true;
                off.startedAt = System.nanoTime();
                cluster.start(node);
            }
        } else if (node.isUp()) {
            down.remove(node);
            long now = System.nanoTime();
            spans.add(new Span(node.name, off.what, off.since, now));
            node.jvm().say("load now");
            tell("  " + node.name + " is up again after " + (now - off.since) / 1_000_000 + " ms");
        } else if (!node.isAlive()) {
            ended(node, off.startedAt, node.wasUp());
            off.failed = true;
            tell("  " + node.name + " did not start and is started again: " + lastLine(node));
            off.started = false;
            off.startAt = sinceOrigin() + 500;
        }
    }

    private void ended(Managed node, long begun, boolean wasUp) {
        int exit = node.jvm().awaitExit(EXIT);
        ends.add(new End(node.process(), begun, System.nanoTime(), exit, wasUp, lastLine(node)));
    }

    private static String lastLine(Managed node) {
        List<String> lines = node.jvm().lines();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
}
