package io.meshhub.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A fan-in whose time the test owns, with providers that say what the test says. */
public final class QueryHouse implements MeshClock, Pacer, MeshMetrics, AutoCloseable {

    public static final Duration RUNG = Duration.ofSeconds(15);
    public static final Query QUERY = Query.parse("path:iso scope:children");

    private record Due(long at, long order, Runnable action) {}

    /** A provider that the test speaks for. */
    public static final class Stub implements QueryProvider {

        public final List<ProviderCall> calls = new CopyOnWriteArrayList<>();
        public final AtomicInteger cancelled = new AtomicInteger();
        private final String name;
        private final Consumer<ProviderCall> atOnce;

        public Stub(String name) {
            this(name, call -> {});
        }

        public Stub(String name, Consumer<ProviderCall> atOnce) {
            this.name = name;
            this.atOnce = atOnce;
        }

        public ProviderCall last() {
            return calls.get(calls.size() - 1);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            calls.add(call);
            atOnce.accept(call);
            return cancelled::incrementAndGet;
        }
    }

    public final Vertx vertx = Vertx.vertx();
    public final QueryFanIn fanIn;
    public final String deployment;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    /** What the meter throws at each count. */
    public volatile @Nullable RuntimeException meterFault;

    /** Whether a timer that is cancelled is due all the same, as one whose turn was on its way. */
    public volatile boolean timersAreDeaf;

    private long now = 1_000_000;
    private long order;

    public QueryHouse(QueryOptions options, QueryProvider... providers) {
        this(parts -> new QueryFanIn(parts, RUNG, options), providers);
    }

    public QueryHouse(BudgetLadder ladder, QueryProvider... providers) {
        this(parts -> new QueryFanIn(parts, ladder, QueryOptions.ofDefaults()), providers);
    }

    private QueryHouse(Function<QueryFanIn.Parts, QueryFanIn> make, QueryProvider... providers) {
        fanIn = make.apply(new QueryFanIn.Parts("a", this, this, this));
        deployment = String.valueOf(await(vertx.deployVerticle(fanIn)));
        for (QueryProvider provider : providers) {
            await(fanIn.register(provider));
        }
    }

    public QueryHouse(QueryProvider... providers) {
        this(QueryOptions.ofDefaults(), providers);
    }

    public static QueryNode node(String path, int version) {
        MeshAddress address = MeshAddress.of(path);
        return new QueryNode(address, "country", address.name(), new JsonObject().put("v", version), version);
    }

    /** Follows the query and gathers what it tells. */
    public List<QueryFrame> follow(Query query, QueryCaller caller) {
        List<QueryFrame> frames = new CopyOnWriteArrayList<>();
        fanIn.live(query, caller, frames::add);
        settle();
        return frames;
    }

    public List<QueryFrame> follow() {
        return follow(QUERY, QueryCaller.MESH);
    }

    public Future<QueryResult> ask(Query query, QueryCaller caller) {
        Future<QueryResult> result = fanIn.ask(query, caller);
        settle();
        return result;
    }

    public Future<QueryResult> ask() {
        return ask(QUERY, QueryCaller.MESH);
    }

    /** Lets time pass, with all that is due in it. */
    public void pass(Duration duration) {
        settle();
        long until = nanoTime() + duration.toNanos();
        while (true) {
            Due next;
            synchronized (this) {
                next = timers.peek();
                if (next == null || next.at() > until) {
                    now = until;
                    break;
                }
                timers.remove();
                now = Math.max(now, next.at());
            }
            next.action().run();
            settle();
        }
        settle();
    }

    /** Time passes while the process stands still: what is due comes late, each once and as of then. */
    public void freeze(Duration duration) {
        settle();
        synchronized (this) {
            now += duration.toNanos();
        }
        pass(Duration.ZERO);
    }

    public synchronized int timers() {
        return timers.size();
    }

    public long runs() {
        settle();
        return gauges.getOrDefault("query.runs", () -> -1).getAsLong();
    }

    public long subscribers() {
        settle();
        return gauges.getOrDefault("query.subscribers", () -> -1).getAsLong();
    }

    public int counted(String name) {
        return counts.getOrDefault(name, 0);
    }

    /** Lets the loops do what was posted to them. */
    public void settle() {
        for (int i = 0; i < 8; i++) {
            for (var loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
                try {
                    assertThat(loop.submit(() -> {}).await(5, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    public static <T> @Nullable T await(Future<T> future) {
        CountDownLatch done = new CountDownLatch(1);
        future.onComplete(any -> done.countDown());
        try {
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        return future.result();
    }

    public static List<String> paths(List<QueryNode> nodes) {
        List<String> paths = new ArrayList<>();
        nodes.forEach(node -> paths.add(node.path().toString()));
        return paths;
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable action) {
        Due due = new Due(now + Math.max(0, delay.toNanos()), order++, action);
        timers.add(due);
        return () -> cancelled(due);
    }

    private synchronized boolean cancelled(Due due) {
        return !timersAreDeaf && timers.remove(due);
    }

    @Override
    public void count(String name, String... tags) {
        RuntimeException fault = meterFault;
        if (fault != null) {
            throw fault;
        }
        counts.merge(name, 1, Integer::sum);
    }

    @Override
    public void time(String name, Duration duration, String... tags) {}

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {
        gauges.put(name, value);
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
