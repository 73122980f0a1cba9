package io.meshhub.hub.access.existence;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.existence.Existence.Assumed;
import io.meshhub.hub.access.existence.Existence.Fault;
import io.meshhub.hub.access.existence.Existence.Known;
import io.meshhub.hub.access.policy.PolicyHouse;
import io.meshhub.hub.access.policy.PolicyHouse.Source;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** P8: existence over a fan-in, in a time of the test's own. */
@Timeout(60)
class ExistenceProbeTest {

    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration QUERY_RUNG = PolicyHouse.BUDGETS.queryInitial();
    private static final Query QUERY = Query.parse("path:acme scope:children nodeType:rule");

    private final Source store = new Source("store");
    private final Source inventory = new Source("inventory");
    private final PolicyHouse house = PolicyHouse.of(store, inventory);
    private final List<Existence> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        house.close();
    }

    private ExistenceProbe probe(BudgetLadder ladder) {
        return new ExistenceProbe(new ExistenceProbe.Parts("a", house.fanIn, house, house), ladder);
    }

    private ExistenceProbe probe() {
        return probe(PolicyHouse.BUDGETS);
    }

    private Future<Existence> ask() {
        Future<Existence> asked = probe().ask(QUERY, QueryCaller.MESH);
        house.settle();
        return asked;
    }

    private LiveQuery follow() {
        LiveQuery live = probe().follow(QUERY, QueryCaller.MESH, told::add);
        house.settle();
        return live;
    }

    private static QueryNode rule(String path) {
        return new QueryNode(MeshAddress.of(path), "rule", "x", new JsonObject(), 1);
    }

    private void fail(Source source) {
        // No fault of a connection, which would be tried again.
        source.calls.get(source.calls.size() - 1).fail(new Rejected("the disk is gone", FailureDetail.NONE, -1));
        house.settle();
    }

    @ParameterizedTest
    @CsvSource({
        "30s, 10s, , 10000",
        "30s, 800ms, , 800",
        "20s, 10s, , 2500",
        "8s, 10s, , 500",
        "8s, 800ms, , 500",
        "30s, 10s, 4s, 2000",
        "30s, 800ms, 4s, 800"
    })
    void theBoundIsItsOwnOrWhatNestsInTheQueryAndTheTimeOfTheCaller(
            String operation, String figure, String left, long millis) {
        QueryCaller caller = left == null ? QueryCaller.MESH : QueryCaller.MESH.within(duration(left));
        assertThat(probe(BudgetLadder.of(duration(operation))).bound(duration(figure), caller))
                .isEqualTo(Duration.ofMillis(millis));
    }

    private static Duration duration(String text) {
        return Duration.parse(
                text.endsWith("ms")
                        ? "PT0." + text.substring(0, text.length() - 2) + "S"
                        : "PT" + text.toUpperCase(Locale.ROOT));
    }

    @Test
    void whatAllProvidersSaidIsKnownAndFollowed() {
        assertThat(ask().result()).isEqualTo(new Known(false));
        LiveQuery live = follow();
        store.has(rule("acme/a"));
        house.pass(Duration.ofMillis(60));
        inventory.has(rule("acme/b"));
        house.pass(Duration.ofMillis(60));
        store.loses("acme/a");
        house.pass(Duration.ofMillis(60));
        inventory.loses("acme/b");
        house.pass(Duration.ofMillis(60));

        assertThat(told).containsExactly(new Known(false), new Known(true), new Known(false));
        assertThat(house.timers()).isZero();
        live.close();
        house.settle();
        store.has(rule("acme/c"));
        house.pass(Duration.ofMillis(60));
        assertThat(told).hasSize(3);
    }

    @Test
    void itIsAbsentAtItsOwnBoundAndTheStallIsShownLater() {
        inventory.silent = true;
        store.has(rule("acme/a"));
        Future<Existence> once = ask();
        follow();

        house.pass(ExistenceProbe.BOUND.minus(MOMENT));
        assertThat(once.isComplete()).isFalse();
        assertThat(told).isEmpty();
        house.pass(MOMENT);
        assertThat(once.result()).isEqualTo(new Assumed(ExistenceProbe.BOUND));
        assertThat(told).containsExactly(new Assumed(ExistenceProbe.BOUND));

        house.pass(QUERY_RUNG);
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).isInstanceOfSatisfying(Fault.class, fault -> {
            assertThat(fault.providers()).containsExactly("inventory");
            assertThat(fault.reason()).contains("no first result of 'inventory'");
        });
        assertThat(house.timers()).isZero();
    }

    @Test
    void whoAnswersAfterTheBoundMakesItKnown() {
        inventory.silent = true;
        follow();
        house.pass(ExistenceProbe.BOUND);
        inventory.calls.get(0).first(List.of(rule("acme/a")), false);
        house.settle();

        assertThat(told).containsExactly(new Assumed(ExistenceProbe.BOUND), new Known(true));
    }

    @Test
    void aFaultBeforeTheBoundOrAfterAnAnswerIsShownAsOne() {
        follow();
        assertThat(told).containsExactly(new Known(false));
        fail(store);
        assertThat(told).hasSize(2);
        assertThat(told.get(1))
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.providers()).containsExactly("store"));

        inventory.silent = true;
        Future<Existence> once = ask();
        fail(inventory);
        assertThat(once.result())
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.reason()).contains("the disk is gone"));
        assertThat(house.timers()).isZero();
    }

    @Test
    void aProviderThatCompletesWithoutAWordDidNotSayThatThereIsNothing() {
        inventory.silent = true;
        Future<Existence> once = ask();
        inventory.calls.get(0).complete();
        house.settle();

        assertThat(once.result())
                .isInstanceOfSatisfying(
                        Fault.class, fault -> assertThat(fault.providers()).containsExactly("inventory"));
    }

    @ParameterizedTest
    @EnumSource(FailOpen.class)
    void eachFailOpenUseAnswersAtItsOwnBoundBeforeTheStallAndSaysSo(FailOpen use) {
        inventory.silent = true;
        Future<FailOpen.Answer> asked = probe().ask(use, QUERY, QueryCaller.MESH);
        house.pass(use.bound().minus(MOMENT));
        assertThat(asked.isComplete()).isFalse();
        house.pass(MOMENT);

        boolean open = use == FailOpen.MAY_CREATE_TYPE;
        assertThat(use.bound()).isLessThan(QUERY_RUNG);
        assertThat(asked.result().yes()).isEqualTo(open);
        assertThat(asked.result().assumed()).isTrue();
        assertThat(asked.result().why())
                .isEqualTo("nobody knew within " + use.bound().toMillis() + " ms");
        assertThat(house.counted("access.assumed", "use", use.name().toLowerCase(Locale.ROOT)))
                .isEqualTo(1);

        Future<FailOpen.Answer> faulted = probe().ask(use, QUERY, QueryCaller.MESH);
        house.settle();
        fail(inventory);
        assertThat(faulted.result().yes()).isEqualTo(open);
        assertThat(faulted.result().assumed()).isTrue();
        assertThat(faulted.result().why()).contains("the disk is gone");
        assertThat(house.timers()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "MAY_CREATE_TYPE, false, true", "LAST_ADMIN, false, true",
        "SURFACE, true, false", "ROUTING_RULES, true, false"
    })
    void whatIsKnownIsTheAnswer(FailOpen use, boolean ifFound, boolean ifNot) {
        Future<FailOpen.Answer> none = probe().ask(use, QUERY, QueryCaller.MESH);
        house.settle();
        assertThat(none.result()).isEqualTo(new FailOpen.Answer(ifNot, false, ""));
        store.has(rule("acme/a"));
        Future<FailOpen.Answer> one = probe().ask(use, QUERY, QueryCaller.MESH);
        house.settle();
        assertThat(one.result()).isEqualTo(new FailOpen.Answer(ifFound, false, ""));
        assertThat(house.counted()).noneMatch(name -> name.startsWith("access.assumed"));
    }
}
