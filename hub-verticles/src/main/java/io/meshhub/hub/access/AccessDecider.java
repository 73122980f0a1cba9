package io.meshhub.hub.access;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
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
}
