package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Denied;
import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.policy.Finding.Known;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides one question from the rows of the partitions that it concerns. A pure function of these.
 *
 * <p>Looked at in this order: the configuration, the control partition, the partition's policies that deny, then the
 * scopes from the address itself up to the partition. The first place that says something decides; of one place a deny
 * beats every allow. Where nothing says anything it is denied, if there is a model that could have.
 *
 * <p>Of a rule that cannot be judged nobody knows whether it applies, so both are tried: only what holds in either case
 * is decided, everything else is {@link Undetermined}. So is what an empty model would have to decide.
 */
final class Fold {

    private final Principal who;
    private final Permission what;
    private final MeshAddress where;
    private final Models models;
    private final Consumer<Step> trace;
    private final List<Undetermined> mayAllow = new ArrayList<>();
    private final List<Undetermined> mayDeny = new ArrayList<>();

    private Fold(Principal who, Permission what, MeshAddress where, Models models, Consumer<Step> trace) {
        this.who = who;
        this.what = what;
        this.where = where;
        this.models = models;
        this.trace = trace;
    }

    /**
     * Decides.
     *
     * @param models the partitions; those that it asked for and that were missing may change an {@link Undetermined},
     *     and no other decision
     * @param trace is told each rule that is looked at, in order
     */
    static AccessDecision decide(
            Principal who, Permission what, MeshAddress where, Models models, Consumer<Step> trace) {
        return new Fold(who, AccessModel.asked(what, where), where, models, trace).decide();
    }

    /** What needs no model: the mesh itself, and whom the configuration makes an administrator; null for others. */
    static @Nullable Granted withoutModel(Principal who) {
        if (who.system()) {
            return OF_THE_MESH;
        }
        return who.roles().contains(ADMIN) ? OF_THE_CONFIGURATION : null;
    }

    private static final String ADMIN = BuiltInRole.ADMIN.word();
    private static final Granted OF_THE_MESH = new Granted("the mesh itself may do everything");
    private static final Granted OF_THE_CONFIGURATION =
            new Granted("role 'admin' of the caller's credentials is a rule of the control partition");

    private AccessDecision decide() {
        Granted atOnce = withoutModel(who);
        if (atOnce != null) {
            trace.accept(new Step("configuration", null, atOnce.rule(), Known.YES.words()));
            return atOnce;
        }
        AccessDecision decided = control();
        if (decided == null && !where.partition().equals(AccessModel.CONTROL)) {
            decided = partition();
        }
        return decided == null ? nothingSaysAnything() : decided;
    }

    // An empty control partition says nothing, and needs to say nothing: most meshes have none.
    private @Nullable AccessDecision control() {
        PartitionState state = models.of(AccessModel.CONTROL);
        if (state instanceof PartitionState.Unestablished unestablished) {
            doubt("control partition", unestablished.why());
            return where.partition().equals(AccessModel.CONTROL) ? undetermined() : null;
        }
        PartitionRows rows = ((PartitionState.Established) state).rows();
        AccessDecision decided = laws("control partition", rows);
        if (decided != null) {
            return decided;
        }
        MeshAddress root = MeshAddress.of(AccessModel.CONTROL);
        Place place = new Place("control partition");
        credentials(place);
        judge(place, rows, root);
        decided = place.decide();
        return decided == null && root.equals(MeshAddress.of(where.partition())) ? scopes(rows, true) : decided;
    }

    private @Nullable AccessDecision partition() {
        PartitionState state = models.of(where.partition());
        if (state instanceof PartitionState.Unestablished unestablished) {
            doubt("partition " + where.partition(), unestablished.why());
            return undetermined();
        }
        PartitionRows rows = ((PartitionState.Established) state).rows();
        AccessDecision decided = laws("policies of " + where.partition(), rows);
        return decided == null ? scopes(rows, false) : decided;
    }

    private void doubt(String place, Undetermined why) {
        trace.accept(new Step(place, null, "everything", new Finding.Doubt(why).words()));
        mayAllow.add(why);
        mayDeny.add(why);
    }

    private @Nullable AccessDecision laws(String name, PartitionRows rows) {
        Place place = new Place(name);
        policies(place, rows, Effect.DENY);
        return place.decide();
    }

    private @Nullable AccessDecision scopes(PartitionRows rows, boolean belowTheRootOnly) {
        Optional<MeshAddress> scope = Optional.of(where);
        while (scope.isPresent()) {
            MeshAddress at = scope.get();
            scope = at.parent();
            if (scope.isEmpty() && belowTheRootOnly) {
                break;
            }
            Place place = new Place("scope " + at);
            judge(place, rows, at);
            AccessDecision decided = place.decide();
            if (decided != null) {
                return decided;
            }
        }
        if (rows.decidesNothing()) {
            Undetermined empty = new Undetermined(
                    List.of(), "partition '" + where.partition() + "' has neither an assignment nor a policy");
            trace.accept(new Step("partition " + where.partition(), null, "nothing", "unknown: " + empty.reason()));
            mayAllow.add(empty);
        }
        return null;
    }

    private AccessDecision nothingSaysAnything() {
        if (!mayAllow.isEmpty()) {
            return undetermined();
        }
        Denied nothing = new Denied(
                "no rule gives principal '" + who.name() + "' permission '" + what.word() + "' at '" + where + "'");
        trace.accept(new Step("end", null, nothing.rule(), Known.YES.words()));
        return nothing;
    }

    private Undetermined undetermined() {
        List<Undetermined> all = new ArrayList<>(mayAllow);
        all.addAll(mayDeny);
        return Finding.all(all);
    }

    // What the edge established counts as an allow of the control partition, which one of its denials beats.
    private void credentials(Place place) {
        for (String role : new TreeSet<>(who.roles())) {
            BuiltInRole.of(role).ifPresent(builtIn -> {
                String rule = "allow of role '" + role + "' by the caller's credentials";
                place.judged(null, rule, Effect.ALLOW, builtIn.permits(what) ? Known.YES : Known.NO);
            });
        }
    }

    private void judge(Place place, PartitionRows rows, MeshAddress scope) {
        for (Row row : rows.assignments(scope)) {
            if (row instanceof Row.Assignment assignment) {
                place.judged(row.origin(), String.valueOf(row), assignment.effect(), applies(assignment, rows));
            } else {
                place.unreadable(row, Effect.ALLOW, Effect.DENY);
            }
        }
        if (scope.parent().isEmpty()) {
            policies(place, rows, Effect.ALLOW);
        }
    }

    private void policies(Place place, PartitionRows rows, Effect effect) {
        for (Row row : rows.policies()) {
            if (!(row instanceof Row.Policy policy)) {
                place.unreadable(row, effect);
            } else if (policy.effect() == effect) {
                Finding finding = policy.permissions().contains(what) ? Known.YES : Known.NO;
                place.judged(row.origin(), String.valueOf(row), effect, finding);
            }
        }
    }

    private Finding applies(Row.Assignment assignment, PartitionRows home) {
        if (assignment.group() == null && !who.name().equals(assignment.principal())) {
            return Known.NO;
        }
        Finding role = permits(assignment, home);
        if (assignment.group() == null || role.equals(Known.NO)) {
            return role;
        }
        Finding member = Membership.of(who.name(), assignment.group(), models);
        return member.isYes() ? role : member;
    }

    private Finding permits(Row.Assignment assignment, PartitionRows home) {
        Optional<BuiltInRole> builtIn = BuiltInRole.of(assignment.role());
        if (builtIn.isPresent()) {
            return builtIn.get().permits(what) ? Known.YES : Known.NO;
        }
        String partition = assignment.scope().partition();
        Optional<MeshAddress> address = RowReader.roleAddress(partition, assignment.role());
        Row row = address.isPresent() ? home.named(address.get()) : null;
        if (row instanceof Row.Role role) {
            return role.permissions().contains(what) ? Known.YES : Known.NO;
        }
        return Finding.doubt(
                row == null
                        ? "role '" + assignment.role() + "' of partition '" + partition + "' does not exist"
                        : String.valueOf(row));
    }

    /** One place in which rules stand side by side. */
    private final class Place {
        private final String name;
        private @Nullable String allow;
        private @Nullable String deny;
        private final List<Undetermined> allowInDoubt = new ArrayList<>();
        private final List<Undetermined> denyInDoubt = new ArrayList<>();

        Place(String name) {
            this.name = name;
        }

        void judged(@Nullable Origin origin, String rule, Effect effect, Finding finding) {
            trace.accept(new Step(name, origin, rule, finding.words()));
            if (finding instanceof Finding.Doubt doubt) {
                (effect == Effect.ALLOW ? allowInDoubt : denyInDoubt).add(doubt.why());
            } else if (finding.isYes() && effect == Effect.ALLOW) {
                allow = allow == null ? rule : allow;
            } else if (finding.isYes()) {
                deny = deny == null ? rule : deny;
            }
        }

        void unreadable(Row row, Effect... effects) {
            Undetermined why = new Undetermined(List.of(), String.valueOf(row));
            trace.accept(new Step(name, row.origin(), String.valueOf(row), new Finding.Doubt(why).words()));
            for (Effect effect : effects) {
                (effect == Effect.ALLOW ? allowInDoubt : denyInDoubt).add(why);
            }
        }

        /** What follows here, with all that was in doubt before; null where this place says nothing. */
        @Nullable
        AccessDecision decide() {
            if (deny != null) {
                // What is in doubt here is no matter: a deny beats it. A nearer allow that is in doubt would not.
                return mayAllow.isEmpty() ? new Denied(deny) : undetermined();
            }
            mayDeny.addAll(denyInDoubt);
            if (allow != null) {
                return mayDeny.isEmpty() ? new Granted(allow) : undetermined();
            }
            mayAllow.addAll(allowInDoubt);
            return null;
        }
    }
}
