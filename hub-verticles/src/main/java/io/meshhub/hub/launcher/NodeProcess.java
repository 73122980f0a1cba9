package io.meshhub.hub.launcher;

import io.meshhub.cluster.JoinRefused;
import io.meshhub.cluster.settings.Settings;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.launcher.client.ExitCodes;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a node's process: start, wait for a signal, drain, end. One thread decides; signals and futures only put
 * events into its queue, which holds a handful in a life.
 *
 * <p>The first signal drains. The second one cuts, and so does the end of the drain's bound and of the tail after it.
 */
final class NodeProcess {

    /** What may follow the drain before the process cuts: 10 s, a second more than the node allows itself. */
    static final Duration TAIL = MeshHub.Builder.TAIL.plusSeconds(1);

    /**
     * How the process ends.
     *
     * @param exitCode its exit code
     * @param cut whether something still runs, so that the JVM must be halted
     */
    record End(int exitCode, boolean cut) {}

    private sealed interface Event {}

    private record Started() implements Event {}

    private record Signalled(String name) implements Event {}

    private record Stopped(Drained drained) implements Event {}

    private record Failed(Throwable cause) implements Event {}

    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

    private final MeshNode node;
    private final Settings<MeshHubSettings> settings;
    private final String name;
    private final PrintWriter err;
    private final Duration tail;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    NodeProcess(MeshNode node, Settings<MeshHubSettings> settings, PrintWriter err, Duration tail) {
        this.node = node;
        this.settings = settings;
        this.name = SettingsRules.nodeName(settings.value());
        this.err = err;
        this.tail = tail;
    }

    /** Tells the process to end; a second time: at once. From any thread. */
    void signal(String signal) {
        events.add(new Signalled(signal));
    }

    /** Runs the node until it ended. */
    End run() throws InterruptedException {
        LOG.info(
                "Node {} starts (pid={}, data={})",
                name,
                ProcessHandle.current().pid(),
                settings.value().data());
        begin(node::start, started -> events.add(new Started()));
        Event first = events.take();
        if (first instanceof Failed failed) {
            return refused(failed.cause());
        }
        if (first instanceof Started) {
            LOG.info("Node {} is up", name);
            // A failure or an end by itself has no place here: only a signal is left to come.
            first = events.take();
        }
        String signal = first instanceof Signalled signalled ? signalled.name() : "request";
        return drain(signal);
    }

    private End drain(String signal) throws InterruptedException {
        Duration bound = settings.value().shutdown().drain();
        LOG.info("Node {} drains after {} (drain_ms={})", name, signal, bound.toMillis());
        long start = System.nanoTime();
        begin(() -> node.stop(bound), drained -> events.add(new Stopped(drained)));
        long deadline = start + bound.plus(tail).toNanos();
        Event event = next(deadline);
        while (event instanceof Started) {
            event = next(deadline);
        }
        long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (event instanceof Stopped stopped && stopped.drained().isWhole()) {
            LOG.info("Node {} ended in good order (elapsed_ms={})", name, elapsed);
            return new End(ExitCodes.OK, false);
        }
        if (event instanceof Stopped stopped) {
            return cut(elapsed, "the drain ended", stopped.drained().cut(), false);
        }
        if (event instanceof Failed failed) {
            LOG.error("Node {} failed to end in good order", name, failed.cause());
            return cut(elapsed, "ending failed with " + failed.cause().getMessage(), node.pending(), true);
        }
        return event instanceof Signalled second
                ? cut(elapsed, "a second signal came (" + second.name() + ")", node.pending(), true)
                : cut(elapsed, "the bound of " + bound.plus(tail).toMillis() + " ms passed", node.pending(), true);
    }

    private End cut(long elapsedMs, String why, List<String> what, boolean running) {
        String named = what.isEmpty() ? "what was cut is not known" : "cut: " + String.join(", ", what);
        line("Node " + name + " was cut after " + elapsedMs + " ms, since " + why + "; " + named);
        return new End(ExitCodes.FAILED, running);
    }

    private End refused(Throwable cause) throws InterruptedException {
        begin(() -> node.stop(Duration.ZERO), drained -> events.add(new Stopped(drained)));
        Event event = next(System.nanoTime() + tail.toNanos());
        boolean running = !(event instanceof Stopped);
        // Asked after the node has let go of its own ports: what is still taken is taken by another process.
        line(reason(cause));
        return new End(ExitCodes.FAILED, running);
    }

    private String reason(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof StartRefused || at instanceof JoinRefused) {
                return String.valueOf(at.getMessage());
            }
            if (at instanceof BindException) {
                return PortCheck.taken(settings).orElse("A port of node " + name + " is in use: " + at.getMessage());
            }
        }
        LOG.error("Node {} did not start", name, cause);
        return "Node " + name + " did not start: " + cause;
    }

    private void line(String text) {
        err.println("meshhub: " + text);
        err.flush();
    }

    private <T> void begin(Supplier<Future<T>> action, Consumer<T> then) {
        try {
            action.get().onSuccess(then::accept).onFailure(cause -> events.add(new Failed(cause)));
        } catch (RuntimeException e) {
            events.add(new Failed(e));
        }
    }

    private @Nullable Event next(long deadline) throws InterruptedException {
        return events.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
}
