package io.meshhub.query;

import static io.meshhub.query.QueryHouse.QUERY;
import static io.meshhub.query.QueryHouse.RUNG;
import static io.meshhub.query.QueryHouse.await;
import static io.meshhub.query.QueryHouse.node;
import static io.meshhub.query.QueryHouse.paths;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.QueryHouse.Stub;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Q1 to Q8 and Q11: the beginning of a result, and its ends; no second of it is real. */
@Timeout(30)
class QueryFanInTest {

    private final Stub a = new Stub("a");
    private final Stub b = new Stub("b");
    private QueryHouse house = new QueryHouse(a, b);

    @AfterEach
    void close() {
        house.close();
    }

    private void only(Stub... providers) {
        house.close();
        house = new QueryHouse(providers);
    }

    private void nothingIsLeft() {
        assertThat(house.timers()).isZero();
        assertThat(house.runs()).isZero();
    }

    @Test
    void whoCompletesSilentlyIsEmptyAndNamed() {
        Future<QueryResult> result = house.ask();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        house.settle();

        assertThat(result.result())
                .isEqualTo(new QueryResult.Complete(
                        List.of(node("iso/CH", 1)), List.of("b"), ProviderCounts.ofComplete(1, 1)));
        nothingIsLeft();
    }

    @Test
    void whereAllAreSilentTheResultIsEmpty() {
        Future<QueryResult> result = house.ask();
        a.last().complete();
        b.last().complete();
        house.settle();

        assertThat(result.result())
                .isEqualTo(new QueryResult.Complete(List.of(), List.of("a", "b"), ProviderCounts.ofComplete(0, 2)));
        nothingIsLeft();
    }

    @Test
    void whoStallsEndsTheQueryAtTheRungAndIsNamedAlone() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        house.pass(RUNG.minusNanos(1));
        assertThat(frames).isEmpty();
        house.pass(Duration.ofNanos(1));

        QueryResult.Stalled stalled = (QueryResult.Stalled) ((QueryFrame.Ended) frames.get(0)).cause();
        QueryProviderStalled failure = stalled.failure();
        assertThat(failure.stalls()).containsExactly(new Stall("b", Duration.ZERO, RUNG, 1));
        assertThat(failure.rung()).isEqualTo(RUNG);
        assertThat(failure).hasMessageContaining("'b'").hasMessageContaining("15.0 s");
        assertThat(failure).hasMessageEndingWith("do not raise the caller's time-out");
        assertThat(stalled.counts()).isEqualTo(new ProviderCounts(2, 1, 0, 0, 1));
        assertThat(frames).hasSize(1);
        assertThat(a.cancelled).hasValue(1);
        assertThat(b.cancelled).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void aSingleProviderThatStallsIsNamedTheSameWay() {
        only(a);
        Future<QueryResult> result = house.ask();
        house.pass(RUNG);

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Stalled.class,
                        stalled -> assertThat(stalled.failure().providers()).containsExactly("a"));
        nothingIsLeft();
    }

    @Test
    void afterAllAnsweredTheResultIsLiveBeyondTheRung() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().first(List.of(node("iso/DE", 1)), false);
        house.pass(RUNG.multipliedBy(3));
        b.last().added(node("iso/AT", 1));
        house.pass(Duration.ofMillis(50));

        assertThat(frames)
                .containsExactly(
                        new QueryFrame.Initial(
                                List.of(node("iso/CH", 1), node("iso/DE", 1)),
                                List.of(),
                                ProviderCounts.ofComplete(2, 0)),
                        new QueryFrame.Added(List.of(node("iso/AT", 1))));
        assertThat(house.timers()).isZero();
    }

    @Test
    void providersThatAnswerWhileTheyAreOpenedLeaveNoTimer() {
        only(
                new Stub("a", call -> call.first(List.of(node("iso/CH", 1)), false)),
                new Stub("b", ProviderCall::complete));
        List<QueryFrame> frames = house.follow();

        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Initial.class);
        assertThat(house.timers()).isZero();
    }

    @Test
    void eachWhoAsksHasABoundOfHisOwn() {
        Future<QueryResult> longer = house.ask();
        Future<QueryResult> shorter = house.ask(QUERY, QueryCaller.MESH.within(Duration.ofSeconds(8)));
        assertThat(a.calls).hasSize(1);
        assertThat(house.timers()).isEqualTo(2);
        house.pass(Duration.ofSeconds(4));

        assertThat(shorter.result())
                .isInstanceOfSatisfying(
                        QueryResult.Stalled.class,
                        stalled -> assertThat(stalled.failure().rung()).isEqualTo(Duration.ofSeconds(4)));
        assertThat(longer.isComplete()).isFalse();
        a.last().first(List.of(), false);
        b.last().first(List.of(), false);
        house.settle();
        assertThat(longer.result()).isInstanceOf(QueryResult.Complete.class);
        nothingIsLeft();
    }

    @Test
    void aProvidersOwnErrorIsTheEndAndNoStall() {
        Future<QueryResult.Complete> run = house.fanIn.run(QUERY, QueryCaller.MESH);
        house.settle();
        a.last().fail(new IllegalStateException("disk"));
        house.settle();

        assertThat(run.cause())
                .isInstanceOfSatisfying(
                        HandlerFailed.class,
                        failed -> assertThat(failed.address()).contains("_query/a"));
        nothingIsLeft();
    }

    @Test
    void aConnectionFaultIsRetriedThreeTimesAtItsPaceAndThenTheEnd() {
        Future<QueryResult> result = house.ask();
        b.last().complete();
        for (long rest : List.of(250L, 500L, 1000L)) {
            a.last().fail(new ConnectException("refused"));
            house.pass(Duration.ofMillis(rest - 1));
            int before = a.calls.size();
            house.pass(Duration.ofMillis(1));
            assertThat(a.calls).hasSize(before + 1);
        }
        assertThat(result.isComplete()).isFalse();
        a.last().fail(new ConnectException("refused"));
        house.settle();

        assertThat(a.calls).hasSize(4);
        assertThat(result.result()).isInstanceOfSatisfying(QueryResult.Failed.class, failed -> {
            assertThat(failed.providers()).containsExactly("a");
            assertThat(failed.failure()).isInstanceOf(Unavailable.class);
            assertThat(failed.counts()).isEqualTo(new ProviderCounts(2, 0, 1, 1, 0));
        });
        nothingIsLeft();
    }

    @Test
    void aPlainTimeOutIsNotRetriedAndNothingIsAfterTheFirstResult() {
        house.ask();
        a.last().fail(new TimeoutException("slow"));
        house.settle();
        assertThat(a.calls).hasSize(1);
        nothingIsLeft();

        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(), false);
        b.last().first(List.of(), false);
        a.last().fail(new ConnectException("refused"));
        house.pass(RUNG);
        assertThat(a.calls).hasSize(2);
        assertThat(frames).hasSize(2).last().isInstanceOf(QueryFrame.Ended.class);
        nothingIsLeft();
    }

    @Test
    void aDeletionBeforeTheFirstResultShowsNothing() {
        List<QueryFrame> frames = house.follow();
        b.last().complete();
        a.last().removed(MeshAddress.of("iso/CH"));
        house.pass(Duration.ofSeconds(1));
        assertThat(frames).isEmpty();
        a.last().first(List.of(node("iso/DE", 1)), false);
        house.settle();

        assertThat(frames)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        QueryFrame.Initial.class,
                        initial -> assertThat(paths(initial.nodes())).containsExactly("iso/DE"));
        assertThat(house.counted("query.provider.ignored")).isEqualTo(1);
    }

    @Test
    void rapidChangesArriveTogetherOnceAndWhatWasKnownIsUpdated() {
        List<QueryFrame> frames = house.follow();
        b.last().complete();
        a.last().first(List.of(node("iso/CH", 1)), false);
        for (int version = 2; version <= 100; version++) {
            a.last().added(node("iso/CH", version));
            a.last().updated(node("iso/DE", version));
        }
        a.last().updated(node("other/FR", 1));
        house.pass(Duration.ofMillis(50));

        assertThat(frames.subList(1, frames.size()))
                .containsExactly(
                        new QueryFrame.Updated(List.of(node("iso/CH", 100))),
                        new QueryFrame.Added(List.of(node("iso/DE", 100))));
        assertThat(house.timers()).isZero();
    }

    @Test
    void twoPrincipalsNeverShareAndEqualOnesDo() {
        house.follow(QUERY, QueryCaller.of("ann"));
        house.follow(QUERY, QueryCaller.of("bob"));
        List<QueryFrame> again = house.follow(Query.parse("scope:children  path:iso"), QueryCaller.of("ann"));

        assertThat(a.calls).hasSize(2);
        assertThat(a.calls)
                .extracting(ProviderCall::principal)
                .extracting(p -> p.orElse(""))
                .containsExactly("ann", "bob");
        a.calls.get(0).first(List.of(node("iso/CH", 1)), false);
        b.calls.get(0).complete();
        house.settle();
        assertThat(again).hasSize(1);
        assertThat(house.follow(QUERY, QueryCaller.of("bob"))).isEmpty();
        assertThat(house.follow(QUERY, QueryCaller.of("ann"))).isEqualTo(again);
        assertThat(a.calls).hasSize(2);
    }

    @Test
    void aRunThatFailedIsNotKeptAndTheNextOneIsNew() {
        Future<QueryResult> first = house.ask();
        a.last().fail(new IllegalStateException("disk"));
        house.settle();
        Future<QueryResult> second = house.ask();
        a.last().first(List.of(), false);
        b.last().first(List.of(), false);
        a.calls.get(0).first(List.of(node("iso/CH", 1)), false);
        house.settle();

        assertThat(first.result()).isInstanceOf(QueryResult.Failed.class);
        assertThat(second.result())
                .isEqualTo(new QueryResult.Complete(List.of(), List.of(), ProviderCounts.ofComplete(2, 0)));
        nothingIsLeft();
    }

    @Test
    void theLastWhoLeavesEndsTheCalls() {
        LiveQuery one = house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {});
        LiveQuery two = house.fanIn.live(QUERY, QueryCaller.MESH, frame -> {});
        house.settle();
        one.close();
        house.settle();
        assertThat(a.cancelled).hasValue(0);
        two.close();
        two.close();
        house.settle();

        assertThat(a.cancelled).hasValue(1);
        assertThat(b.cancelled).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void aProviderThatTakesBackWhatItToldIsReadOnceAgain() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        house.pass(Duration.ofSeconds(1));
        a.last().reset();
        house.settle();
        assertThat(a.calls).hasSize(2);
        assertThat(a.cancelled).hasValue(1);
        a.last().first(List.of(node("iso/DE", 2)), false);
        house.settle();

        assertThat(frames).last().isEqualTo(new QueryFrame.Reset(List.of(node("iso/DE", 2)), List.of()));
        assertThat(house.timers()).isZero();
    }

    @Test
    void aProviderThatIsOpenedAgainAndStallsEndsTheQuery() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().complete();
        house.pass(Duration.ofSeconds(1));
        a.last().reset();
        house.pass(RUNG);

        assertThat(frames)
                .last()
                .isInstanceOfSatisfying(
                        QueryFrame.Ended.class, end -> assertThat(end.cause()).isInstanceOf(QueryResult.Stalled.class));
        nothingIsLeft();
    }

    @Test
    void whoComesIsOpenedByLiveQueriesAndWhoLeavesIsNamedByAReset() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        b.last().first(List.of(node("iso/DE", 1)), false);
        house.settle();
        Stub c = new Stub("c", call -> call.first(List.of(node("iso/AT", 1)), false));
        await(house.fanIn.register(c));
        await(house.fanIn.unregister(b));
        house.settle();

        assertThat(frames.subList(1, frames.size()))
                .containsExactly(
                        new QueryFrame.Added(List.of(node("iso/AT", 1))),
                        new QueryFrame.Reset(List.of(node("iso/AT", 1), node("iso/CH", 1)), List.of("b")));
        assertThat(b.cancelled).hasValue(1);
        assertThat(house.timers()).isZero();
    }

    @Test
    void whoLeavesBeforeItsFirstResultFailsTheQueryByName() {
        Future<QueryResult> result = house.ask();
        await(house.fanIn.unregister(b));
        house.settle();

        assertThat(result.result()).isInstanceOfSatisfying(QueryResult.Failed.class, failed -> {
            assertThat(failed.providers()).containsExactly("b");
            assertThat(failed.givenUp()).containsExactly("a");
        });
        nothingIsLeft();
    }

    @Test
    void aResultBeyondTheBoundIsRefusedAndNeverCut() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostNodes(2), a, b);
        Future<QueryResult> result = house.ask();
        a.last().first(List.of(node("iso/CH", 1), node("iso/DE", 1)), false);
        b.last().first(List.of(node("iso/AT", 1)), false);
        house.settle();

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Rejected.class));
        nothingIsLeft();
    }

    @Test
    void moreCallersThanTheBoundAreRefused() {
        house.close();
        house = new QueryHouse(QueryOptions.ofDefaults().withMostSubscribers(1), a, b);
        house.follow();
        Future<QueryResult> second = house.ask();

        assertThat(second.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Overloaded.class));
    }

    @Test
    void whereNobodyAnswersForASourceThatIsSaid() {
        only();

        assertThat(house.ask().result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
    }

    @Test
    void whatIsToldTwiceOrAfterTheEndChangesNothing() {
        List<QueryFrame> frames = house.follow();
        a.last().first(List.of(node("iso/CH", 1)), false);
        a.last().first(List.of(node("iso/DE", 1)), false);
        b.last().complete();
        b.last().first(List.of(node("iso/AT", 1)), false);
        b.last().fail(new IllegalStateException("late"));
        house.pass(RUNG);

        assertThat(frames)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        QueryFrame.Initial.class,
                        initial -> assertThat(paths(initial.nodes())).containsExactly("iso/CH"));
        assertThat(house.counted("query.provider.ignored")).isEqualTo(3);
    }

    @Test
    void theEndOfTheFanInEndsItsQueries() {
        List<QueryFrame> frames = house.follow();
        await(house.vertx.undeploy(house.deployment));
        house.settle();

        assertThat(frames).hasSize(1).first().isInstanceOf(QueryFrame.Ended.class);
        nothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"30, 15", "20, 5", "8, 1"})
    void theRungOfTheLadderIsTheOneThatEndsAQuery(int operation, int rung) {
        house.close();
        house = new QueryHouse(BudgetLadder.of(Duration.ofSeconds(operation)), a);
        Future<QueryResult> result = house.ask();
        assertThat(a.last().remaining()).isEqualTo(Duration.ofSeconds(rung));
        house.pass(Duration.ofSeconds(rung).minusNanos(1));
        assertThat(result.isComplete()).isFalse();
        house.pass(Duration.ofNanos(1));

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Stalled.class,
                        stalled -> assertThat(stalled.failure().rung()).isEqualTo(Duration.ofSeconds(rung)));
    }
}
