package io.meshhub.hub.access.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.DisarmedFanIn;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryOptions;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Access policies over a real fan-in, in a time that a test owns, with providers that say what it says. */
public final class PolicyHouse implements MeshClock, Pacer, MeshMetrics, AutoCloseable {

    public static final BudgetLadder BUDGETS = BudgetLadder.ofDefaults();
    public static final Duration YEAR = Duration.ofDays(365);

    private record Due(long at, long order, Runnable action) {}

    /** A provider that answers from a list, or keeps silent about a partition. */
    public static final class Source implements QueryProvider {
        public final List<ProviderCall> calls = new CopyOnWriteArrayList<>();
        /** Whether it says nothing at all. */
        public volatile boolean silent;

        public final List<String> silentAbout = new CopyOnWriteArrayList<>();
        public final AtomicInteger cancelled = new AtomicInteger();
        private final Map<MeshAddress, QueryNode> nodes = new TreeMap<>();
        private final String name;

        public Source(String name) {
            this.name = name;
        }

        public synchronized Source has(QueryNode node) {
            nodes.put(node.path(), node);
            calls.stream().filter(call -> call.query().matches(node)).forEach(call -> call.added(node));
            return this;
        }

        public synchronized void loses(String path) {
            nodes.remove(MeshAddress.of(path));
            calls.forEach(call -> call.removed(MeshAddress.of(path)));
        }

        /** The last call about a partition. */
        public ProviderCall about(String partition) {
            String text = AccessModel.query(partition).text();
            List<ProviderCall> all = calls.stream()
                    .filter(call -> call.query().text().equals(text))
                    .toList();
            return all.get(all.size() - 1);
        }

        public long asked(String partition) {
            String text = AccessModel.query(partition).text();
            return calls.stream()
                    .filter(call -> call.query().text().equals(text))
                    .count();
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
        public synchronized Opened open(ProviderCall call) {
            calls.add(call);
            boolean silentAboutIt = silentAbout.stream()
                    .anyMatch(partition -> AccessModel.query(partition)
                            .text()
                            .equals(call.query().text()));
            if (!silent && !silentAboutIt) {
                call.first(nodes.values().stream().filter(call.query()::matches).toList(), false);
            }
            return cancelled::incrementAndGet;
        }
    }

    public final Vertx vertx = Vertx.vertx();
    public final QueryFanIn fanIn;
    public final AccessPolicies policies;
    public final String deployment;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    /** What else is to be let do what was posted to it. */
    public volatile Runnable also = () -> {};

    private long now = 1_000_000;
    private long order;

    private PolicyHouse(boolean terminal, Duration bound, Source... sources) {
        QueryFanIn.Parts parts = new QueryFanIn.Parts("a", this, this, this);
        fanIn = terminal ? new QueryFanIn(parts, BUDGETS, QueryOptions.ofDefaults()) : DisarmedFanIn.of(parts);
        policies = new AccessPolicies(new AccessPolicies.Parts("a", fanIn, this, this, this), bound);
        await(vertx.deployVerticle(fanIn));
        deployment = String.valueOf(await(vertx.deployVerticle(policies)));
        for (Source source : sources) {
            await(fanIn.register(source));
        }
    }

    public static PolicyHouse of(Source... sources) {
        return new PolicyHouse(true, BUDGETS.permission(), sources);
    }

    /** Neither the terminal of queries nor the bound of those who wait. */
    public static PolicyHouse disarmed(Source... sources) {
        return new PolicyHouse(false, YEAR, sources);
    }

    /** The bound of those who wait alone. */
    public static PolicyHouse withoutTerminal(Source... sources) {
        return new PolicyHouse(false, BUDGETS.permission(), sources);
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

    public synchronized int timers() {
        return timers.size();
    }

    public int counted(String name, String... tags) {
        return counts.getOrDefault(name + List.of(tags), 0);
    }

    /** The names of all that was counted, with the tags. */
    public List<String> counted() {
        return new ArrayList<>(counts.keySet());
    }

    /** Lets both contexts do what was posted to them, there and back. */
    public void settle() {
        for (int i = 0; i < 6; i++) {
            await(fanIn.providers(Query.NODES));
            await(policies.settled());
            also.run();
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
        return timers.remove(due);
    }

    @Override
    public void count(String name, String... tags) {
        counts.merge(name + List.of(tags), 1, Integer::sum);
    }

    @Override
    public void time(String name, Duration duration, String... tags) {}

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {}

    @Override
    public void close() {
        await(vertx.close());
    }
}
