package io.meshhub.hub.access.policy;

import static io.meshhub.hub.access.Permission.READ;
import static io.meshhub.hub.access.Permission.UPDATE;
import static io.meshhub.hub.access.policy.ModelBuilder.ANN;
import static io.meshhub.hub.access.policy.ModelBuilder.BOB;
import static io.meshhub.hub.access.policy.ModelBuilder.allow;
import static io.meshhub.hub.access.policy.ModelBuilder.assignment;
import static io.meshhub.hub.access.policy.ModelBuilder.group;
import static io.meshhub.hub.access.policy.ModelBuilder.policy;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Denied;
import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.policy.PolicyHouse.Source;
import io.meshhub.query.ProviderCall;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The access model as it is read: what is decided when a provider stalls, fails, leaves or tells of a change. */
@Timeout(60)
class AccessPoliciesTest {

    private static final Duration QUERY_RUNG = PolicyHouse.BUDGETS.queryInitial();
    private static final Duration PERMISSION_RUNG = PolicyHouse.BUDGETS.permission();
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration FLUSH = Duration.ofMillis(60);

    private final Source store = new Source("store");
    private final Source inventory = new Source("inventory");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private PolicyHouse house = PolicyHouse.of(store, inventory);

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(Readings.class)).addAppender(log);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(Readings.class)).detachAppender(log);
        house.close();
    }

    private void rebuild(PolicyHouse other) {
        house.close();
        house = other;
    }

    private Future<AccessDecision> ask(Principal who, Permission what, String where) {
        Future<AccessDecision> decision = house.policies.decide(who, what, MeshAddress.of(where));
        house.settle();
        return decision;
    }

    private @Nullable AccessDecision known(Principal who, Permission what, String where) {
        return house.policies.known(who, what, MeshAddress.of(where));
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static void isUndetermined(Future<AccessDecision> decision, String reason, String... providers) {
        assertThat(decision.isComplete()).as("done").isTrue();
        assertThat(decision.result()).isInstanceOfSatisfying(Undetermined.class, why -> {
            assertThat(why.providers()).containsExactly(providers);
            assertThat(why.reason()).contains(reason);
        });
    }

    private static void isGranted(Future<AccessDecision> decision) {
        assertThat(decision.isComplete()).as("done").isTrue();
        assertThat(decision.result()).isInstanceOf(Granted.class);
    }

    private static void isDenied(Future<AccessDecision> decision) {
        assertThat(decision.isComplete()).as("done").isTrue();
        assertThat(decision.result()).isInstanceOf(Denied.class);
    }

    /** P1: the policy read of one partition stalls, and the caller is its admin. */
    @Test
    void aStalledPartitionGrantsItsAdminNothingAndNamesTheProvider() {
        store.has(allow("acme/_Access/a", "ann", "admin")).has(allow("_control/_Access/b", "bob", "admin"));
        inventory.silentAbout.add("acme");
        Future<AccessDecision> ofThePartition = ask(ANN, READ, "acme/x");
        Future<AccessDecision> ofTheControlPartition = ask(BOB, READ, "acme/x");

        isGranted(ofTheControlPartition);
        house.pass(QUERY_RUNG.minus(MOMENT));
        assertThat(ofThePartition.isComplete()).isFalse();
        house.pass(MOMENT);

        isUndetermined(ofThePartition, "no first result of 'inventory'", "inventory");
        assertThat(warnings()).singleElement().asString().contains("partition 'acme'", "1 wait", "[inventory]");
        assertThat(house.counted("access.undetermined", "provider", "inventory"))
                .isEqualTo(1);
        assertThat(house.counted()).noneMatch(name -> name.contains("acme"));
        Future<JsonObject> explained = house.policies.explain(ANN, READ, MeshAddress.of("acme/x"));
        house.settle();
        JsonObject json = explained.result();
        assertThat(json.getString("decision")).isEqualTo("undetermined");
        assertThat(json.getJsonArray("providers")).containsExactly("inventory");
        isGranted(ask(BOB, READ, "acme/y"));
    }

    /** P1, the negative control: what the terminal is for. */
    @Test
    void withTheTerminalDisarmedTheDecisionHangs() {
        rebuild(PolicyHouse.disarmed(store, inventory));
        store.has(allow("acme/_Access/a", "ann", "admin"));
        inventory.silentAbout.add("acme");
        Future<AccessDecision> decision = ask(ANN, READ, "acme/x");

        house.pass(Duration.ofDays(7));

        assertThat(decision.isComplete()).as("done after a week").isFalse();
        assertThat(warnings()).isEmpty();
        inventory.about("acme").first(List.of(), false);
        house.settle();
        isGranted(decision);
    }

    @Test
    void whoeverWaitsIsBoundedByThePermissionRungAlsoWhereTheTerminalFails() {
        rebuild(PolicyHouse.withoutTerminal(store, inventory));
        inventory.silentAbout.add("acme");
        Future<AccessDecision> decision = ask(ANN, READ, "acme/x");

        house.pass(PERMISSION_RUNG.minus(MOMENT));
        assertThat(decision.isComplete()).isFalse();
        house.pass(MOMENT);

        isUndetermined(decision, "was not read within 20.0 s");
        assertThat(house.counted("access.undetermined", "provider", "none")).isEqualTo(1);
    }

    /** P2. */
    @Test
    void aPartitionWithoutAnyRuleIsUndetermined() {
        isUndetermined(ask(ANN, READ, "acme/x"), "neither an assignment nor a policy");
        assertThat(known(ANN, READ, "acme/x")).isNull();
    }

    @Test
    void aProviderThatCompletesWithoutAWordDidNotSayThatItHasNoRules() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        inventory.silentAbout.add("acme");
        Future<AccessDecision> decision = ask(ANN, READ, "acme/x");
        inventory.about("acme").complete();
        house.settle();

        isUndetermined(decision, "completed without a first result", "inventory");
    }

    /** P3. */
    @Test
    void membersOfGroupsOfAnotherPartitionAreFound() {
        store.has(assignment("acme/_Access/a", "group", "acme/_Group/staff", "viewer", "allow"))
                .has(group("acme/_Group/staff", List.of(), List.of("other/_Group/guests")));
        inventory.has(group("other/_Group/guests", List.of("ann"), List.of()));

        isGranted(ask(ANN, READ, "acme/x"));
        isDenied(ask(BOB, READ, "acme/x"));
        inventory.loses("other/_Group/guests");
        inventory.has(group("other/_Group/guests", List.of("bob"), List.of()));
        house.pass(FLUSH);
        isDenied(ask(ANN, READ, "acme/x"));
        isGranted(ask(BOB, READ, "acme/x"));
    }

    @Test
    void aDecisionIsKnownWithoutAWaitUntilTheModelChanges() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        assertThat(known(ANN, READ, "acme/x")).isNull();
        isGranted(ask(ANN, READ, "acme/x"));
        assertThat(known(ANN, READ, "acme/x")).isInstanceOf(Granted.class);
        assertThat(known(ANN, UPDATE, "acme/x")).isNull();

        store.has(assignment("acme/x/_Access/d", "principal", "ann", "viewer", "deny"));
        house.pass(FLUSH);

        assertThat(known(ANN, READ, "acme/x")).isNull();
        isDenied(ask(ANN, READ, "acme/x"));
        assertThat(known(ANN, READ, "acme/x")).isInstanceOf(Denied.class);
        store.has(policy("_control/_Policy/public", "allow", "read"));
        house.pass(FLUSH);
        isGranted(ask(ANN, READ, "acme/x"));
        assertThat(store.asked("acme")).isEqualTo(1);
    }

    @Test
    void aChangeOfOnePartitionLeavesWhatIsKnownOfOthers() {
        store.has(allow("acme/_Access/a", "ann", "viewer")).has(allow("other/_Access/a", "ann", "viewer"));
        isGranted(ask(ANN, READ, "acme/x"));
        isGranted(ask(ANN, READ, "other/x"));

        store.has(allow("other/_Access/b", "bob", "viewer"));
        house.pass(FLUSH);

        assertThat(known(ANN, READ, "acme/x")).isInstanceOf(Granted.class);
        assertThat(known(ANN, READ, "other/x")).isNull();
    }

    @Test
    void aFaultTakesBackWhatIsKnownRestsAndIsReadAnewByTheNextWhoNeedsIt() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        isGranted(ask(ANN, READ, "acme/x"));
        store.about("acme").fail(new Unavailable("the disk is gone", FailureDetail.NONE, false));
        house.settle();

        assertThat(known(ANN, READ, "acme/x")).isNull();
        isUndetermined(ask(ANN, READ, "acme/x"), "the disk is gone", "store");
        isUndetermined(ask(ANN, READ, "acme/y"), "the disk is gone", "store");
        assertThat(store.asked("acme")).isEqualTo(1);
        house.pass(AccessPolicies.REST.minus(MOMENT));
        isUndetermined(ask(ANN, READ, "acme/x"), "the disk is gone", "store");
        house.pass(MOMENT);
        isGranted(ask(ANN, READ, "acme/x"));
        assertThat(store.asked("acme")).isEqualTo(2);
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void aProviderThatStallsForGoodIsAskedOneAtATimeHoweverManyWait() {
        inventory.silentAbout.add("acme");
        List<Future<AccessDecision>> decisions = new ArrayList<>();
        for (int second = 0; second < 32; second++) {
            for (int i = 0; i < 5; i++) {
                decisions.add(house.policies.decide(ANN, READ, MeshAddress.of("acme/x" + i)));
            }
            house.pass(Duration.ofSeconds(1));
        }

        assertThat(inventory.asked("acme")).isEqualTo(2);
        house.pass(PERMISSION_RUNG);
        assertThat(decisions).allSatisfy(decision -> isUndetermined(decision, "inventory", "inventory"));
        assertThat(inventory.cancelled.get()).as("calls that were ended").isEqualTo((int) inventory.asked("acme"));
    }

    @Test
    void theEndOfAnOlderReadingTakesNothingFromANewerOne() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        isGranted(ask(ANN, READ, "acme/x"));
        ProviderCall older = store.about("acme");
        older.fail(new Unavailable("the disk is gone", FailureDetail.NONE, false));
        house.pass(AccessPolicies.REST);
        isGranted(ask(ANN, READ, "acme/x"));

        older.fail(new Unavailable("the disk is gone again", FailureDetail.NONE, false));
        older.removed(MeshAddress.of("acme/_Access/a"));
        house.pass(FLUSH);

        assertThat(known(ANN, READ, "acme/x")).isInstanceOf(Granted.class);
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void aProviderThatLeavesTakesItsRulesAlongAndIsNamed() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        inventory.has(assignment("acme/x/_Access/d", "principal", "ann", "viewer", "deny"));
        isDenied(ask(ANN, READ, "acme/x"));

        PolicyHouse.await(house.fanIn.unregister(inventory));
        house.pass(FLUSH);

        assertThat(known(ANN, READ, "acme/x")).isNull();
        isUndetermined(ask(ANN, READ, "acme/x"), "left", "inventory");
    }

    @Test
    void aRuleThatCannotBeReadIsNamedOnceInTheLog() {
        store.has(allow("acme/_Access/a", "ann", "viewer"))
                .has(ModelBuilder.node("acme/x/_Access/bad", "access-assignment", new JsonObject()));

        isUndetermined(ask(ANN, READ, "acme/x"), "acme/x/_Access/bad");
        store.has(allow("acme/_Access/b", "bob", "viewer"));
        house.pass(FLUSH);
        isGranted(ask(BOB, READ, "acme/w"));

        assertThat(warnings()).singleElement().asString().contains("acme/x/_Access/bad", "cannot be read");
    }

    @Test
    void theConfigurationsAdminWaitsForNobody() {
        inventory.silentAbout.add(AccessModel.CONTROL);
        Principal root = Principal.of("root", Set.of("admin"));

        assertThat(known(root, UPDATE, "_control/_Access/first")).isInstanceOf(Granted.class);
        isGranted(ask(root, UPDATE, "acme/x"));
        assertThat(store.calls).isEmpty();
    }

    @Test
    void afterTheStopNobodyWaitsAndNothingIsKnown() {
        store.has(allow("acme/_Access/a", "ann", "viewer"));
        isGranted(ask(ANN, READ, "acme/x"));
        inventory.silentAbout.add("other");
        Future<AccessDecision> waits = ask(ANN, READ, "other/x");

        PolicyHouse.await(house.vertx.undeploy(house.deployment));

        isUndetermined(waits, "node a stops");
        assertThat(known(ANN, READ, "acme/x")).isNull();
        Future<AccessDecision> late = house.policies.decide(ANN, READ, MeshAddress.of("acme/x"));
        isUndetermined(late, "node a does not decide");
        PolicyHouse.await(house.fanIn.providers("nodes"));
        assertThat(house.timers()).isZero();
    }

    @Test
    void anExplanationShowsEachRuleInOrderWithItsOriginAndVersion() {
        store.has(allow("_control/_Access/c", "bob", "viewer"))
                .has(policy("acme/_Policy/no-delete", "deny", "delete"))
                .has(allow("acme/_Access/a", "ann", "editor"));
        Future<JsonObject> explained = house.policies.explain(ANN, UPDATE, MeshAddress.of("acme/x"));
        house.settle();

        JsonObject json = explained.result();
        assertThat(json.getString("decision")).isEqualTo("granted");
        assertThat(json.getJsonArray("steps"))
                .extracting(step -> ((JsonObject) step).getString("origin"))
                .containsExactly("_control/_Access/c", "acme/_Policy/no-delete", "acme/_Access/a");
        assertThat(json.getJsonArray("steps"))
                .allSatisfy(step ->
                        assertThat(((JsonObject) step).getLong("version")).isEqualTo(1));
    }
}
