package io.meshhub.query;

import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all providers of a source, and makes one result of what they tell: a page, or a live one.
 *
 * <p>A result begins once each provider gave a first result or completed without one. One that does neither, and does
 * not fail, ends the query with {@link io.meshhub.routing.failure.QueryProviderStalled} when the query rung of the ladder
 * is over; no setting disables that. Queries of equal text and equal principal share one run, whose present result is
 * replayed to whoever joins later; nothing of a run that ended is kept.
 *
 * <p>Safe from any thread once it is deployed. Everything else happens on its own context.
 */
public final class QueryFanIn extends VerticleBase {

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{Nd}._~@+-]{1,128}");
    private static final Logger LOG = LoggerFactory.getLogger(QueryFanIn.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /**
     * What a fan-in works with.
     *
     * @param node the name of this node
     */
    public record Parts(String node, MeshClock clock, Pacer pacer, MeshMetrics metrics) {}

    private final Parts parts;
    private final QueryOptions options;
    private final Duration rung;
    private final Map<String, Registered> providers = new TreeMap<>();
    private final Map<SharedRun.Key, SharedRun> runs = new HashMap<>();
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicBoolean meterFailed = new AtomicBoolean();
    private volatile int runCount;
    private boolean stopped;
    private volatile @Nullable ContextInternal own;

    /**
     * A fan-in that is to be deployed.
     *
     * @param ladder its query rung is the time for all first results of a query
     */
    public QueryFanIn(Parts parts, BudgetLadder ladder, QueryOptions options) {
        this(parts, ladder.queryInitial(), options);
    }

    /** The seam for tests with short budgets. */
    QueryFanIn(Parts parts, Duration rung, QueryOptions options) {
        this.parts = parts;
        this.options = options;
        this.rung = rung;
    }

    @Override
    public Future<?> start() {
        own = (ContextInternal) context;
        parts.metrics().gauge("query.runs", () -> runCount);
        parts.metrics().gauge("query.subscribers", subscribers::get);
        return Future.succeededFuture();
    }

    /** Ends all queries, with a failure that says so. */
    @Override
    public Future<?> stop() {
        stopped = true;
        List.copyOf(runs.values()).forEach(SharedRun::stop);
        providers.clear();
        return Future.succeededFuture();
    }

    /**
     * Asks the provider from now on. Live queries of its source open it as well.
     *
     * @return fails when its name is malformed or taken, and with {@link Overloaded} when there are too many
     */
    public Future<Void> register(QueryProvider provider) {
        return call(() -> {
                    Registered known = Registered.of(provider);
                    String name = known.name();
                    if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
                        throw new IllegalArgumentException("provider name '" + name
                                + "' must be 1 to 128 letters, digits and . _ ~ @ + -, and neither . nor ..");
                    }
                    if (providers.containsKey(name)) {
                        throw new IllegalStateException(
                                "A query provider '" + name + "' is registered on node " + node());
                    }
                    if (providers.size() >= options.mostProviders()) {
                        throw overloaded("mostProviders", options.mostProviders());
                    }
                    providers.put(name, known);
                    ofSource(known.source()).forEach(run -> run.joined(known));
                    return true;
                })
                .mapEmpty();
    }

    /**
     * Asks exactly this provider no more. A query that waits for it fails, a live one is reset without what it told.
     *
     * @return whether it was registered
     */
    public Future<Boolean> unregister(QueryProvider provider) {
        return call(() -> {
            for (Registered known : List.copyOf(providers.values())) {
                if (known.provider().equals(provider)) {
                    providers.remove(known.name());
                    List.copyOf(runs.values()).forEach(run -> run.gone(known));
                    return true;
                }
            }
            return false;
        });
    }

    /** The names of the providers of a source, in order. */
    public Future<List<String>> providers(String source) {
        return call(() -> answering(source).stream().map(QueryProvider::name).toList());
    }

    private List<QueryProvider> answering(String source) {
        return providers.values().stream()
                .filter(provider -> provider.source().equals(source))
                .<QueryProvider>map(provider -> provider)
                .toList();
    }

    private List<SharedRun> ofSource(String source) {
        return runs.values().stream()
                .filter(run -> run.query().source().equals(source))
                .toList();
    }

    /**
     * Asks once.
     *
     * @return the whole result; fails with the failure of whatever else became of it
     */
    public Future<QueryResult.Complete> run(Query query, QueryCaller caller) {
        return ask(query, caller)
                .compose(result -> result instanceof QueryResult.Complete complete
                        ? Future.succeededFuture(complete)
                        : Future.failedFuture(((QueryResult.Ended) result).failure()));
    }

    /**
     * Asks once, for somebody who decides something from it.
     *
     * @return what became of it; never fails
     */
    public Future<QueryResult> ask(Query query, QueryCaller caller) {
        ContextInternal asking = (ContextInternal) Vertx.currentContext();
        Promise<QueryResult> answer = asking == null ? Promise.promise() : asking.promise();
        Subscriber subscriber = new Subscriber(
                this, keyOf(query, caller), true, bound(caller), frame -> answer.tryComplete(resultOf(frame)), null);
        enterSoon(subscriber, query);
        return answer.future();
    }

    private static QueryResult resultOf(QueryFrame frame) {
        if (frame instanceof QueryFrame.Initial initial) {
            return new QueryResult.Complete(initial.nodes(), initial.silent(), initial.counts());
        }
        return ((QueryFrame.Ended) frame).cause();
    }

    /**
     * Follows a query until it ends, or is closed. Called from a Vert.x context, the listener is called there, and closed
     * with its verticle; otherwise on that of the fan-in, where it must not block.
     */
    public LiveQuery live(Query query, QueryCaller caller, Consumer<QueryFrame> listener) {
        ContextInternal asking = (ContextInternal) Vertx.currentContext();
        ContextInternal tellsOn = asking == null ? null : asking.unwrap();
        Subscriber subscriber = new Subscriber(this, keyOf(query, caller), false, bound(caller), listener, tellsOn);
        LiveQuery live = () -> {
            subscriber.silence();
            try {
                execute(subscriber::leave);
            } catch (RuntimeException e) {
                // There is no fan-in yet, or none any more: nothing is to be left.
                LOG.debug("Query '{}' was closed without a fan-in", query.text(), e);
            }
        };
        if (asking == null || tellsOn == null || !asking.isDeployment()) {
            enterSoon(subscriber, query);
            return live;
        }
        Closeable hook = closing -> {
            live.close();
            closing.succeed();
        };
        subscriber.whenLeft(() -> tellsOn.removeCloseHook(hook));
        enterSoon(subscriber, query);
        tellsOn.addCloseHook(hook);
        if (subscriber.hasLeft()) {
            // It may have been before there was a hook to remove.
            tellsOn.removeCloseHook(hook);
        }
        return live;
    }

    // Whoever asks is told, whatever becomes of it.
    private void enterSoon(Subscriber subscriber, Query query) {
        try {
            execute(() -> enter(subscriber, query));
        } catch (RuntimeException e) {
            subscribers.incrementAndGet();
            refuse(subscriber, unavailable(query, String.valueOf(e.getMessage())));
        }
    }

    private static SharedRun.Key keyOf(Query query, QueryCaller caller) {
        return new SharedRun.Key(query.text(), caller.principal());
    }

    private Duration bound(QueryCaller caller) {
        return caller.timeLeft().map(left -> BudgetLadder.inner(rung, left)).orElse(rung);
    }

    /** The subscriber joins the run of its key, which is begun where there is none. */
    void enter(Subscriber subscriber, Query query) {
        subscribers.incrementAndGet();
        try {
            MeshException refusal = refusal(subscriber, query);
            if (refusal != null) {
                refuse(subscriber, refusal);
            } else {
                join(subscriber, query);
            }
        } catch (Throwable e) {
            // Nothing has joined by then: a run keeps what goes wrong in it to itself.
            LOG.error("Query '{}' could not be begun on node {}", query.text(), node(), e);
            refuse(subscriber, unavailable(query, "its fan-in failed: " + e));
        }
    }

    private void join(Subscriber subscriber, Query query) {
        SharedRun known = runs.get(subscriber.key());
        if (known != null) {
            known.subscribe(subscriber);
            return;
        }
        SharedRun run = new SharedRun(this, subscriber.key(), query, answering(query.source()));
        runs.put(subscriber.key(), run);
        runCount = runs.size();
        run.subscribe(subscriber);
        run.start();
        count("query.runs.begun");
    }

    private static void refuse(Subscriber subscriber, MeshException refusal) {
        subscriber.end(new QueryFrame.Ended(
                new QueryResult.Failed(List.of(), List.of(), refusal, ProviderCounts.ofComplete(0, 0))));
    }

    private Unavailable unavailable(Query query, String why) {
        return new Unavailable(
                "Query '" + query.text() + "' cannot be asked (" + why + ", node=" + node() + "); nothing was executed",
                FailureDetail.NONE.on(node()),
                false);
    }

    private @Nullable MeshException refusal(Subscriber subscriber, Query query) {
        if (stopped || answering(query.source()).isEmpty()) {
            String why = stopped ? "its fan-in stops" : "there is no provider of source '" + query.source() + "'";
            return unavailable(query, why);
        }
        if (subscriber.bound().isZero() || subscriber.bound().isNegative()) {
            return new DeadlineExceeded(
                    "Query '" + query.text() + "' was asked with no time left (node=" + node()
                            + "); nothing was executed",
                    FailureDetail.NONE.on(node()),
                    DeadlineExceeded.Owner.UNKNOWN,
                    null);
        }
        int all = subscribers.get();
        return all > options.mostSubscribers() ? overloaded("mostSubscribers", all - 1) : null;
    }

    private Overloaded overloaded(String bound, int observed) {
        count("query.refused");
        return new Overloaded(
                "The query fan-in cannot take more (" + bound + "=" + observed + ", node=" + node()
                        + "); nothing was executed, retry in " + RETRY_AFTER.toMillis() + " ms",
                FailureDetail.NONE.on(node()).retryAfter(RETRY_AFTER));
    }

    /** The run is over; one that was begun after it stays. */
    void over(SharedRun run) {
        if (runs.remove(run.key(), run)) {
            runCount = runs.size();
        }
    }

    void subscriberLeft() {
        subscribers.decrementAndGet();
    }

    private <T> Future<T> call(Callable<T> action) {
        Promise<T> done = Promise.promise();
        try {
            execute(() -> {
                try {
                    done.complete(action.call());
                } catch (Exception e) {
                    done.fail(e);
                }
            });
        } catch (RuntimeException e) {
            done.tryFail(e);
        }
        return done.future();
    }

    /**
     * Runs the action on the context of the fan-in: at once when it is the current one. Never within the turn of a
     * caller on the same loop, whose principal is not that of a run which others share.
     */
    void execute(Runnable action) {
        ContextInternal there = own;
        if (there == null) {
            throw new IllegalStateException("the query fan-in of node " + node() + " is not deployed");
        }
        if (Vertx.currentContext() == there) {
            action.run();
        } else {
            there.runOnContext(turn -> action.run());
        }
    }

    Pacer.Cancellable after(Duration delay, Runnable action) {
        return parts.pacer().after(delay, action);
    }

    /** Counts, from any thread; never throws. */
    void count(String name, String... tags) {
        try {
            parts.metrics().count(name, tags);
        } catch (RuntimeException e) {
            if (meterFailed.compareAndSet(false, true)) {
                LOG.warn("The meter of node {} fails (first at {}); queries go on without it", node(), name, e);
            }
        }
    }

    QueryOptions options() {
        return options;
    }

    Duration rung() {
        return rung;
    }

    String node() {
        return parts.node();
    }

    long now() {
        return parts.clock().nanoTime();
    }
}
