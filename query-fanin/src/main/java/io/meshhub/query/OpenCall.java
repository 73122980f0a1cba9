package io.meshhub.query;

import io.meshhub.query.QueryProvider.Opened;
import io.meshhub.query.gate.GateEvent;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One ask of one provider: brings what it tells, from whatever thread, into the turns of its run. */
final class OpenCall implements ProviderCall {

    private static final Logger LOG = LoggerFactory.getLogger(QueryFanIn.class);

    /** How many rows above twice what was wanted a first result may have. */
    private static final int SLACK = 64;

    private final SharedRun run;
    private final Opening opening;
    private final QueryProvider provider;
    private final int ask;
    private final int wanted;
    private final AtomicInteger untaken = new AtomicInteger();
    private final AtomicBoolean saidStarted = new AtomicBoolean();
    private final AtomicBoolean saidFirst = new AtomicBoolean();
    private final AtomicBoolean saidLast = new AtomicBoolean();
    private volatile boolean over;
    private boolean spoken;
    private Opened opened = Opened.NONE;

    OpenCall(SharedRun run, Opening opening, QueryProvider provider, int ask, int wanted) {
        this.run = run;
        this.opening = opening;
        this.provider = provider;
        this.ask = ask;
        this.wanted = wanted;
    }

    /** Asks the provider; in a turn of the run. */
    void open() {
        try {
            if (provider.isElsewhere()) {
                tell(() -> opening.on(new GateEvent.OnItsWay(name(), ask)));
            }
            if (!provider.saysWhenStarted()) {
                started();
            }
            opened = Objects.requireNonNull(provider.open(this), "its open() returned null");
        } catch (Throwable e) {
            // Also an error is a failure of this provider, and no stall.
            spoilt(e);
        }
    }

    /** Nobody listens any more; in a turn of the run. */
    void close() {
        if (over) {
            return;
        }
        over = true;
        try {
            opened.cancel();
        } catch (Throwable e) {
            LOG.warn("Query provider '{}' failed to end a call: {}", provider.name(), e.toString());
        }
    }

    /** The provider ended it by itself; in a turn of the run. */
    void end() {
        over = true;
    }

    /** It gives its first result, which it does once; in a turn of the run. */
    boolean speak() {
        boolean first = !spoken;
        spoken = true;
        return first;
    }

    boolean hasSpoken() {
        return spoken;
    }

    Opening opening() {
        return opening;
    }

    QueryProvider provider() {
        return provider;
    }

    String name() {
        return provider.name();
    }

    int ask() {
        return ask;
    }

    @Override
    public Query query() {
        return run.query();
    }

    @Override
    public Optional<String> principal() {
        return Optional.ofNullable(run.key().principal());
    }

    @Override
    public int wanted() {
        return wanted;
    }

    @Override
    public Duration remaining() {
        return opening.remaining();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void reached() {
        tell(() -> opening.on(new GateEvent.Reached(name(), ask)));
    }

    @Override
    public void started() {
        if (saidStarted.compareAndSet(false, true)) {
            tell(() -> opening.on(new GateEvent.Started(name(), ask, run.now())));
        }
    }

    @Override
    public void first(List<QueryNode> nodes, boolean cut) {
        if (!saidFirst.compareAndSet(false, true)) {
            run.ignored(this);
            return;
        }
        List<QueryNode> copy;
        try {
            int most = 2 * wanted + SLACK;
            if (nodes.size() > most) {
                throw new IllegalArgumentException(
                        "it told " + nodes.size() + " nodes at first, and " + wanted + " were wanted");
            }
            copy = List.copyOf(nodes);
        } catch (Throwable e) {
            spoilt(e);
            return;
        }
        tell(() -> run.first(this, copy, cut));
    }

    @Override
    public void added(QueryNode node) {
        tellChange(node, () -> run.changed(this, node));
    }

    @Override
    public void updated(QueryNode node) {
        tellChange(node, () -> run.changed(this, node));
    }

    @Override
    public void removed(MeshAddress path) {
        tellChange(path, () -> run.removed(this, path));
    }

    @Override
    public void reset() {
        tellLast(() -> run.reset(this));
    }

    @Override
    public void complete() {
        tellLast(() -> run.completed(this));
    }

    @Override
    public void fail(Throwable cause) {
        tellLast(() -> run.failed(this, cause));
    }

    // The provider does not know that it has failed, and would go on for ever.
    private void spoilt(Throwable cause) {
        tellLast(() -> {
            close();
            run.failed(this, cause);
        });
    }

    // Each of these ends the call: one turn is enough, whatever is said after it.
    private void tellLast(Runnable turn) {
        if (saidLast.compareAndSet(false, true)) {
            tell(turn);
        } else {
            run.ignored(this);
        }
    }

    // One that tells more than can be taken is opened again: only what it told is lost, and that is known.
    private void tellChange(@Nullable Object what, Runnable turn) {
        if (what == null) {
            spoilt(new NullPointerException("it told null for a node"));
            return;
        }
        if (saidLast.get()) {
            run.ignored(this);
            return;
        }
        int bound = run.options().mostUntaken();
        int waiting = untaken.incrementAndGet();
        if (waiting <= bound) {
            tell(() -> {
                untaken.decrementAndGet();
                turn.run();
            });
        } else if (waiting == bound + 1) {
            reset();
        }
    }

    private void tell(Runnable turn) {
        if (over) {
            run.ignored(this);
            return;
        }
        run.turn(() -> {
            if (over) {
                run.ignored(this);
            } else {
                turn.run();
            }
        });
    }
}
