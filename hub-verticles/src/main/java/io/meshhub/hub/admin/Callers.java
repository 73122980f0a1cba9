package io.meshhub.hub.admin;

import io.meshhub.hub.access.AccessControl;
import io.meshhub.hub.access.AccessDecider;
import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unauthorized;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, by its bearer token, and what he may ask of this edge itself; what he asks of an address is decided
 * at its hub. Where security is open everybody is nobody, and may do everything.
 */
final class Callers {

    private static final String KEY = "io.meshhub.hub.admin.principal";
    private static final String OPEN = "security is open at this node: everybody may do everything";

    private final Optional<AccessControl> access;
    private final boolean openNames;

    /**
     * The callers of an edge.
     *
     * @param access empty where security is open
     * @param openNames whether everybody may know the names of providers where security is open
     */
    Callers(Optional<AccessControl> access, boolean openNames) {
        this.access = access;
        this.openNames = openNames;
    }

    /** Lets nobody by who does not say who he is. */
    void identify(RoutingContext ctx) {
        if (access.isEmpty()) {
            ctx.next();
            return;
        }
        String given = ctx.request().getHeader(HttpHeaders.AUTHORIZATION);
        Future<Optional<String>> asked = access.get().principalOf(given, EdgeHeaders.correlationId(ctx));
        if (asked.isComplete()) {
            identified(ctx, asked);
            return;
        }
        // The body must not be lost before its handler is there.
        ctx.request().pause();
        asked.onComplete((principal, cause) -> {
            identified(ctx, asked);
            ctx.request().resume();
        });
    }

    private static void identified(RoutingContext ctx, Future<Optional<String>> asked) {
        if (asked.failed()) {
            ctx.fail(asked.cause());
        } else if (asked.result().isEmpty()) {
            ctx.fail(new Unauthorized(
                    "This is closed to callers without a principal: a request needs a header 'Authorization' with 'Bearer'"
                            + " and a token",
                    FailureDetail.NONE));
        } else {
            ctx.put(KEY, asked.result().get());
            ctx.next();
        }
    }

    /** The principal of a request, as it travels in an envelope; null where security is open. */
    static @Nullable String principal(RoutingContext ctx) {
        return ctx.get(KEY);
    }

    /** The same handler, for those who operate this node. */
    Handler<RoutingContext> operating(Handler<RoutingContext> handler) {
        return allowed(Permission.OPERATE, AccessControl.MESH, handler);
    }

    private Handler<RoutingContext> allowed(Permission what, MeshAddress where, Handler<RoutingContext> handler) {
        return ctx -> may(ctx, what, where, () -> handler.handle(ctx));
    }

    /** Does it for a caller who may; another's request fails. */
    void may(RoutingContext ctx, Permission what, @Nullable MeshAddress where, Runnable then) {
        if (access.isEmpty()) {
            then.run();
            return;
        }
        MeshAddress asked = where == null ? AccessControl.MESH : where;
        access.get()
                .require(principal(ctx), what, asked, EdgeHeaders.correlationId(ctx))
                // What it throws must end the request as well.
                .compose(granted -> {
                    then.run();
                    return Future.succeededFuture();
                })
                .onFailure(ctx::fail);
    }

    /** How it is decided whether somebody may do something; everybody may do everything where security is open. */
    Future<JsonObject> explain(Principal who, Permission what, MeshAddress where) {
        return access.map(control -> control.explain(who, what, where))
                .orElseGet(() -> Future.succeededFuture(
                        AccessDecider.asked(who, what, where).mergeIn(new AccessDecision.Granted(OPEN).toJson())));
    }

    /** Whether the caller may know who did not answer. */
    Future<Boolean> mayKnowNames(RoutingContext ctx) {
        return access.map(control -> control.isOperator(principal(ctx)))
                .orElseGet(() -> Future.succeededFuture(openNames));
    }
}
