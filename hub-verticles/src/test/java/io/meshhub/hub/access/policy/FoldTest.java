package io.meshhub.hub.access.policy;

import static io.meshhub.hub.access.Permission.ADMIN;
import static io.meshhub.hub.access.Permission.CREATE;
import static io.meshhub.hub.access.Permission.DELETE;
import static io.meshhub.hub.access.Permission.EXECUTE;
import static io.meshhub.hub.access.Permission.READ;
import static io.meshhub.hub.access.Permission.UPDATE;
import static io.meshhub.hub.access.policy.ModelBuilder.ANN;
import static io.meshhub.hub.access.policy.ModelBuilder.BOB;
import static io.meshhub.hub.access.policy.ModelBuilder.group;
import static io.meshhub.hub.access.policy.ModelBuilder.node;
import static io.meshhub.hub.access.policy.ModelBuilder.policy;
import static io.meshhub.hub.access.policy.ModelBuilder.role;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Denied;
import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of the access model, by examples. */
class FoldTest {

    private final ModelBuilder model = new ModelBuilder();

    private static void isGranted(AccessDecision decision, String by) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Granted.class, granted -> assertThat(granted.rule()).contains(by));
    }

    private static void isDenied(AccessDecision decision, String by) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.rule()).contains(by));
    }

    private static void isUndetermined(AccessDecision decision, String by, String... providers) {
        assertThat(decision).isInstanceOfSatisfying(Undetermined.class, undetermined -> {
            assertThat(undetermined.reason()).contains(by);
            assertThat(undetermined.providers()).containsExactly(providers);
        });
    }

    @Test
    void anAssignmentHoldsInItsScopeAndBelowAndNowhereElse() {
        model.allowed("acme/x/_Access/a", "ann", "editor");

        isGranted(model.ask(ANN, UPDATE, "acme/x"), "acme/x/_Access/a, version 1");
        isGranted(model.ask(ANN, UPDATE, "acme/x/y/z"), "acme/x/_Access/a");
        isDenied(model.ask(ANN, UPDATE, "acme/xy"), "no rule gives principal 'ann' permission 'update'");
        isDenied(model.ask(ANN, UPDATE, "acme"), "no rule");
        isDenied(model.ask(BOB, UPDATE, "acme/x"), "no rule");
        isDenied(model.ask(ANN, ADMIN, "acme/x"), "no rule");
    }

    @Test
    void theNearestScopeWins() {
        model.allowed("acme/_Access/a", "ann", "editor")
                .denied("acme/x/_Access/d", "ann", "viewer")
                .allowed("acme/x/y/_Access/a", "ann", "viewer");

        isGranted(model.ask(ANN, READ, "acme/w"), "acme/_Access/a");
        isDenied(model.ask(ANN, READ, "acme/x/w"), "acme/x/_Access/d");
        isGranted(model.ask(ANN, READ, "acme/x/y/z"), "acme/x/y/_Access/a");
        isGranted(model.ask(ANN, UPDATE, "acme/x/w"), "acme/_Access/a");
    }

    @Test
    void atOneScopeADenyBeatsEveryAllow() {
        model.allowed("acme/_Access/a", "ann", "admin")
                .allowed("acme/_Access/z", "ann", "editor")
                .denied("acme/_Access/d", "ann", "viewer");

        isDenied(model.ask(ANN, READ, "acme/x"), "acme/_Access/d");
        isGranted(model.ask(ANN, UPDATE, "acme/x"), "acme/_Access/a");
    }

    @Test
    void aPolicyThatDeniesBeatsEveryScopeAndOneThatAllowsIsTheWeakest() {
        model.with(policy("acme/_Policy/no-delete", "deny", "delete"))
                .with(policy("acme/_Policy/public", "allow", "read"))
                .allowed("acme/x/_Access/a", "ann", "admin")
                .denied("acme/secret/_Access/d", "bob", "viewer");

        isDenied(model.ask(ANN, DELETE, "acme/x/y"), "policy acme/_Policy/no-delete");
        isGranted(model.ask(BOB, READ, "acme/x"), "policy acme/_Policy/public");
        isDenied(model.ask(BOB, READ, "acme/secret/1"), "acme/secret/_Access/d");
    }

    @Test
    void rolesOfAPartitionHaveWhatTheyListAndNothingMore() {
        model.with(role("acme/_Role/keeper", "admin", "read")).allowed("acme/_Access/a", "ann", "keeper");

        isGranted(model.ask(ANN, READ, "acme/x"), "role 'keeper'");
        isGranted(model.ask(ANN, ADMIN, "acme/x"), "role 'keeper'");
        isDenied(model.ask(ANN, UPDATE, "acme/x"), "no rule");
    }

    @Test
    void whoeverChangesTheModelNeedsAdmin() {
        model.allowed("acme/_Access/a", "ann", "editor").allowed("acme/_Access/b", "bob", "admin");

        for (String satellite :
                List.of("_Access/n", "x/_Access/n", "_Role/r", "_Group/g", "_Policy/p", "_Identity/i")) {
            String where = "acme/" + satellite;
            for (Permission change : List.of(CREATE, UPDATE, DELETE, EXECUTE)) {
                isDenied(model.ask(ANN, change, where), "permission 'admin'");
                isGranted(model.ask(BOB, change, where), "acme/_Access/b");
            }
            isGranted(model.ask(ANN, READ, where), "acme/_Access/a");
        }
        assertThat(AccessModel.asked(UPDATE, MeshAddress.of("acme/_Activity/import-1")))
                .isEqualTo(UPDATE);
        assertThat(AccessModel.asked(UPDATE, MeshAddress.of("acme/_Access/a/below")))
                .isEqualTo(ADMIN);
    }

    /** P3. */
    @Test
    void groupsNestedGroupsAndGroupsOfAnotherPartitionHaveTheirMembers() {
        model.with(group("acme/_Group/staff", List.of("ann"), List.of("acme/_Group/interns", "other/_Group/guests")))
                .with(group("acme/_Group/interns", List.of("ida"), List.of()))
                .with(group("other/_Group/guests", List.of("gus"), List.of()))
                .groupIs("acme/_Access/s", "acme/_Group/staff", "viewer", "allow");

        for (String member : List.of("ann", "ida", "gus")) {
            isGranted(model.ask(Principal.of(member, Set.of()), READ, "acme/x"), "group 'acme/_Group/staff'");
        }
        isDenied(model.ask(BOB, READ, "acme/x"), "no rule");
    }

    /** P3. */
    @Test
    void aDenyOfAGroupTakesFromItsMembersUntilTheyLeaveIt() {
        model.with(group("acme/_Group/blocked", List.of("ann"), List.of()))
                .with(policy("acme/_Policy/public", "allow", "read"))
                .groupIs("acme/x/_Access/d", "acme/_Group/blocked", "viewer", "deny");

        isDenied(model.ask(ANN, READ, "acme/x"), "deny of role 'viewer' to group 'acme/_Group/blocked'");
        isGranted(model.ask(BOB, READ, "acme/x"), "public");
        model.with(group("acme/_Group/blocked", List.of(), List.of()));
        isGranted(model.ask(ANN, READ, "acme/x"), "public");
    }

    @Test
    void cyclesOfGroupsEnd() {
        model.with(group("acme/_Group/a", List.of(), List.of("acme/_Group/b", "acme/_Group/a")))
                .with(group("acme/_Group/b", List.of("ann"), List.of("acme/_Group/a")))
                .groupIs("acme/_Access/s", "acme/_Group/a", "viewer", "allow");

        isGranted(model.ask(ANN, READ, "acme/x"), "acme/_Group/a");
        isDenied(model.ask(BOB, READ, "acme/x"), "no rule");
    }

    @Test
    void groupsWithinAGroupAreBounded() {
        for (int i = 0; i <= Membership.MOST_GROUPS; i++) {
            model.with(group("acme/_Group/g" + i, List.of(), List.of("acme/_Group/g" + (i + 1))));
        }
        model.groupIs("acme/_Access/s", "acme/_Group/g0", "viewer", "allow");

        isUndetermined(model.ask(ANN, READ, "acme/x"), "more than 1000 groups");
    }

    /** P2. */
    @Test
    void anEmptyModelDecidesNothing() {
        isUndetermined(model.ask(ANN, READ, "acme/x"), "partition 'acme' has neither an assignment nor a policy");
        model.with(role("acme/_Role/keeper", "read")).with(group("acme/_Group/g", List.of("ann"), List.of()));
        isUndetermined(model.ask(ANN, READ, "acme/x"), "neither");
        isUndetermined(model.ask(ANN, READ, "_control/x"), "partition '_control'");
        model.allowed("acme/elsewhere/_Access/a", "bob", "viewer");
        isDenied(model.ask(ANN, READ, "acme/x"), "no rule");
    }

    /** P1. */
    @Test
    void aPartitionThatStallsGrantsNobodyAndTheControlPartitionGrants() {
        model.allowed("acme/_Access/a", "ann", "admin")
                .allowed("_control/_Access/b", "bob", "admin")
                .stalled("acme", "inventory");

        isUndetermined(model.ask(ANN, READ, "acme/x"), "stalled", "inventory");
        isGranted(model.ask(BOB, READ, "acme/x"), "_control/_Access/b");
    }

    @Test
    void aControlPartitionThatStallsLeavesTheConfigurationOnly() {
        model.allowed("acme/_Access/a", "ann", "admin").stalled(AccessModel.CONTROL, "inventory");

        isUndetermined(model.ask(ANN, READ, "acme/x"), "stalled", "inventory");
        isUndetermined(model.ask(Principal.of("vic", Set.of("viewer")), READ, "acme/x"), "stalled", "inventory");
        isUndetermined(model.ask(BOB, READ, "acme/x"), "stalled", "inventory");
        isGranted(model.ask(Principal.of("root", Set.of("admin")), READ, "acme/x"), "credentials");
        isGranted(model.ask(Principal.node("b"), READ, "acme/x"), "the mesh itself");
    }

    @Test
    void theConfigurationsAdminWritesTheFirstRule() {
        Principal root = Principal.of("root", Set.of("admin"));

        isGranted(model.ask(root, CREATE, "_control/_Access/first"), "role 'admin' of the caller's credentials");
        isUndetermined(model.ask(ANN, CREATE, "_control/_Access/first"), "neither");
        isDenied(
                model.allowed("_control/_Access/a", "bob", "viewer").ask(ANN, CREATE, "_control/_Access/second"),
                "'admin'");
    }

    @Test
    void otherRolesOfTheCredentialsCountInTheControlPartitionWhereADenyBeatsThem() {
        Principal vic = Principal.of("vic", Set.of("viewer", "unheard-of"));
        model.allowed("acme/_Access/a", "ann", "viewer").denied("acme/_Access/d", "vic", "viewer");

        isGranted(model.ask(vic, READ, "acme/x"), "role 'viewer' by the caller's credentials");
        isDenied(model.ask(vic, UPDATE, "acme/x"), "no rule");
        model.denied("_control/_Access/d", "vic", "viewer");
        isDenied(model.ask(vic, READ, "acme/x"), "_control/_Access/d");
    }

    @Test
    void whatTheControlPartitionDecidesNoPartitionTakesBack() {
        model.allowed("_control/_Access/a", "ann", "viewer")
                .with(policy("_control/_Policy/frozen", "deny", "delete"))
                .denied("acme/x/_Access/d", "ann", "admin")
                .allowed("acme/x/_Access/b", "bob", "admin");

        isGranted(model.ask(ANN, READ, "acme/x"), "_control/_Access/a");
        isDenied(model.ask(BOB, DELETE, "acme/x"), "_control/_Policy/frozen");
        isGranted(model.ask(BOB, UPDATE, "acme/x"), "acme/x/_Access/b");
    }

    @Test
    void scopesWithinTheControlPartitionHoldThereOnly() {
        model.allowed("_control/docs/_Access/a", "ann", "viewer").allowed("acme/_Access/b", "bob", "viewer");

        isGranted(model.ask(ANN, READ, "_control/docs/1"), "_control/docs/_Access/a");
        isDenied(model.ask(ANN, READ, "acme/x"), "no rule");
    }

    @Test
    void aRuleThatCannotBeReadLeavesOpenWhatItCouldHaveDecidedAndNamesItself() {
        model.allowed("acme/_Access/a", "ann", "editor")
                .with(node("acme/x/_Access/bad", "access-assignment", new JsonObject().put("principal", "ann")))
                .allowed("acme/x/y/_Access/a", "ann", "viewer");

        isGranted(model.ask(ANN, UPDATE, "acme/w"), "acme/_Access/a");
        isUndetermined(model.ask(ANN, UPDATE, "acme/x/1"), "acme/x/_Access/bad");
        isUndetermined(model.ask(BOB, READ, "acme/x/1"), "acme/x/_Access/bad");
        isGranted(model.ask(ANN, READ, "acme/x/y/1"), "acme/x/y/_Access/a");
    }

    @Test
    void aPolicyThatCannotBeReadLeavesItsPartitionOpenButForDenials() {
        model.with(node("acme/_Policy/bad", "access-policy", new JsonObject().put("effect", "forbid")))
                .allowed("acme/x/_Access/a", "ann", "editor")
                .denied("acme/x/_Access/d", "bob", "editor");

        isUndetermined(model.ask(ANN, READ, "acme/x"), "'effect' = 'forbid' must be allow or deny");
        isDenied(model.ask(BOB, READ, "acme/x"), "acme/x/_Access/d");
        isUndetermined(model.ask(BOB, READ, "acme/w"), "acme/_Policy/bad");
    }

    @Test
    void aRoleThatIsNotThereOrCannotBeReadLeavesItsAssignmentsOpen() {
        model.allowed("acme/_Access/a", "ann", "keeper").allowed("acme/_Access/b", "bob", "viewer");

        isUndetermined(model.ask(ANN, READ, "acme/x"), "role 'keeper' of partition 'acme' does not exist");
        isGranted(model.ask(BOB, READ, "acme/x"), "acme/_Access/b");
        model.with(role("acme/_Role/keeper", "read", "fly"));
        isUndetermined(model.ask(ANN, READ, "acme/x"), "permission 'fly' is unknown");
        model.denied("acme/_Access/d", "bob", "keeper");
        isUndetermined(model.ask(BOB, READ, "acme/x"), "permission 'fly' is unknown");
    }

    @Test
    void aGroupThatIsNotThereOrCannotBeReadLeavesOpenWhoIsInIt() {
        model.with(group("acme/_Group/staff", List.of("ann"), List.of("acme/_Group/gone")))
                .with(policy("acme/_Policy/public", "allow", "read"))
                .groupIs("acme/x/_Access/d", "acme/_Group/staff", "viewer", "deny");

        isDenied(model.ask(ANN, READ, "acme/x"), "acme/x/_Access/d");
        isUndetermined(model.ask(BOB, READ, "acme/x"), "group 'acme/_Group/gone' does not exist");
        isGranted(model.ask(BOB, READ, "acme/w"), "public");
        model.stalled("other", "inventory");
        model.with(group("acme/_Group/gone", List.of(), List.of("other/_Group/g")));
        isUndetermined(model.ask(BOB, READ, "acme/x"), "partition 'other' stalled", "inventory");
    }

    @Test
    void whatIsInDoubtDecidesNothingWhereItWouldMakeNoDifference() {
        model.groupIs("acme/x/_Access/a", "acme/_Group/gone", "viewer", "allow")
                .allowed("acme/_Access/a", "ann", "viewer")
                .groupIs("acme/y/_Access/d", "acme/_Group/gone", "viewer", "deny")
                .denied("acme/_Access/d", "bob", "viewer");

        isGranted(model.ask(ANN, READ, "acme/x"), "acme/_Access/a");
        isUndetermined(model.ask(BOB, READ, "acme/x"), "acme/_Group/gone");
        isUndetermined(model.ask(ANN, READ, "acme/y"), "acme/_Group/gone");
        isDenied(model.ask(BOB, READ, "acme/y"), "acme/_Access/d");
    }

    @Test
    void aNodeOfTheModelElsewhereIsNoRuleAndTheBuiltInRolesAreNotReplaced() {
        model.allowed("acme/_Access/a", "bob", "viewer")
                .with(ModelBuilder.allow("acme/x/_Access/a/b", "ann", "admin"))
                .with(ModelBuilder.allow("acme/x/y", "ann", "admin"))
                .with(role("acme/_Role/viewer", "delete"));

        isDenied(model.ask(ANN, READ, "acme/x/y"), "no rule");
        isGranted(model.ask(BOB, READ, "acme/x"), "acme/_Access/a");
        isDenied(model.ask(BOB, DELETE, "acme/x"), "no rule");
        assertThat(PartitionRows.of(model.of("acme")).faults())
                .extracting(String::valueOf)
                .satisfiesExactlyInAnyOrder(
                        fault -> assertThat(fault).contains("role 'viewer' is built in"),
                        fault -> assertThat(fault).contains("acme/x/_Access/a/b", "is no rule"),
                        fault -> assertThat(fault).contains("acme/x/y", "is no rule"));
    }

    @Test
    void whatIsNotReadYetIsAskedForOnlyWhereItMatters() {
        model.with(role("acme/_Role/none"))
                .groupIs("acme/x/_Access/a", "other/_Group/g", "none", "allow")
                .groupIs("acme/y/_Access/a", "other/_Group/g", "viewer", "allow")
                .unread("other");

        Models first = model.models();
        isDenied(Fold.decide(ANN, READ, MeshAddress.of("acme/x"), first, step -> {}), "no rule");
        assertThat(first.missing()).isEmpty();
        Models second = model.models();
        isUndetermined(Fold.decide(ANN, READ, MeshAddress.of("acme/y"), second, step -> {}), "not read yet");
        assertThat(second.missing()).containsExactly("other");
    }

    @Test
    void everyRuleThatWasLookedAtIsToldInOrderWithItsOrigin() {
        model.with(policy("acme/_Policy/no-delete", "deny", "delete"))
                .allowed("acme/x/_Access/a", "bob", "viewer")
                .allowed("acme/_Access/b", "ann", "viewer")
                .allowed("_control/_Access/c", "bob", "viewer");

        assertThat(model.steps(ANN, READ, "acme/x"))
                .extracting(step -> step.place() + "|" + step.origin() + "|" + step.finding())
                .containsExactly(
                        "control partition|_control/_Access/c, version 1|does not apply",
                        "policies of acme|acme/_Policy/no-delete, version 1|does not apply",
                        "scope acme/x|acme/x/_Access/a, version 1|does not apply",
                        "scope acme|acme/_Access/b, version 1|applies");
    }
}
