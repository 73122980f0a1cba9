package io.meshhub.query;

import static io.meshhub.query.QueryHouse.QUERY;
import static io.meshhub.query.QueryHouse.RUNG;
import static io.meshhub.query.QueryHouse.await;
import static io.meshhub.query.QueryHouse.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.QueryHouse.Stub;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Providers, listeners, contexts and meters that do wrong: nobody who asks is left without an answer. */
@Timeout(30)
class QueryFaultsTest {

    private static final Query TWO = Query.parse("path:iso scope:children limit:2");

    private final Stub a = new Stub("a");
    private final Stub b = new Stub("b");
    private QueryHouse house = new QueryHouse(a, b);

    @AfterEach
    void close() {
        house.close();
    }

    private void nothingIsLeft() {
        assertThat(house.timers()).isZero();
        assertThat(house.runs()).isZero();
        assertThat(house.subscribers()).isZero();
    }

    /** Says who it is once, and throws when it is asked again. */
    private static final class SaysItOnce implements QueryProvider {

        private final AtomicInteger names = new AtomicInteger();
        private final AtomicInteger sources = new AtomicInteger();

        @Override
        public String name() {
            return once(names, "once");
        }

        @Override
        public String source() {
            return once(sources, Query.NODES);
        }

        private static String once(AtomicInteger asked, String value) {
            if (asked.incrementAndGet() > 1) {
                throw new IllegalStateException("asked twice");
            }
            return value;
        }

        @Override
        public Opened open(ProviderCall call) {
            call.first(List.of(), false);
            return Opened.NONE;
        }
    }

    @Test
    void aProviderIsAskedForItsNameAndSourceOnce() {
        SaysItOnce once = new SaysItOnce();
        house.close();
        house = new QueryHouse(once);
        Future<QueryResult> result = house.ask();

        assertThat(result.result())
                .isEqualTo(new QueryResult.Complete(List.of(), List.of(), ProviderCounts.ofComplete(1, 0)));
        nothingIsLeft();
        assertThat(await(house.fanIn.unregister(once))).isTrue();
    }

    @Test
    void aMeterThatFailsCostsNobodyHisResult() {
        house.meterFault = new IllegalStateException("meter");
        Future<QueryResult> result = house.ask();
        a.last().first(List.of(node("iso/CH", 1)), false);
        a.last().first(List.of(), false);
        b.last().complete();
        house.settle();

        assertThat(result.result()).isInstanceOf(QueryResult.Complete.class);
        nothingIsLeft();
    }

    @Test
    void aMeterThatFailsCostsNobodyTheEnd() {
        Future<QueryResult> result = house.ask();
        List<QueryFrame> frames = house.follow();
        house.meterFault = new IllegalStateException("meter");
        house.pass(RUNG);

        assertThat(result.result()).isInstanceOf(QueryResult.Stalled.class);
        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Ended.class);
        nothingIsLeft();
    }

    private void followFromAContextThatIsClosed() {
        Vertx elsewhere = Vertx.vertx();
        elsewhere.runOnContext(turn -> house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {}));
        Awaitility.await().until(() -> !a.calls.isEmpty());
        await(elsewhere.close());
    }

    @Test
    void aContextThatIsClosedCostsTheOthersNoResult() {
        followFromAContextThatIsClosed();
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(), false);
        b.last().first(List.of(), false);
        house.settle();

        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Initial.class);
        assertThat(house.subscribers()).isEqualTo(1);
    }

    @Test
    void aContextThatIsClosedCostsTheOthersNoEnd() {
        followFromAContextThatIsClosed();
        List<QueryFrame> frames = house.follow();
        a.last().fail(new IllegalStateException("disk"));
        house.settle();

        assertThat(frames)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        QueryFrame.Ended.class,
                        end -> assertThat(end.cause())
                                .isInstanceOfSatisfying(
                                        QueryResult.Failed.class,
                                        failed -> assertThat(failed.providers()).containsExactly("a")));
        nothingIsLeft();
    }

    @Test
    void anErrorOfOneListenerCostsTheOthersNothing() {
        house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {
            throw new AssertionError("mine");
        });
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(), false);
        b.last().first(List.of(), false);
        house.settle();
        a.last().added(node("iso/CH", 1));
        house.pass(Duration.ofMillis(50));

        assertThat(frames).hasSize(2).first().isInstanceOf(QueryFrame.Initial.class);
        assertThat(house.timers()).isZero();
    }

    @Test
    void aListenerThatThrowsErrorsIsToldTheNextFrameAllTheSame() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostBehind(2), a);
        AtomicInteger heard = new AtomicInteger();
        ((VertxInternal) house.vertx)
                .createWorkerContext()
                .runOnContext(turn -> house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {
                    heard.incrementAndGet();
                    throw new AssertionError("mine");
                }));
        Awaitility.await().until(() -> !a.calls.isEmpty());
        a.last().first(List.of(node("iso/CH", 1)), false);
        for (int version = 2; version <= 5; version++) {
            int frames = version - 1;
            Awaitility.await().untilAsserted(() -> assertThat(heard).hasValue(frames));
            house.settle();
            a.last().updated(node("iso/CH", version));
            house.pass(Duration.ofMillis(50));
        }

        Awaitility.await().untilAsserted(() -> assertThat(heard).hasValue(5));
        assertThat(house.counted("query.listeners.behind")).isZero();
    }

    @Test
    void anErrorOfAProviderIsItsFailureAtOnce() {
        house.close();
        house = new QueryHouse(a, new Stub("b", call -> {
            throw new LinkageError("no such class");
        }));
        Future<QueryResult> result = house.ask();

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.providers()).containsExactly("b"));
        nothingIsLeft();
    }

    private void failsByItsName(Future<QueryResult> result) {
        house.settle();
        assertThat(result.result()).isInstanceOfSatisfying(QueryResult.Failed.class, failed -> {
            assertThat(failed.providers()).containsExactly("a");
            assertThat(failed.givenUp()).containsExactly("b");
        });
        nothingIsLeft();
    }

    @Test
    void aProviderThatTellsMuchMoreThanWasWantedFailsByItsName() {
        Future<QueryResult> result = house.ask(TWO, QueryCaller.MESH);
        List<QueryNode> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(node("iso/N" + i, 1));
        }
        a.last().first(many, false);

        failsByItsName(result);
    }

    @Test
    void aProviderThatTellsNothingForANodeFailsByItsName() {
        Future<QueryResult> result = house.ask();
        a.last().added(new AtomicReference<QueryNode>().get());

        failsByItsName(result);
    }

    @Test
    void aResultOfLargeNodesIsRefusedBeforeAPageOfItIsMade() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostWeight(1000), a);
        QueryNode small = node("iso/AT", 1);
        QueryNode large =
                new QueryNode(small.path(), "country", "AT", new JsonObject().put("text", "x".repeat(1000)), 2);
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(small), false);
        house.settle();
        assertThat(frames).singleElement().isInstanceOf(QueryFrame.Initial.class);
        a.last().updated(large);
        house.pass(Duration.ofMillis(50));
        assertThat(frames).last().isEqualTo(new QueryFrame.Updated(List.of(large)));

        Future<QueryResult> page = house.ask();

        assertThat(page.result()).isInstanceOfSatisfying(QueryResult.Failed.class, failed -> {
            assertThat(failed.failure())
                    .isInstanceOf(Rejected.class)
                    .hasMessageContaining("1 nodes of about")
                    .hasMessageContaining("mostWeight=1000");
            assertThat(failed.providers()).isEmpty();
        });
        assertThat(frames).last().isInstanceOf(QueryFrame.Ended.class);
        assertThat(house.runs()).isZero();
    }

    @Test
    void aSecondFirstResultIsNotEvenRead() {
        AtomicInteger read = new AtomicInteger();
        List<QueryNode> watched = new AbstractList<>() {
            @Override
            public QueryNode get(int index) {
                throw new IndexOutOfBoundsException(index);
            }

            @Override
            public int size() {
                read.incrementAndGet();
                return 0;
            }
        };
        house.close();
        house = new QueryHouse(new Stub("a", call -> {
            call.first(List.of(node("iso/CH", 1)), false);
            call.first(watched, false);
        }));
        Future<QueryResult> result = house.ask();

        assertThat(result.result()).isInstanceOf(QueryResult.Complete.class);
        assertThat(read).hasValue(0);
        assertThat(house.counted("query.provider.ignored")).isEqualTo(1);
    }

    @Test
    void aStallAtTheBoundOfACallerIsCounted() {
        house.ask();
        house.ask(QUERY, QueryCaller.MESH.within(Duration.ofSeconds(8)));
        house.pass(Duration.ofSeconds(4));

        assertThat(house.counted("query.provider.stalled")).isEqualTo(2);
    }

    @Test
    void whoAsksBeforeTheFanInIsThereIsToldSo() {
        QueryFanIn early = new QueryFanIn(
                new QueryFanIn.Parts("a", house, house, house), BudgetLadder.ofDefaults(), QueryOptions.ofDefaults());
        List<QueryFrame> frames = new CopyOnWriteArrayList<>();
        early.live(QUERY, QueryCaller.MESH, frames::add).close();

        assertThat(early.ask(QUERY, QueryCaller.MESH).result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Ended.class);
        assertThat(early.register(a).failed()).isTrue();
    }

    @Test
    void whoAsksOrLeavesAfterAllIsClosedIsToldSo() {
        LiveQuery live = house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {});
        house.settle();
        house.close();
        live.close();

        assertThat(house.fanIn.ask(QUERY, QueryCaller.MESH).result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
        assertThat(house.fanIn.register(new Stub("c")).failed()).isTrue();
        house = new QueryHouse();
    }

    @Test
    void aProviderNameIsASegmentOfAnAddress() {
        for (String name : List.of(".", "..")) {
            Future<Void> refused = house.fanIn.register(new Stub(name));
            await(refused);
            assertThat(refused.cause()).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aFailureThatTheCallMakesUpEndsTheProvidersCall() {
        house.follow(TWO, QueryCaller.MESH);
        a.last().first(Collections.nCopies(1_000, node("iso/CH", 1)), false);
        house.settle();
        assertThat(a.cancelled).hasValue(1);
        assertThat(b.cancelled).hasValue(1);
        nothingIsLeft();
    }
}
