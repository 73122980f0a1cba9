package io.meshhub.query;

import io.meshhub.query.Opening.Why;
import io.meshhub.query.gate.Changes;
import io.meshhub.query.gate.GateCommand;
import io.meshhub.query.gate.GateEvent;
import io.meshhub.query.gate.Merge;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One query of one principal, for all who ask it: the calls to its providers, what they told, and who listens.
 *
 * <p>Everything happens in turns on the context of the fan-in, one after the other: what a provider says while it is
 * opened, or a listener does while it is told, comes after what goes on. A turn that fails ends the run, so that nobody
 * waits for one that is broken.
 */
final class SharedRun {

    /** What is shared: the canonical text, and whose grants decide. */
    record Key(String text, @Nullable String principal) {}

    private enum State {
        OPENING,
        LIVE,
        OVER
    }

    private final QueryFanIn fanIn;
    private final Key key;
    private final Query query;
    private final Merge merge;
    private final RunEnds ends;
    private final Turns turns = new Turns(this::broken);
    private final Audience audience;
    private final Map<String, QueryProvider> providers = new TreeMap<>();
    private final Map<String, OpenCall> calls = new HashMap<>();
    private final Reopens reopens;
    private final Map<String, Integer> depths = new HashMap<>();
    private final List<QueryProvider> late = new ArrayList<>();
    private final List<QueryProvider> leaving = new ArrayList<>();
    private final Opening initial;
    private final List<String> goneSinceReset = new ArrayList<>();
    private State state = State.OPENING;
    private boolean resetDue;
    private Pacer.Cancellable flush = Pacer.Cancellable.NONE;

    SharedRun(QueryFanIn fanIn, Key key, Query query, List<QueryProvider> providers) {
        this.fanIn = fanIn;
        this.key = key;
        this.query = query;
        this.merge = new Merge(query, fanIn.options().mostNodes());
        this.ends = new RunEnds(fanIn, query);
        this.audience = new Audience(merge::shown);
        providers.forEach(provider -> this.providers.put(provider.name(), provider));
        this.reopens = new Reopens(this, fanIn.rung(), name -> state == State.LIVE && this.providers.containsKey(name));
        this.initial = new Opening(this, Why.INITIAL, this.providers.keySet(), fanIn.rung());
    }

    /** Does something after what goes on. */
    void turn(Runnable action) {
        fanIn.execute(() -> turns.take(action));
    }

    private void broken(Throwable cause) {
        end(ends.broken(cause, counts(1, 0)));
        ends.logBroken(cause);
    }

    void start() {
        turn(() -> initial.on(new GateEvent.Opened(now())));
    }

    /** Somebody joins. */
    void subscribe(Subscriber subscriber) {
        turn(() -> {
            if (subscriber.hasLeft()) {
                releaseIfIdle();
                return;
            }
            if (state == State.OVER) {
                // It ended while this one was on its way: he begins anew.
                fanIn.subscriberLeft();
                fanIn.enter(subscriber, query);
                return;
            }
            subscriber.joined(this);
            // Before anything that may end the run: whoever is here is told.
            audience.add(subscriber);
            if (state == State.LIVE) {
                fanIn.count("query.replays");
                flush();
            }
            Duration bound = subscriber.bound();
            boolean ownBound = state != State.OPENING || bound.compareTo(initial.remaining()) < 0;
            if (ownBound && audience.isWaiting(subscriber)) {
                subscriber.arm(after(bound, () -> probed(subscriber)));
            }
        });
    }

    // His own time is over, and not that of the run.
    private void probed(Subscriber subscriber) {
        if (!audience.isWaiting(subscriber)) {
            return;
        }
        audience.remove(subscriber);
        List<Stall> stalls = state == State.OPENING ? initial.gate().stalls(now()) : reopens.stalls(subscriber.bound());
        ProviderCounts counts =
                state == State.OPENING ? initial.gate().countsIfStalled() : counts(stalls.size(), stalls.size());
        QueryResult.Stalled end = ends.stalled(stalls, subscriber.bound(), counts);
        subscriber.end(new QueryFrame.Ended(end));
        ends.log(end);
        releaseIfIdle();
    }

    // Tells what had to wait for rows: nothing that is told as the whole is short, or holds what was taken back.
    private void settle() {
        if (state != State.LIVE || !merge.tooShort().isEmpty()) {
            return;
        }
        boolean begins = reopens.isIdle() && audience.isAnyWaiting();
        QueryResult.Failed heavy = resetDue || begins ? ends.tooHeavy(merge.window(), counts(1, 0)) : null;
        if (heavy != null) {
            end(heavy);
            return;
        }
        if (resetDue) {
            resetDue = false;
            List<String> gone = List.copyOf(goneSinceReset);
            goneSinceReset.clear();
            audience.tell(new QueryFrame.Reset(merge.show(), gone));
        }
        if (begins) {
            audience.begin(new QueryFrame.Initial(merge.window(), silent(), counts(0, 0)));
            releaseIfIdle();
        }
    }

    /** A subscriber has left. */
    void left(Subscriber subscriber) {
        turn(() -> {
            if (audience.remove(subscriber)) {
                releaseIfIdle();
            }
        });
    }

    private void releaseIfIdle() {
        if (audience.isEmpty() && state != State.OVER) {
            release();
        }
    }

    /** A provider registered. */
    void joined(QueryProvider provider) {
        turn(() -> {
            if (state == State.OPENING) {
                late.add(provider);
            } else if (state == State.LIVE && providers.putIfAbsent(provider.name(), provider) == null) {
                reopen(provider.name(), Why.JOIN);
            }
        });
    }

    /** A provider is registered no more, or was lost. */
    void gone(QueryProvider provider) {
        turn(() -> {
            late.remove(provider);
            if (state == State.OVER || !providers.containsValue(provider)) {
                return;
            }
            OpenCall call = calls.get(provider.name());
            if (state == State.LIVE) {
                forget(provider);
                return;
            }
            if (call != null && !call.hasSpoken()) {
                Throwable cause = ends.left(provider.name());
                initial.on(new GateEvent.Failed(provider.name(), call.ask(), cause, false, now()));
            }
            if (state == State.OPENING) {
                leaving.add(provider);
            }
        });
    }

    private void forget(QueryProvider provider) {
        String name = provider.name();
        if (!providers.remove(name, provider)) {
            return;
        }
        drop(name);
        depths.remove(name);
        merge.gone(name);
        resetDue = true;
        goneSinceReset.add(name);
        flush();
    }

    // All that goes on with the provider.
    private void drop(String name) {
        reopens.drop(name);
        OpenCall call = calls.remove(name);
        if (call != null) {
            call.close();
        }
    }

    /** Asks the provider, for an opening. */
    void open(Opening opening, String name, int ask) {
        QueryProvider provider = providers.get(name);
        if (provider == null || state == State.OVER) {
            return;
        }
        if (leaving.contains(provider)) {
            turn(() -> opening.on(new GateEvent.Failed(name, ask, ends.left(name), false, now())));
            return;
        }
        reopens.opened(name);
        OpenCall call = new OpenCall(this, opening, provider, ask, depths.getOrDefault(name, merge.reach()));
        calls.put(name, call);
        call.open();
    }

    /** Ends the call of an ask. */
    void close(Opening opening, String name, int ask) {
        OpenCall call = calls.get(name);
        if (call != null && call.opening() == opening && call.ask() == ask) {
            calls.remove(name);
            call.close();
        }
    }

    private void reopen(String name, Why why) {
        if (reopens.isUnderWay(name)) {
            return;
        }
        OpenCall call = calls.remove(name);
        if (call != null) {
            call.close();
        }
        reopens.open(name, why);
    }

    void first(OpenCall call, List<QueryNode> nodes, boolean cut) {
        if (!call.speak()) {
            ignored(call);
            return;
        }
        String name = call.name();
        merge.first(name, nodes, cut, call.wanted());
        if (merge.isOverfull()) {
            end(ends.tooBroad(name, merge.size(), counts(1, 0)));
            return;
        }
        askForMoreAtTheLast(call);
        // Where it is to be asked again this names an ask that is over.
        call.opening().on(new GateEvent.First(name, call.ask(), now()));
    }

    private void askForMoreAtTheLast(OpenCall call) {
        if (call.opening() == initial && initial.gate().isLast(call.name())) {
            Set<String> more = deepen().keySet();
            if (!more.isEmpty()) {
                initial.on(new GateEvent.AskAgain(more, now()));
            }
        }
    }

    // Who must be asked for more, or the end where there is no more to be had.
    private Map<String, Integer> deepen() {
        Map<String, Integer> more = merge.tooShort();
        for (Map.Entry<String, Integer> entry : more.entrySet()) {
            if (entry.getValue() > merge.deepest()) {
                end(ends.tooBroad(entry.getKey(), merge.size(), counts(1, 0)));
                return Map.of();
            }
        }
        more.keySet().removeIf(reopens::isUnderWay);
        depths.putAll(more);
        return more;
    }

    void changed(OpenCall call, QueryNode node) {
        if (!call.hasSpoken()) {
            ignored(call);
        } else if (merge.upsert(call.name(), node)) {
            dirty();
        }
    }

    void removed(OpenCall call, MeshAddress path) {
        if (!call.hasSpoken()) {
            ignored(call);
        } else if (merge.remove(call.name(), path)) {
            dirty();
        }
    }

    private void dirty() {
        if (state == State.LIVE) {
            flush = after(options().flushPace(), this::flush);
        }
    }

    private void flush() {
        flush.cancel();
        if (state != State.LIVE) {
            return;
        }
        // A reset that is due tells all of it.
        if (!resetDue) {
            Changes changes = merge.flush();
            if (!changes.removed().isEmpty()) {
                audience.tell(new QueryFrame.Removed(changes.removed()));
            }
            if (!changes.updated().isEmpty()) {
                audience.tell(new QueryFrame.Updated(changes.updated()));
            }
            if (!changes.added().isEmpty()) {
                audience.tell(new QueryFrame.Added(changes.added()));
            }
        }
        refill();
        settle();
    }

    private void refill() {
        if (merge.isOverfull()) {
            end(ends.tooBroad("", merge.size(), counts(1, 0)));
            return;
        }
        deepen().keySet().forEach(name -> reopen(name, Why.REFILL));
    }

    void reset(OpenCall call) {
        fanIn.count("query.provider.resets", "provider", call.name());
        if (!call.opening().isOver()) {
            call.opening().on(new GateEvent.AskAgain(Set.of(call.name()), now()));
        } else if (state == State.LIVE) {
            reopen(call.name(), Why.RESET);
        }
    }

    void completed(OpenCall call) {
        call.end();
        if (!call.hasSpoken()) {
            merge.gone(call.name());
            askForMoreAtTheLast(call);
        }
        call.opening().on(new GateEvent.Completed(call.name(), call.ask(), now()));
    }

    void failed(OpenCall call, Throwable cause) {
        call.end();
        if (call.opening().isOver()) {
            end(ends.failed(call.name(), cause, List.of(), counts(1, 0)));
        } else {
            boolean fault = ends.isConnectionFault(call.name(), cause);
            call.opening().on(new GateEvent.Failed(call.name(), call.ask(), cause, fault, now()));
        }
    }

    /** An opening ended. */
    void outcome(Opening opening, GateCommand.Outcome outcome) {
        if (outcome instanceof GateCommand.Fail fail) {
            ProviderCounts counts = opening == initial ? fail.counts() : counts(1, 0);
            end(ends.failed(fail.provider(), fail.cause(), fail.givenUp(), counts));
        } else if (outcome instanceof GateCommand.Stalled stalled) {
            ProviderCounts counts = opening == initial
                    ? stalled.counts()
                    : counts(1, stalled.stalls().size());
            end(ends.stalled(stalled.stalls(), fanIn.rung(), counts));
        } else if (opening == initial) {
            live();
        } else {
            reopened(opening);
        }
    }

    private void live() {
        state = State.LIVE;
        merge.show();
        refill();
        settle();
        List<QueryProvider> gone = List.copyOf(leaving);
        List<QueryProvider> come = List.copyOf(late);
        leaving.clear();
        late.clear();
        if (state == State.LIVE) {
            gone.forEach(this::forget);
        }
        come.forEach(this::joined);
    }

    private void reopened(Opening opening) {
        reopens.over(opening);
        resetDue |= opening.why() == Why.RESET;
        flush();
    }

    private List<String> silent() {
        return providers.keySet().stream().filter(name -> !merge.hasTold(name)).toList();
    }

    // How they are counted where so many failed, some of them because they said nothing.
    private ProviderCounts counts(int failed, int stalled) {
        if (state == State.OPENING) {
            // Those that had not spoken are given up.
            ProviderCounts gate = initial.gate().countsIfStalled();
            int more = Math.min(gate.answered(), Math.max(0, failed - gate.stalled()));
            return new ProviderCounts(gate.providers(), gate.answered() - more, gate.empty(), gate.stalled() + more, 0);
        }
        return RunCounts.ofLive(providers.keySet(), merge::hasTold, reopens::isUnderWay, failed, stalled);
    }

    /** Ends it for all, with that failure. */
    void end(QueryResult.Ended cause) {
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        fanIn.over(this);
        // First of all: what follows may go wrong.
        audience.end(new QueryFrame.Ended(cause));
        release();
        ends.log(cause);
    }

    // Nothing is left: no timer, no call, no entry.
    private void release() {
        state = State.OVER;
        fanIn.over(this);
        flush.cancel();
        initial.on(new GateEvent.Cancelled(now()));
        List.copyOf(providers.keySet()).forEach(this::drop);
        List.copyOf(calls.values()).forEach(OpenCall::close);
        calls.clear();
    }

    /** Ends it, as the fan-in does. */
    void stop() {
        turn(() -> end(ends.stopped(counts(1, 0))));
    }

    Pacer.Cancellable after(Duration delay, Runnable action) {
        return fanIn.after(delay, () -> turn(action));
    }

    void retries(String provider) {
        fanIn.count("query.provider.retries", "provider", provider);
    }

    /** Something was told that changes nothing. */
    void ignored(OpenCall call) {
        fanIn.count("query.provider.ignored", "provider", call.name());
    }

    Key key() {
        return key;
    }

    Query query() {
        return query;
    }

    QueryOptions options() {
        return fanIn.options();
    }

    long now() {
        return fanIn.now();
    }
}
