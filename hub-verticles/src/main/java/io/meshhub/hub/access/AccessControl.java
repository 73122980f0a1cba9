package io.meshhub.hub.access;

import io.meshhub.hub.guard.Gates;
import io.meshhub.hub.guard.RefusalWords;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The gates of a node where security is enforced: finds out who comes, by his bearer token, and whether he may, by a
 * {@link AccessDecider}.
 *
 * <p>No principal is {@link Unauthorized}, a known "no" {@link Forbidden} with the rule, and what could not be found out
 * {@link Unavailable}. Safe from any thread; what is known already passes without a future.
 */
public final class AccessControl implements Gates {

    /**
     * Stands for the node and the mesh as a whole, where something is not at an address: {@code _Mesh}. Who operates the node
     * needs {@link Permission#OPERATE} there; who lists the root, or asks a query without a path, {@link Permission#READ}.
     */
    public static final MeshAddress MESH = MeshAddress.of("_Mesh");

    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    private static final String BEARER = "bearer ";
    private static final int MOST_KNOWN = 10_000;

    private final String node;
    private final Tokens tokens;
    private final @Nullable JwtTokens jwt;
    private final Whose whose;
    private final AccessDecider decider;
    private final Pacer pacer;
    private final Duration rung;
    private final MeshMetrics metrics;
    private final Map<String, Principal> known = new ConcurrentHashMap<>();
    private volatile @Nullable String lastOpen;

    private AccessControl(Parts parts, Vertx vertx, Pacer pacer) {
        this.node = parts.node;
        this.tokens = parts.tokens;
        this.whose = parts.whose;
        this.jwt = parts.jwt
                .map(options -> new JwtTokens(vertx, options, this::find))
                .orElse(null);
        this.decider = parts.decider;
        this.pacer = pacer;
        this.rung = parts.rung;
        this.metrics = parts.metrics;
    }

    /**
     * What gates are made of.
     *
     * @param node the name of the node
     * @param tokens the bearer tokens that it knows
     * @param jwt how JSON Web Tokens are checked; empty where none is taken
     * @param whose the directory, where JSON Web Tokens name an id or an e-mail address
     * @param decider decides who may do what
     * @param rung the most time of a decision: the permission rung
     */
    public record Parts(
            String node,
            Tokens tokens,
            Optional<JwtOptions> jwt,
            Whose whose,
            AccessDecider decider,
            Duration rung,
            MeshMetrics metrics) {

        /** Without a directory. */
        public Parts(
                String node,
                Tokens tokens,
                Optional<JwtOptions> jwt,
                AccessDecider decider,
                Duration rung,
                MeshMetrics metrics) {
            this(node, tokens, jwt, Whose.NOBODY_SAYS, decider, rung, metrics);
        }

        /**
         * Makes the gates.
         *
         * @throws IllegalArgumentException when the key of the tokens cannot be used
         */
        public AccessControl open(Vertx vertx, Pacer pacer) {
            return new AccessControl(this, vertx, pacer);
        }
    }

    @Override
    public Future<Optional<String>> principalOf(@Nullable String authorization) {
        return principalOf(authorization, null);
    }

    /** The same for a request that has a name in the log. */
    public Future<Optional<String>> principalOf(@Nullable String authorization, @Nullable String correlationId) {
        return authorization == null
                ? Future.succeededFuture(Optional.empty())
                : authenticate(authorization, correlationId).map(principal -> Optional.of(principal.text()));
    }

    private Future<Principal> authenticate(String authorization, @Nullable String correlationId) {
        if (!authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return refused(new BadToken(BadToken.Why.SCHEME, "Credentials are taken as 'Bearer' and a token"));
        }
        String token = authorization.substring(BEARER.length()).strip();
        Optional<Principal> found = tokens.find(token);
        if (found.isPresent()) {
            return Future.succeededFuture(found.get());
        }
        JwtTokens checks = jwt;
        if (checks == null || token.chars().filter(c -> c == '.').count() != 2) {
            return refused(new BadToken(BadToken.Why.UNKNOWN, "Nobody has this token"));
        }
        return checks.authenticate(token)
                .recover(cause ->
                        cause instanceof NobodySaid nobody ? notSaid(nobody.why(), correlationId) : refused(cause));
    }

    // The directory has a bound of its own; whoever comes does not depend on it.
    private Future<Lookup> find(Key key) {
        return bounded(() -> whose.find(key), rung, why -> new Lookup.Unavailable(List.of(), why));
    }

    private <T> Future<T> refused(Throwable cause) {
        BadToken bad =
                cause instanceof BadToken known ? known : new BadToken(BadToken.Why.INVALID, "The token does not hold");
        metrics.count("access.unauthorized", "why", bad.why().name().toLowerCase(Locale.ROOT));
        return Future.failedFuture(new Unauthorized(String.valueOf(bad.getMessage()), FailureDetail.NONE.on(node)));
    }

    // Nobody is known to operate the node before it is known who he is: none is told why.
    private Future<Principal> notSaid(Lookup.Unavailable why, @Nullable String correlationId) {
        metrics.count("access.refused", "outcome", "unavailable");
        LOG.warn(
                "Whose a token is could not be established: {} (providers={}, correlation id {}, node={}); it was"
                        + " refused",
                why.reason(),
                why.providers(),
                correlationId,
                node);
        return Future.failedFuture(new Unavailable(
                "Whose the token is could not be established; nothing was executed" + found(correlationId),
                FailureDetail.NONE.on(node),
                false));
    }

    private static String found(@Nullable String correlationId) {
        return correlationId == null ? "" : "; whoever runs this node finds why under correlation id " + correlationId;
    }

    @Override
    public @Nullable Future<?> ask(Envelope envelope) {
        String text = envelope.principal();
        if (text == null) {
            return nobody(envelope.to());
        }
        Principal who = read(text);
        if (who == null) {
            return nobody(envelope.to());
        }
        // Only the mesh itself says so: edges set the principal by credentials, and none of them names a node.
        if (who.system()) {
            return null;
        }
        List<Permission> needed = MessagePermissions.of(envelope.type());
        for (int i = 0; i < needed.size(); i++) {
            if (!(known(who, needed.get(i), envelope.to()) instanceof AccessDecision.Granted)) {
                return asked(who, envelope);
            }
        }
        return null;
    }

    private Future<?> asked(Principal who, Envelope envelope) {
        Duration bound = BudgetLadder.inner(rung, Duration.ofMillis(Math.max(1, envelope.deadlineMs())));
        Future<Void> all = Future.succeededFuture();
        for (Permission needed : MessagePermissions.exactly(envelope)) {
            all = all.compose(before -> require(who, needed, envelope.to(), bound, envelope.correlationId()));
        }
        return all;
    }

    /** The principal of that text; null when it is none. */
    private @Nullable Principal read(String text) {
        Principal who = known.get(text);
        if (who == null) {
            who = Principal.read(text).orElse(null);
            if (who != null) {
                if (known.size() >= MOST_KNOWN) {
                    known.clear();
                }
                known.put(text, who);
            }
        }
        return who;
    }

    private Future<Void> nobody(MeshAddress address) {
        metrics.count("access.refused", "outcome", "unauthorized");
        return Future.failedFuture(Unauthorized.at(address, node));
    }

    @Override
    public Future<Void> mayQuery(@Nullable String principal, Query query) {
        MeshAddress path = query.path();
        return require(
                principal,
                Permission.READ,
                path == null ? MESH : path,
                CallScope.current().correlationId());
    }

    /**
     * Asks whether a principal may do something.
     *
     * @param principal as it travels in an envelope; null for nobody
     * @param correlationId names the request in the log
     * @return fails with what the caller is told when he may not
     */
    public Future<Void> require(
            @Nullable String principal, Permission what, MeshAddress where, @Nullable String correlationId) {
        Principal who = principal == null ? null : read(principal);
        if (who == null) {
            return nobody(where);
        }
        return who.system() ? Future.succeededFuture() : require(who, what, where, rung, correlationId);
    }

    private Future<Void> require(
            Principal who, Permission what, MeshAddress where, Duration bound, @Nullable String correlationId) {
        return decide(who, what, where, bound).compose(decision -> {
            if (decision.granted()) {
                return Future.succeededFuture();
            }
            MeshException failure = refusal(decision, who, what, where, correlationId);
            metrics.count("access.refused", "outcome", RefusalWords.of(failure));
            return Future.failedFuture(failure);
        });
    }

    /** Whether the principal operates this node, and so may see names that others may not. */
    public Future<Boolean> isOperator(@Nullable String principal) {
        Principal who = principal == null ? null : read(principal);
        return who == null
                ? Future.succeededFuture(false)
                : decide(who, Permission.OPERATE, MESH, rung).map(AccessDecision::granted);
    }

    /**
     * How it is decided whether somebody may do something, as {@link AccessDecider#explain} tells it; never fails. Names
     * providers: whoever is shown it must operate the node.
     */
    public Future<JsonObject> explain(Principal who, Permission what, MeshAddress where) {
        return bounded(
                () -> decider.explain(who, what, where),
                rung,
                why -> AccessDecider.asked(who, what, where)
                        .mergeIn(new AccessDecision.Undetermined(List.of(), why).toJson()));
    }

    private MeshException refusal(
            AccessDecision decision,
            Principal who,
            Permission what,
            MeshAddress where,
            @Nullable String correlationId) {
        FailureDetail detail = FailureDetail.about(where).on(node);
        if (decision instanceof AccessDecision.Denied denied) {
            return new Forbidden(
                    "The principal lacks permission '" + what.word() + "' at '" + where + "' (" + denied.rule() + ")",
                    detail);
        }
        AccessDecision.Undetermined open = decision instanceof AccessDecision.Undetermined undetermined
                ? undetermined
                : new AccessDecision.Undetermined(List.of(), "no decision");
        // A rider asks twice a second; the line is said once.
        boolean again = correlationId != null && correlationId.equals(lastOpen);
        lastOpen = correlationId;
        LOG.atLevel(again ? Level.DEBUG : Level.WARN)
                .log(
                        "Whether '{}' has permission '{}' at '{}' could not be established: {} (providers={}, correlation"
                                + " id {}, node={}); it was refused",
                        who.name(),
                        what.word(),
                        where,
                        open.reason(),
                        open.providers(),
                        correlationId,
                        node);
        String told = "Whether permission '" + what.word() + "' is given at '" + where
                + "' could not be established; nothing was executed";
        // To decide whether he may know why must not wait in turn.
        boolean operates = known(who, Permission.OPERATE, MESH) instanceof AccessDecision.Granted;
        String why = operates ? " (" + open.reason() + ", providers=" + open.providers() + ")" : found(correlationId);
        return new Unavailable(told + why, detail, false);
    }

    private @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
        try {
            return decider.known(who, what, where);
        } catch (RuntimeException e) {
            LOG.warn("A decision about access failed on node {}: {}", node, e.toString());
            return null;
        }
    }

    // Whatever the decider does, a decision comes within the bound, and a fault is none.
    private Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where, Duration bound) {
        AccessDecision decided = known(who, what, where);
        if (decided != null) {
            return Future.succeededFuture(decided);
        }
        return bounded(
                () -> decider.decide(who, what, where), bound, why -> new AccessDecision.Undetermined(List.of(), why));
    }

    private <T> Future<T> bounded(Supplier<Future<T>> ask, Duration bound, Function<String, T> open) {
        Future<T> asked;
        try {
            asked = ask.get();
        } catch (RuntimeException e) {
            asked = Future.failedFuture(e);
        }
        Promise<T> promise = Promise.promise();
        Pacer.Cancellable timer = asked.isComplete()
                ? Pacer.Cancellable.NONE
                : pacer.after(
                        bound,
                        () -> promise.tryComplete(
                                open.apply("there was no decision within " + bound.toMillis() + " ms")));
        asked.onComplete((decision, cause) -> {
            timer.cancel();
            promise.tryComplete(decision != null ? decision : open.apply("the decision failed: " + cause));
        });
        return promise.future();
    }
}
