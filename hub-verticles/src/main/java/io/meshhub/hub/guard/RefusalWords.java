package io.meshhub.hub.guard;

import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unauthorized;

/** Why a gate let something not pass, as the label of a metric says it. */
public final class RefusalWords {

    private RefusalWords() {}

    /** One word of four. */
    public static String of(MeshException refusal) {
        if (refusal instanceof Unauthorized) {
            return "unauthorized";
        }
        if (refusal instanceof Forbidden) {
            return "forbidden";
        }
        return refusal instanceof Overloaded ? "overloaded" : "undetermined";
    }
}
