package io.meshhub.hub.access;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Decides who may do what. Asked from any thread, for each message; must not block. */
public interface AccessDecider {

    /**
     * Decides, and has its own bound: the future ends within the permission rung. A fault is {@link
     * AccessDecision.Undetermined}; a future that fails is taken for one.
     */
    Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where);

    /**
     * The decision where it is known already, without a wait: a warm request costs no future.
     *
     * @return null where it is to be asked for with {@link #decide}
     */
    default @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
        return null;
    }

    /**
     * Decides, and says why; for operators only. Has the bound of {@link #decide}.
     *
     * @return {@code principal, roles, permission, address} and what {@link AccessDecision#toJson} says; a decider may add
     *     more
     */
    default Future<JsonObject> explain(Principal who, Permission what, MeshAddress where) {
        return decide(who, what, where).map(decision -> asked(who, what, where).mergeIn(decision.toJson()));
    }

    /** The question as JSON: {@code principal, roles, permission, address}. */
    static JsonObject asked(Principal who, Permission what, MeshAddress where) {
        return new JsonObject()
                .put("principal", who.name())
                .put("roles", new JsonArray(who.roles().stream().sorted().toList()))
                .put("permission", what.word())
                .put("address", where.toString());
    }
}
