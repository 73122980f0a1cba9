package io.meshhub.bench.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.meshhub.bench.pekko.Messages.Bytes;
import io.meshhub.bench.pekko.Messages.BytesReply;
import io.meshhub.bench.pekko.Messages.Document;
import io.meshhub.bench.pekko.Messages.DocumentReply;
import io.meshhub.bench.pekko.Messages.Item;
import io.meshhub.bench.pekko.Messages.Order;
import io.meshhub.bench.pekko.Messages.ToEntity;
import io.meshhub.bench.pekko.Messages.Where;
import io.meshhub.it.ToParent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;

/**
 * One of two Pekko nodes. It obeys lines on its standard input: {@code run own|other bytes|json OUTSTANDING MILLIS NUMBER}
 * asks live entities and prints a line {@code RESULT NUMBER perSecond p50 p99 p999 failures}, times in microseconds; {@code
 * cold own|other COUNT NUMBER} asks new ones and prints {@code RESULT NUMBER perSecond}; {@code heap own COUNT NUMBER} does the
 * same on this node, collects before and after, and prints {@code RESULT NUMBER perSecond bytesEach collectionMillis}.
 */
final class PekkoNode {

    private static final EntityTypeKey<ToEntity> ECHO = EntityTypeKey.create(ToEntity.class, "echo");
    private static final Duration TIMEOUT = Duration.ofSeconds(25);
    private static final int LIVE = 16;
    private static final int SHARDS = 64;
    private static final int COLD_OUTSTANDING = 256;

    private final ActorSystem<Void> system;
    private final String ownPort;
    private final ClusterSharding sharding;
    private final Map<Integer, String> places = new HashMap<>();
    private int cold;
    private final byte[] payload = new byte[100];
    private final Order order = new Order(
            "somebody",
            IntStream.range(0, 10)
                    .mapToObj(i -> new Item("article number " + i, i, 12.5 * i, "as it was ordered"))
                    .toList());

    private PekkoNode(ActorSystem<Void> system, String ownPort) {
        this.system = system;
        this.ownPort = ownPort;
        this.sharding = ClusterSharding.get(system);
        sharding.init(Entity.of(ECHO, context -> echo(ownPort)));
    }

    private static Behavior<ToEntity> echo(String port) {
        return Behaviors.receive(ToEntity.class)
                .onMessage(Bytes.class, ask -> {
                    ask.replyTo().tell(new BytesReply(ask.payload()));
                    return Behaviors.same();
                })
                .onMessage(Document.class, ask -> {
                    ask.replyTo().tell(new DocumentReply(ask.order()));
                    return Behaviors.same();
                })
                .onMessage(Where.class, ask -> {
                    ask.replyTo().tell(port);
                    return Behaviors.same();
                })
                .build();
    }

    /** Arguments: own port, port of the first node. */
    public static void main(String[] args) throws IOException {
        Config config = ConfigFactory.parseString("pekko.remote.artery.canonical.port = " + args[0]
                        + "\npekko.cluster.seed-nodes = [\"pekko://bench@127.0.0.1:" + args[1] + "\"]")
                .withFallback(ConfigFactory.parseResources(PekkoNode.class, "pekko-bench.conf"))
                .withFallback(ConfigFactory.load());
        PekkoNode node = new PekkoNode(ActorSystem.create(Behaviors.empty(), "bench", config), args[0]);
        node.awaitBoth();
        ToParent.say("UP");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            boolean own = words[1].equals("own");
            String result =
                    switch (words[0]) {
                        case "cold" -> node.cold(own, Integer.parseInt(words[2]));
                        case "heap" -> node.heap(Integer.parseInt(words[2]));
                        default ->
                            node.run(
                                    own, words[2].equals("json"), Integer.parseInt(words[3]), Long.parseLong(words[4]));
                    };
            ToParent.say("RESULT " + words[words.length - 1] + " " + result);
        }
        Runtime.getRuntime().halt(0);
    }

    private void awaitBoth() {
        Cluster cluster = Cluster.get(system);
        while (up(cluster) < 2) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static int up(Cluster cluster) {
        int up = 0;
        for (var member : cluster.state().getMembers()) {
            up += member.status().equals(MemberStatus.up()) ? 1 : 0;
        }
        return up;
    }

    private List<EntityRef<ToEntity>> entities(boolean own) {
        List<EntityRef<ToEntity>> found = new ArrayList<>();
        for (int i = 0; found.size() < LIVE; i++) {
            EntityRef<ToEntity> entity = sharding.entityRefFor(ECHO, "e" + i);
            String port = entity.<String>ask(Where::new, TIMEOUT)
                    .toCompletableFuture()
                    .join();
            if (port.equals(ownPort) == own) {
                found.add(entity);
            }
        }
        return found;
    }

    private CompletionStage<?> ask(EntityRef<ToEntity> entity, boolean json) {
        return json
                ? entity.<DocumentReply>ask(replyTo -> new Document(order, replyTo), TIMEOUT)
                : entity.<BytesReply>ask(replyTo -> new Bytes(payload, replyTo), TIMEOUT);
    }

    private String run(boolean own, boolean json, int outstanding, long millis) {
        List<EntityRef<ToEntity>> entities = entities(own);
        Window window = new Window(i -> ask(entities.get(Math.floorMod(i, LIVE)), json), millis);
        return window.run(outstanding);
    }

    // Where a new entity will live is known by its shard: one entity of each says where it is.
    private String cold(boolean own, int count) {
        if (places.isEmpty()) {
            for (int i = 0; places.size() < SHARDS; i++) {
                String id = "p" + i;
                places.computeIfAbsent(
                        Math.abs(id.hashCode() % SHARDS),
                        shard -> sharding.entityRefFor(ECHO, id)
                                .<String>ask(Where::new, TIMEOUT)
                                .toCompletableFuture()
                                .join());
            }
        }
        List<EntityRef<ToEntity>> entities = new ArrayList<>();
        while (entities.size() < count) {
            String id = "c" + cold++;
            if (ownPort.equals(places.get(Math.abs(id.hashCode() % SHARDS))) == own) {
                entities.add(sharding.entityRefFor(ECHO, id));
            }
        }
        long began = System.nanoTime();
        CountDownLatch running = new CountDownLatch(COLD_OUTSTANDING);
        for (int line = 0; line < COLD_OUTSTANDING; line++) {
            wake(entities, line, running);
        }
        try {
            running.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Double.toString(count * 1e9 / (System.nanoTime() - began));
    }

    private String heap(int count) {
        // What only the first of them makes is no part of each.
        cold(true, COLD_OUTSTANDING);
        long before = used();
        String perSecond = cold(true, count);
        long made = System.nanoTime();
        System.gc();
        double collection = (System.nanoTime() - made) / 1e6;
        return perSecond + " " + (double) (used() - before) / count + " " + collection;
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void wake(List<EntityRef<ToEntity>> entities, int index, CountDownLatch running) {
        if (index >= entities.size()) {
            running.countDown();
        } else {
            ask(entities.get(index), false)
                    .whenCompleteAsync(
                            (answer, cause) -> wake(entities, index + COLD_OUTSTANDING, running), Runnable::run);
        }
    }

    /** A closed loop of asks: a fixed number is outstanding, and each answer asks the next on the thread that it came on. */
    private static final class Window {
        private final IntFunction<CompletionStage<?>> request;
        private final Histogram times = new ConcurrentHistogram(TimeUnit.SECONDS.toNanos(60), 3);
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicLong failures = new AtomicLong();
        private final long started = System.nanoTime();
        private final long ends;

        Window(IntFunction<CompletionStage<?>> request, long millis) {
            this.request = request;
            this.ends = started + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        String run(int outstanding) {
            CountDownLatch running = new CountDownLatch(outstanding);
            for (int i = 0; i < outstanding; i++) {
                ask(running);
            }
            try {
                running.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            return times.getTotalCount() / seconds + " " + times.getValueAtPercentile(50) / 1e3 + " "
                    + times.getValueAtPercentile(99) / 1e3 + " " + times.getValueAtPercentile(99.9) / 1e3 + " "
                    + failures;
        }

        private void ask(CountDownLatch running) {
            long sent = System.nanoTime();
            // On the thread that brings the answer: the default of these futures is a pool which, on two processors,
            // starts a
            // thread for each answer.
            request.apply(next.getAndIncrement())
                    .whenCompleteAsync(
                            (answer, cause) -> {
                                long now = System.nanoTime();
                                if (cause == null) {
                                    times.recordValue(now - sent);
                                } else {
                                    failures.incrementAndGet();
                                }
                                if (now < ends) {
                                    ask(running);
                                } else {
                                    running.countDown();
                                }
                            },
                            Runnable::run);
        }
    }
}
