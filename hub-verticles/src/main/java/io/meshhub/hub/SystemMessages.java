package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.json.JsonObject;

/** The message types that the runtime handles for every hub. */
final class SystemMessages {

    /** Ends the activation; the reply comes when it is dead, or at once when none lives. */
    static final String RECYCLE = "mesh.recycle";

    /** Asks the activation how it is, at any level; wakes one where the address exists. */
    static final String PING = "mesh.ping";

    private SystemMessages() {}

    /** Whether no hub may have a handler for the type. */
    static boolean handles(String type) {
        return type.equals(RECYCLE) || type.equals(PING);
    }

    /**
     * Handles the message when it is one of these.
     *
     * @return whether it was
     */
    static boolean handle(Delivery delivery, Activation activation) {
        String type = delivery.envelope().type();
        if (type.equals(PING)) {
            delivery.accepted(activation.activation());
            delivery.reply(MeshBody.of(state(activation)), activation.activation());
            return true;
        }
        if (type.equals(RECYCLE)) {
            delivery.accepted(activation.activation());
            delivery.describedBy(() -> Verdicts.deadline(activation, delivery));
            activation.dispose("recycle was asked for").onComplete((nothing, never) -> {
                delivery.reply(MeshBody.NULL, activation.activation());
            });
            return true;
        }
        return false;
    }

    /** Answers a recycle where nothing lives: the id of no activation, under the epoch of the shard. */
    static void nothingToRecycle(Delivery delivery, long epoch) {
        ActivationId none = ActivationId.of(epoch, 0);
        delivery.accepted(none);
        delivery.reply(MeshBody.NULL, none);
    }

    private static JsonObject state(Activation activation) {
        Mailbox mailbox = activation.mailbox();
        ActivationId id = activation.activation();
        // A string, since a JSON number of 64 bits loses digits in many readers.
        return new JsonObject()
                .put("activation", Long.toString(id.value()))
                .put("tag", id.tag())
                .put("runLevel", activation.level().name())
                .put("node", activation.node())
                .put("mailboxDepth", mailbox == null ? 0 : mailbox.depth());
    }
}
