package io.meshhub.hub.access;

import io.meshhub.hub.activity.Activities;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MessageType;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** What a message needs, by its type. */
final class MessagePermissions {

    private static final List<Permission> PUT = List.of(Permission.CREATE, Permission.UPDATE);
    private static final List<Permission> EXECUTE = List.of(Permission.EXECUTE);
    private static final List<Permission> OPERATE = List.of(Permission.OPERATE);

    private static final Map<String, List<Permission>> BY_TYPE = Map.of(
            "get",
            List.of(Permission.READ),
            "subscribe",
            List.of(Permission.READ),
            Subscribe.TYPE,
            List.of(Permission.READ),
            "put",
            PUT,
            "patch",
            List.of(Permission.UPDATE),
            Update.TYPE,
            List.of(Permission.UPDATE),
            "delete",
            List.of(Permission.DELETE));

    private MessagePermissions() {}

    /** All that a message of the type may need; the same list for the same type. */
    static List<Permission> of(String type) {
        List<Permission> known = BY_TYPE.get(type);
        if (known != null) {
            return known;
        }
        if (type.startsWith(Activities.TYPES)) {
            // Who may not write below a partition does no work there either.
            return PUT;
        }
        return MessageType.Names.isSystem(type) ? OPERATE : EXECUTE;
    }

    /** All that this message needs: a put that says which version it expects needs one permission, not two. */
    static List<Permission> exactly(Envelope envelope) {
        List<Permission> needed = of(envelope.type());
        if (needed != PUT || envelope.body().kind() != MeshBody.Kind.OBJECT) {
            return needed;
        }
        Object version = envelope.body()
                .as(JsonObject.class)
                .map(body -> body.getValue("ifVersion"))
                .orElse(null);
        if (version instanceof Number number) {
            return number.longValue() == 0 ? List.of(Permission.CREATE) : List.of(Permission.UPDATE);
        }
        return needed;
    }
}
