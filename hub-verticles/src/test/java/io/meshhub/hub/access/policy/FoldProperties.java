package io.meshhub.hub.access.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Denied;
import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** Whatever the rules are: more denials grant nothing, less knowledge grants nothing, and their order is no matter. */
class FoldProperties {

    private static final List<String> SCOPES = List.of("_control", "acme", "acme/x", "acme/x/y", "other");
    private static final List<String> PARTITIONS = List.of("_control", "acme", "other");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> PRINCIPALS = List.of("ann", "bob");
    private static final List<String> ROLES = List.of("viewer", "editor", "admin", "a", "b");

    private static Arbitrary<String> of(List<String> words) {
        return Arbitraries.of(words);
    }

    private static Arbitrary<QueryNode> assignments(Arbitrary<String> effects) {
        Arbitrary<String> groups =
                Combinators.combine(of(PARTITIONS), of(NAMES)).as((p, n) -> p + "/_Group/" + n);
        Arbitrary<String> ids = Arbitraries.integers().between(0, 999).map(n -> "r" + n);
        Arbitrary<QueryNode> toPrincipals = Combinators.combine(of(SCOPES), ids, of(PRINCIPALS), of(ROLES), effects)
                .as((s, i, p, r, e) -> ModelBuilder.assignment(s + "/_Access/" + i, "principal", p, r, e));
        Arbitrary<QueryNode> toGroups = Combinators.combine(of(SCOPES), ids, groups, of(ROLES), effects)
                .as((s, i, g, r, e) -> ModelBuilder.assignment(s + "/_Access/" + i, "group", g, r, e));
        return Arbitraries.oneOf(toPrincipals, toGroups);
    }

    private static Arbitrary<QueryNode> policies(Arbitrary<String> effects) {
        return Combinators.combine(of(PARTITIONS), of(NAMES), effects, of(List.of("read", "update")))
                .as((p, n, e, w) -> ModelBuilder.policy(p + "/_Policy/" + n, e, w));
    }

    @Provide
    Arbitrary<QueryNode> rows() {
        Arbitrary<String> effects = of(List.of("allow", "deny"));
        Arbitrary<List<String>> members = of(PRINCIPALS).list().ofMaxSize(1);
        Arbitrary<List<String>> within = Combinators.combine(of(PARTITIONS), of(NAMES))
                .as((p, n) -> p + "/_Group/" + n)
                .list()
                .ofMaxSize(2);
        Arbitrary<QueryNode> groups = Combinators.combine(of(PARTITIONS), of(NAMES), members, within)
                .as((p, n, m, w) -> ModelBuilder.group(p + "/_Group/" + n, m, w));
        Arbitrary<String> words = of(List.of("read", "update", "fly"));
        Arbitrary<QueryNode> roles = Combinators.combine(of(PARTITIONS), of(NAMES), words)
                .as((p, n, w) -> ModelBuilder.role(p + "/_Role/" + n, w));
        Arbitrary<QueryNode> malformed = Combinators.combine(of(SCOPES), of(NAMES))
                .as((s, n) -> ModelBuilder.node(s + "/_Access/" + n, "access-assignment", new JsonObject()));
        return Arbitraries.frequencyOf(
                Tuple.of(6, assignments(effects)),
                Tuple.of(3, groups),
                Tuple.of(2, roles),
                Tuple.of(1, policies(effects)),
                Tuple.of(1, malformed));
    }

    /** A group of another partition with both principals, and rules for it and for themselves, side by side. */
    @Provide
    Arbitrary<List<QueryNode>> rulesByAGroupElsewhere() {
        String group = "other/_Group/far";
        Arbitrary<String> effects = of(List.of("allow", "allow", "deny"));
        Arbitrary<String> scopes = of(List.of("acme", "acme/x"));
        Arbitrary<String> roles = of(List.of("viewer", "admin"));
        Arbitrary<String> ids = Arbitraries.integers().between(0, 9).map(n -> "s" + n);
        Arbitrary<QueryNode> toGroup = Combinators.combine(scopes, ids, roles, effects)
                .as((s, i, r, e) -> ModelBuilder.assignment(s + "/_Access/" + i, "group", group, r, e));
        Arbitrary<QueryNode> toPrincipals = Combinators.combine(scopes, ids, of(PRINCIPALS), roles, effects)
                .as((s, i, p, r, e) -> ModelBuilder.assignment(s + "/_Access/" + i, "principal", p, r, e));
        return Arbitraries.oneOf(toGroup, toPrincipals).list().ofMaxSize(6).map(rules -> {
            List<QueryNode> all = new ArrayList<>(rules);
            all.add(ModelBuilder.group(group, PRINCIPALS, List.of()));
            return all;
        });
    }

    @Provide
    Arbitrary<QueryNode> denials() {
        Arbitrary<String> deny = Arbitraries.just("deny");
        return Arbitraries.oneOf(assignments(deny), policies(deny));
    }

    @Provide
    Arbitrary<Principal> principals() {
        return Combinators.combine(of(PRINCIPALS), of(List.of("viewer", "editor", "none")))
                .as((name, role) -> Principal.of(name, Set.of(role)));
    }

    @Provide
    Arbitrary<MeshAddress> addresses() {
        return of(List.of("acme/x/y/z", "acme/x", "acme", "other/w", "_control/v", "acme/x/_Access/q"))
                .map(MeshAddress::of);
    }

    private static ModelBuilder model(List<QueryNode> rows) {
        ModelBuilder model = new ModelBuilder();
        rows.forEach(model::with);
        return model;
    }

    private static List<QueryNode> together(List<QueryNode> some, List<QueryNode> more) {
        List<QueryNode> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static AccessDecision decide(ModelBuilder model, Principal who, Permission what, MeshAddress where) {
        return Fold.decide(who, what, where, model.models(), step -> {});
    }

    /**
     * A decision and the rules that were looked at for it.
     *
     * @param steps of that decision, in order
     */
    private record Told(AccessDecision decision, List<Step> steps) {

        static Told of(Principal who, Permission what, MeshAddress where, Models models) {
            List<Step> steps = new ArrayList<>();
            return new Told(Fold.decide(who, what, where, models, steps::add), steps);
        }

        /** What decides once all is known: the first that applies of the rules that may. */
        AccessDecision onceKnownAs(Told whole) {
            String rule = possible().stream()
                    .filter(whole::applies)
                    .map(Step::rule)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("none of " + possible() + " applies in " + whole));
            return decision instanceof Granted ? new Granted(rule) : new Denied(rule);
        }

        /** The rule that decides, and before it those of the same effect of which nobody knows whether they apply. */
        private List<Step> possible() {
            List<Step> possible = new ArrayList<>();
            for (Step step : steps) {
                if (isDecisive(step)) {
                    possible.add(step);
                    return possible;
                }
                if (step.rule().startsWith(effect().word() + " ") && isInDoubt(step)) {
                    possible.add(step);
                }
            }
            throw new AssertionError("no step tells of the rule that decides: " + this);
        }

        private boolean isDecisive(Step step) {
            String rule = decision instanceof Granted granted ? granted.rule() : ((Denied) decision).rule();
            return step.rule().equals(rule) && step.finding().equals(Finding.Known.YES.words());
        }

        private Effect effect() {
            return decision instanceof Granted ? Effect.ALLOW : Effect.DENY;
        }

        private static boolean isInDoubt(Step step) {
            return !step.finding().equals(Finding.Known.YES.words())
                    && !step.finding().equals(Finding.Known.NO.words());
        }

        private boolean applies(Step step) {
            return steps.contains(new Step(step.place(), step.origin(), step.rule(), Finding.Known.YES.words()));
        }
    }

    @Property
    void moreDenialsNeverGrant(
            @ForAll("rows") QueryNode first,
            @ForAll @Size(max = 12) List<@From("rows") QueryNode> rows,
            @ForAll("denials") QueryNode denial,
            @ForAll("principals") Principal who,
            @ForAll Permission what,
            @ForAll("addresses") MeshAddress where) {
        ModelBuilder model = model(rows).with(first).without(denial.path().toString());
        AccessDecision before = decide(model, who, what, where);
        AccessDecision after = decide(model.with(denial), who, what, where);

        if (!before.granted()) {
            assertThat(after.granted()).as("%s became %s", before, after).isFalse();
        }
    }

    @Property
    void oneWhoDoesNotAnswerChangesADecisionIntoUndeterminedOrNotAtAll(
            @ForAll @Size(max = 12) List<@From("rows") QueryNode> some,
            @ForAll("rulesByAGroupElsewhere") List<QueryNode> more,
            @ForAll("principals") Principal who,
            @ForAll Permission what,
            @ForAll("addresses") MeshAddress where) {
        List<QueryNode> rows = together(some, more);
        Told whole = Told.of(who, what, where, model(rows).models());
        for (String partition : PARTITIONS) {
            Told part = Told.of(
                    who, what, where, model(rows).stalled(partition, "p").models());
            if (whole.decision() instanceof Undetermined) {
                assertThat(part.decision()).isInstanceOf(Undetermined.class);
            } else if (part.decision() instanceof Undetermined undetermined) {
                assertThat(undetermined.providers()).containsExactly("p");
            } else {
                assertThat(whole.decision()).isEqualTo(part.onceKnownAs(whole));
            }
        }
    }

    @Property
    void whatIsMissingAndDoesNotMatterChangesNothing(
            @ForAll @Size(max = 12) List<@From("rows") QueryNode> some,
            @ForAll("rulesByAGroupElsewhere") List<QueryNode> more,
            @ForAll("principals") Principal who,
            @ForAll Permission what,
            @ForAll("addresses") MeshAddress where) {
        List<QueryNode> rows = together(some, more);
        Told whole = Told.of(who, what, where, model(rows).models());
        Models models = model(rows).unread("other").models();
        Told early = Told.of(who, what, where, models);

        if (models.missing().isEmpty()) {
            assertThat(early).isEqualTo(whole);
        } else if (!(early.decision() instanceof Undetermined)) {
            assertThat(whole.decision()).isEqualTo(early.onceKnownAs(whole));
        }
    }

    @Property
    void theOrderOfRowsIsNoMatter(
            @ForAll @Size(max = 16) List<@From("rows") QueryNode> rows,
            @ForAll("principals") Principal who,
            @ForAll Permission what,
            @ForAll("addresses") MeshAddress where,
            @ForAll Random random) {
        TreeMap<MeshAddress, QueryNode> byPath = new TreeMap<>();
        rows.forEach(row -> byPath.put(row.path(), row));
        List<QueryNode> shuffled = new ArrayList<>(byPath.values());
        Collections.shuffle(shuffled, random);
        Models models = new Models(partition -> new PartitionState.Established(PartitionRows.of(shuffled.stream()
                .filter(row -> row.path().partition().equals(partition))
                .toList())));

        assertThat(Fold.decide(who, what, where, models, step -> {})).isEqualTo(decide(model(rows), who, what, where));
    }

    /** Taking out each rule in doubt one way and the other brackets the decision. */
    @Property
    void whatIsDecidedInSpiteOfADoubtHoldsWhicheverWayItTurnsOut(
            @ForAll @Size(max = 10) List<@From("rows") QueryNode> rows,
            @ForAll("principals") Principal who,
            @ForAll Permission what,
            @ForAll("addresses") MeshAddress where) {
        String doubtful = "acme/x/_Access/doubtful";
        AccessDecision inDoubt = decide(
                model(rows).with(ModelBuilder.node(doubtful, "access-assignment", new JsonObject())), who, what, where);
        AccessDecision allowed = decide(model(rows).allowed(doubtful, who.name(), "admin"), who, what, where);
        AccessDecision denied = decide(model(rows).denied(doubtful, who.name(), "admin"), who, what, where);

        if (inDoubt instanceof Granted) {
            assertThat(allowed).isInstanceOf(Granted.class);
            assertThat(denied).isInstanceOf(Granted.class);
        } else if (inDoubt instanceof Denied) {
            assertThat(allowed).isInstanceOf(Denied.class);
            assertThat(denied).isInstanceOf(Denied.class);
        }
    }
}
