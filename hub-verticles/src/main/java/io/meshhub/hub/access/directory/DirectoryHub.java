package io.meshhub.hub.access.directory;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Whose;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * Answers look-ups of the directory at {@value #ADDRESS}: a message {@value #FIND} with exactly one of {@code id} and {@code
 * email} is answered with {@code outcome}, {@code found} or {@code unknown}, and where he is known with {@code principal}.
 * What could not be found out is {@link Unavailable}; its reason is in the log of the node.
 */
public final class DirectoryHub extends HubVerticle {

    /** Where it is asked. */
    public static final String ADDRESS = "_Identity";

    /** The type of a message that looks somebody up. */
    public static final String FIND = "find";

    private final Whose whose;

    /** One that asks that directory. */
    public DirectoryHub(Whose whose) {
        this.whose = whose;
    }

    @Override
    protected void configure(HubSetup setup) {
        setup.on(FIND, JsonObject.class, this::find);
    }

    private Future<JsonObject> find(JsonObject body) {
        return whose.find(key(body)).compose(DirectoryHub::answer);
    }

    private static Future<JsonObject> answer(Lookup found) {
        if (found instanceof Lookup.Found known) {
            return Future.succeededFuture(
                    new JsonObject().put("outcome", "found").put("principal", known.principal()));
        }
        if (found instanceof Lookup.Unknown) {
            return Future.succeededFuture(new JsonObject().put("outcome", "unknown"));
        }
        return Future.failedFuture(new Unavailable(
                "Who that is could not be established; whoever runs the node finds why in its log",
                FailureDetail.NONE,
                true));
    }

    private static Key key(JsonObject body) {
        if (body.size() == 1 && body.getValue("id") instanceof String id) {
            return Key.id(id);
        }
        if (body.size() == 1 && body.getValue("email") instanceof String email) {
            return Key.email(email);
        }
        throw new Rejected(
                "A look-up at '" + ADDRESS + "' must have one text, 'id' or 'email', and nothing else",
                FailureDetail.NONE,
                -1);
    }
}
