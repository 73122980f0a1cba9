package io.meshhub.query;

import static io.meshhub.query.QueryHouse.QUERY;
import static io.meshhub.query.QueryHouse.await;
import static io.meshhub.query.QueryHouse.node;
import static io.meshhub.query.QueryHouse.paths;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.QueryHouse.Stub;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever joins a run that is live: what he is told is whole, or he waits for it no longer than he said. */
@Timeout(30)
class QueryReplayTest {

    private static final Query TWO = Query.parse("path:iso scope:children limit:2");

    private final Stub a = new Stub("a");
    private final Stub b = new Stub("b");
    private QueryHouse house = new QueryHouse(a, b);

    @AfterEach
    void close() {
        house.close();
    }

    private static QueryResult.Complete complete(Future<QueryResult> result) {
        assertThat(result.result()).isInstanceOf(QueryResult.Complete.class);
        return (QueryResult.Complete) result.result();
    }

    @Test
    void whoseOwnComingEndsTheRunIsToldTheEnd() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostNodes(2), a, b);
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1), node("iso/DE", 1)), false);
        b.last().complete();
        a.last().added(node("iso/AT", 1));
        Future<QueryResult> result = house.ask();

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Rejected.class));
        assertThat(frames).last().isInstanceOf(QueryFrame.Ended.class);
        assertThat(house.runs()).isZero();
        assertThat(house.subscribers()).isZero();
        assertThat(house.timers()).isZero();
    }

    @Test
    void thoseWhoWaitTogetherAreToldTheSameFrame() {
        List<QueryFrame> one = house.follow();
        List<QueryFrame> two = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        house.settle();

        assertThat(one).hasSize(1);
        assertThat(two).hasSize(1).first().isSameAs(one.get(0));
    }

    @Test
    void aProviderThatHasNotAnsweredYetIsWaitedForAndNotCountedAsEmpty() {
        house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().first(List.of(node("iso/DE", 1)), false);
        Stub c = new Stub("c");
        await(house.fanIn.register(c));
        Future<QueryResult> page = house.ask();
        List<QueryFrame> frames = house.follow();
        assertThat(page.isComplete()).isFalse();
        assertThat(frames).isEmpty();
        c.last().first(List.of(node("iso/AT", 1)), false);
        house.settle();

        assertThat(paths(complete(page).nodes())).containsExactly("iso/AT", "iso/CH", "iso/DE");
        assertThat(complete(page).counts()).isEqualTo(ProviderCounts.ofComplete(3, 0));
        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Initial.class);
        assertThat(house.timers()).isZero();
    }

    @Test
    void whoWaitsForAProviderThatComesHasABoundOfHisOwnAndIsToldItsName() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        await(house.fanIn.register(new Stub("c")));
        Future<QueryResult> page = house.ask(QUERY, QueryCaller.MESH.within(Duration.ofSeconds(8)));
        house.pass(Duration.ofSeconds(4));

        assertThat(page.result()).isInstanceOfSatisfying(QueryResult.Stalled.class, stalled -> {
            assertThat(stalled.failure().providers()).containsExactly("c");
            assertThat(stalled.failure().rung()).isEqualTo(Duration.ofSeconds(4));
            assertThat(stalled.counts()).isEqualTo(new ProviderCounts(3, 1, 1, 0, 1));
        });
        assertThat(frames).hasSize(1);
        assertThat(house.subscribers()).isEqualTo(1);
    }

    @Test
    void aPageIsNotShortWhileAProviderIsAskedForMore() {
        house.follow(TWO, QueryCaller.MESH);
        a.last().first(List.of(node("iso/CH", 1), node("iso/DE", 1)), true);
        b.last().complete();
        house.pass(Duration.ofSeconds(1));
        a.last().removed(MeshAddress.of("iso/CH"));
        house.settle();
        Future<QueryResult> page = house.ask(TWO, QueryCaller.MESH);
        assertThat(page.isComplete()).isFalse();
        assertThat(a.calls).hasSize(2);
        a.last().first(List.of(node("iso/DE", 1), node("iso/FR", 1)), true);
        house.settle();

        assertThat(paths(complete(page).nodes())).containsExactly("iso/DE", "iso/FR");
    }

    @Test
    void aResetIsNotShortWhileAProviderIsAskedForMore() {
        List<QueryFrame> frames = house.follow(TWO, QueryCaller.MESH);
        a.last().first(List.of(node("iso/CH", 1), node("iso/FR", 1)), true);
        b.last().first(List.of(node("iso/AT", 1), node("iso/BE", 1)), false);
        house.pass(Duration.ofSeconds(1));
        a.last().removed(MeshAddress.of("iso/CH"));
        house.pass(Duration.ofSeconds(1));
        await(house.fanIn.unregister(b));
        house.settle();
        assertThat(frames).hasSize(1);
        assertThat(a.calls).hasSize(2);
        a.last().first(List.of(node("iso/FR", 1), node("iso/IT", 1)), true);
        house.settle();

        assertThat(frames.subList(1, frames.size()))
                .containsExactly(new QueryFrame.Reset(List.of(node("iso/FR", 1), node("iso/IT", 1)), List.of("b")));
        assertThat(house.timers()).isZero();
    }

    @Test
    void whatAProviderTookBackIsNoPage() {
        house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        a.last().reset();
        house.settle();
        Future<QueryResult> page = house.ask();
        assertThat(page.isComplete()).isFalse();
        house.pass(Duration.ofMillis(500));
        assertThat(page.isComplete()).isFalse();
        a.last().first(List.of(node("iso/DE", 1)), false);
        house.settle();

        assertThat(paths(complete(page).nodes())).containsExactly("iso/DE");
        assertThat(house.timers()).isZero();
    }

    @Test
    void aListenerThatIsTooFarBehindGetsTheLatestOnceItHasReadOn() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostBehind(2), a);
        CountDownLatch slow = new CountDownLatch(1);
        List<QueryFrame> frames = new CopyOnWriteArrayList<>();
        ((VertxInternal) house.vertx)
                .createWorkerContext()
                .runOnContext(turn -> house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {
                    frames.add(frame);
                    hold(slow);
                }));
        Awaitility.await().until(() -> !a.calls.isEmpty());
        a.last().first(List.of(node("iso/CH", 1)), false);
        for (int version = 2; version <= 6; version++) {
            a.last().updated(node("iso/CH", version));
            house.pass(Duration.ofMillis(50));
        }
        assertThat(house.counted("query.listeners.behind")).isEqualTo(1);
        slow.countDown();

        Awaitility.await()
                .untilAsserted(() -> assertThat(frames)
                        .containsExactly(
                                new QueryFrame.Initial(
                                        List.of(node("iso/CH", 1)), List.of(), ProviderCounts.ofComplete(1, 0)),
                                new QueryFrame.Updated(List.of(node("iso/CH", 2))),
                                new QueryFrame.Reset(List.of(node("iso/CH", 6)), List.of())));
    }

    @Test
    void whoCatchesUpIsToldWhatTheOthersWereTold() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostBehind(2), a);
        CountDownLatch slow = new CountDownLatch(1);
        List<QueryFrame> frames = new CopyOnWriteArrayList<>();
        ((VertxInternal) house.vertx)
                .createWorkerContext()
                .runOnContext(turn -> house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {
                    frames.add(frame);
                    hold(slow);
                }));
        Awaitility.await().until(() -> !a.calls.isEmpty());
        a.last().first(List.of(node("iso/CH", 1)), false);
        for (int version = 2; version <= 6; version++) {
            a.last().updated(node("iso/CH", version));
            house.pass(Duration.ofMillis(50));
        }
        a.last().added(node("iso/DE", 1));
        house.settle();
        slow.countDown();
        Awaitility.await().until(() -> frames.stream().anyMatch(frame -> frame instanceof QueryFrame.Reset));
        house.settle();
        a.last().removed(MeshAddress.of("iso/DE"));
        house.pass(Duration.ofMillis(50));
        a.last().updated(node("iso/CH", 7));
        house.pass(Duration.ofMillis(50));

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(frames).last().isEqualTo(new QueryFrame.Updated(List.of(node("iso/CH", 7)))));
        assertThat(applied(frames)).containsExactly("iso/CH");
    }

    private static Set<String> applied(List<QueryFrame> frames) {
        Set<String> paths = new TreeSet<>();
        for (QueryFrame frame : frames) {
            if (frame instanceof QueryFrame.Initial initial) {
                paths.addAll(paths(initial.nodes()));
            } else if (frame instanceof QueryFrame.Reset reset) {
                paths.clear();
                paths.addAll(paths(reset.nodes()));
            } else if (frame instanceof QueryFrame.Added added) {
                paths.addAll(paths(added.nodes()));
            } else if (frame instanceof QueryFrame.Removed removed) {
                removed.paths().forEach(path -> paths.remove(path.toString()));
            }
        }
        return paths;
    }

    @Test
    void whoLeftAfterItsFirstResultIsNotAskedForMore() {
        Future<QueryResult> page = house.ask(TWO, QueryCaller.MESH);
        a.last().first(List.of(node("iso/CH", 1)), true);
        house.settle();
        await(house.fanIn.unregister(a));
        b.last().first(List.of(), false);
        house.settle();

        assertThat(a.calls).hasSize(1);
        assertThat(page.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.providers()).containsExactly("a"));
        assertThat(house.timers()).isZero();
    }

    @Test
    void aRestThatWasDroppedOpensNothing() {
        house.timersAreDeaf = true;
        house.follow();
        a.last().first(List.of(), false);
        b.last().complete();
        a.last().reset();
        house.settle();
        await(house.fanIn.unregister(a));
        await(house.fanIn.register(a));
        house.pass(Duration.ofSeconds(1));

        assertThat(a.calls).hasSize(2);
    }

    private static void hold(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
