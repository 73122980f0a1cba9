package io.meshhub.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P1, the gate's half: granted, denied and undetermined are three things, and each comes within its bound. */
@Timeout(30)
class AccessControlTest {

    private static final MeshAddress A = MeshAddress.of("acme/a");
    private static final String VIEWER = Principal.of("ann", Set.of("viewer")).text();
    private static final String OPERATOR =
            Principal.of("otto", Set.of("operator")).text();
    private static final Vertx VERTX = Vertx.vertx();

    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Duration> armed = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private int cancelled;
    private int asked;

    @AfterAll
    static void close() {
        VERTX.close().await();
    }

    private final class Counting implements MeshMetrics {
        @Override
        public void count(String name, String... tags) {
            counts.merge(name + Arrays.toString(tags), 1, Integer::sum);
        }

        @Override
        public void time(String name, Duration duration, String... tags) {}

        @Override
        public void gauge(String name, LongSupplier value, String... tags) {}
    }

    private AccessControl control(AccessDecider decider) {
        return new AccessControl.Parts(
                        "node-1", Tokens.NONE, Optional.empty(), decider, Duration.ofSeconds(20), new Counting())
                .open(VERTX, (delay, action) -> {
                    armed.add(delay);
                    timers.add(action);
                    return () -> {
                        cancelled++;
                        return true;
                    };
                });
    }

    /** Knows nothing beforehand but what operators may do. */
    private AccessDecider answering(Future<AccessDecision> answer) {
        return new AccessDecider() {
            @Override
            public Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where) {
                asked++;
                return answer;
            }

            @Override
            public @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
                return what == Permission.OPERATE ? new RoleDecider().known(who, what, where) : null;
            }
        };
    }

    private static Envelope message(String type, MeshBody body, @Nullable String principal) {
        return new Envelope(A, type, body, Verb.REQUEST, null, 25_000, 0, principal, "c-1", null, 0);
    }

    private static Envelope message(String type, @Nullable String principal) {
        return message(type, MeshBody.NULL, principal);
    }

    private static <T extends MeshException> T refusal(@Nullable Future<?> asked, Class<T> kind) {
        assertThat(asked).isNotNull();
        assertThat(asked.failed()).as("%s", asked).isTrue();
        assertThat(asked.cause()).isInstanceOf(kind);
        return kind.cast(asked.cause());
    }

    @Test
    void nobodyIsUnauthorizedAndSoIsWhoIsNoPrincipal() {
        AccessControl control = control(new RoleDecider());
        refusal(control.ask(message("get", null)), Unauthorized.class);
        refusal(control.ask(message("get", "two  spaces")), Unauthorized.class);
        assertThat(counts).containsEntry("access.refused[outcome, unauthorized]", 2);
    }

    @ParameterizedTest
    @CsvSource({
        "get,            viewer,   true",
        "mesh.subscribe, viewer,   true",
        "subscribe,      viewer,   true",
        "put,            viewer,   false",
        "patch,          viewer,   false",
        "mesh.update,    viewer,   false",
        "delete,         viewer,   false",
        "Pay,            viewer,   false",
        "mesh.ping,      viewer,   false",
        "put,            editor,   true",
        "patch,          editor,   true",
        "mesh.update,    editor,   true",
        "delete,         editor,   true",
        "Pay,            editor,   true",
        "mesh.recycle,   editor,   false",
        "get,            operator, true",
        "Pay,            operator, true",
        "put,            operator, false",
        "mesh.recycle,   operator, true",
        "mesh.dispose,   operator, true",
        "mesh.unheard,   operator, true",
        "mesh.unheard,   editor,   false",
        "delete,         admin,    true",
        "mesh.recycle,   admin,    true",
        "get,            stranger, false"
    })
    void theTypeOfAMessageSaysWhatItNeeds(String type, String role, boolean passes) {
        Future<?> asked = control(new RoleDecider())
                .ask(message(type, Principal.of("ann", Set.of(role)).text()));
        if (passes) {
            assertThat(asked).as("what is known passes without a future").isNull();
        } else {
            assertThat(refusal(asked, Forbidden.class).getMessage()).contains("none of its roles [" + role + "]");
        }
    }

    @Test
    void aPutNeedsWhatItsExpectedVersionSaysElseBoth() {
        List<Permission> needed = new ArrayList<>();
        AccessControl control = control((who, what, where) -> {
            needed.add(what);
            return Future.succeededFuture(new AccessDecision.Granted("all"));
        });
        control.ask(message("put", MeshBody.of(new JsonObject().put("ifVersion", 0)), VIEWER));
        assertThat(needed).containsExactly(Permission.CREATE);
        needed.clear();
        control.ask(message("put", MeshBody.of(new JsonObject().put("ifVersion", 7)), VIEWER));
        assertThat(needed).containsExactly(Permission.UPDATE);
        needed.clear();
        control.ask(message("put", MeshBody.of(new JsonObject()), VIEWER));
        assertThat(needed).containsExactly(Permission.CREATE, Permission.UPDATE);
    }

    @Test
    void aNodeItselfMayDoEverythingAndNobodyIsAsked() {
        AccessControl control = control(answering(Future.failedFuture("never")));
        assertThat(control.ask(message("delete", Principal.node("node-1").text())))
                .isNull();
        assertThat(asked).isZero();
    }

    @Test
    void whatIsDecidedLaterPassesLater() {
        Promise<AccessDecision> decision = Promise.promise();
        Future<?> waits = control(answering(decision.future())).ask(message("get", VIEWER));
        assertThat(waits).isNotNull();
        assertThat(waits.isComplete()).isFalse();
        decision.complete(new AccessDecision.Granted("role"));
        assertThat(waits.succeeded()).isTrue();
        assertThat(cancelled).as("no timer stays armed").isEqualTo(armed.size()).isEqualTo(1);
    }

    @Test
    void aKnownNoIsForbiddenWithItsRule() {
        AccessControl control =
                control(answering(Future.succeededFuture(new AccessDecision.Denied("deny of group staff at acme"))));
        Forbidden refused = refusal(control.ask(message("get", VIEWER)), Forbidden.class);
        assertThat(refused.getMessage()).contains("'read'", "'acme/a'", "deny of group staff at acme");
        assertThat(refused.isVerdictAbout(A)).isTrue();
        assertThat(counts).containsEntry("access.refused[outcome, forbidden]", 1);
    }

    @Test
    void whatCouldNotBeEstablishedIsUnavailableAndNamesNoProviderToOthersThanOperators() {
        AccessControl control = control(answering(Future.succeededFuture(
                new AccessDecision.Undetermined(List.of("policies-of-acme"), "its provider stalled"))));
        Unavailable told = refusal(control.ask(message("get", VIEWER)), Unavailable.class);
        assertThat(told.getMessage())
                .contains("could not be established", "c-1")
                .doesNotContain("policies", "stalled");
        assertThat(told.sent()).isFalse();
        assertThat(refusal(control.ask(message("get", OPERATOR)), Unavailable.class)
                        .getMessage())
                .contains("policies-of-acme", "its provider stalled");
        assertThat(counts).containsEntry("access.refused[outcome, undetermined]", 2);
    }

    @Test
    void aDeciderThatNeverAnswersIsUndeterminedAtTheBound() {
        Future<?> waits =
                control(answering(Promise.<AccessDecision>promise().future())).ask(message("get", VIEWER));
        assertThat(waits).isNotNull();
        assertThat(waits.isComplete()).isFalse();
        // The rung of 20 s, or what nests in the 25 s that the message has.
        assertThat(armed).containsExactly(Duration.ofSeconds(20));
        timers.forEach(Runnable::run);
        refusal(waits, Unavailable.class);
    }

    @Test
    void aFaultOfTheDeciderOpensNothing() {
        refusal(control(answering(Future.failedFuture("broken"))).ask(message("get", VIEWER)), Unavailable.class);
        AccessControl throwing = control(new AccessDecider() {
            @Override
            public Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where) {
                throw new IllegalStateException("broken");
            }

            @Override
            public @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
                throw new IllegalStateException("broken");
            }
        });
        refusal(throwing.ask(message("get", VIEWER)), Unavailable.class);
        assertThat(throwing.isOperator(VIEWER).result()).isFalse();
    }

    @Test
    void credentialsThatDoNotHoldAreCountedByWhyAndNeverTold() {
        AccessControl control = control(new RoleDecider());
        for (String given : List.of("Basic abc", "Bearer secret-token", "Bearer a.b.c")) {
            Unauthorized told = refusal(control.principalOf(given), Unauthorized.class);
            assertThat(told.getMessage()).doesNotContain("secret-token", "abc", "a.b.c");
        }
        assertThat(control.principalOf(null).result()).isEmpty();
        assertThat(counts)
                .containsEntry("access.unauthorized[why, scheme]", 1)
                .containsEntry("access.unauthorized[why, unknown]", 2);
    }
}
