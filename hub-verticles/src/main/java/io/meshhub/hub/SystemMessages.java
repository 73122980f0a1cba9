package io.meshhub.hub;

import io.meshhub.hub.sync.StateHub;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.sync.protocol.Subscribe;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.function.Supplier;

/** The message types that the runtime handles for every hub. */
final class SystemMessages {

    /**
     * Ends the activation; the reply comes when it is dead, or at once when none lives. With the body {@code {"park":true}}
     * its entry stays in the table at DEAD and refuses, until {@code {"release":true}} takes it out.
     */
    static final String RECYCLE = "mesh.recycle";

    /** Asks the activation how it is, at any level; wakes one where the address exists. */
    static final String PING = "mesh.ping";

    /** Ends a hosted hub; the reply comes when it is dead. An address of the mesh refuses. */
    static final String DISPOSE = "mesh.dispose";

    private static final Set<String> HOUSEKEEPING = Set.of(RECYCLE, PING, DISPOSE);
    private static final Set<String> ALL = Set.of(RECYCLE, PING, DISPOSE, Subscribe.TYPE);

    private static final String KNOWN = "the body of '" + RECYCLE + "' is empty, {\"park\":true} or {\"release\":true}";

    /** What a recycle asks for. */
    private enum Order {
        RECYCLE,
        PARK,
        RELEASE
    }

    private SystemMessages() {}

    /** Whether the mesh itself says it, or an operator: it shows and changes nothing of what a hub keeps. */
    static boolean isHousekeeping(String type) {
        return HOUSEKEEPING.contains(type);
    }

    /** Whether no hub may have a handler for the type. */
    static boolean handles(String type) {
        return ALL.contains(type);
    }

    /**
     * Handles the message when it is one of these.
     *
     * @return whether it was
     */
    static boolean handle(Delivery delivery, Activation activation, HubOptions options) {
        switch (delivery.envelope().type()) {
            case PING -> {
                delivery.accepted(activation.activation());
                delivery.reply(MeshBody.of(state(activation)), activation.activation());
            }
            case RECYCLE -> recycle(delivery, activation, options);
            case DISPOSE -> dispose(delivery, activation);
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Handles the message when it is one that wakes nobody.
     *
     * @return whether it was
     */
    static boolean handleCold(Delivery delivery, HubLoop loop) {
        String type = delivery.envelope().type();
        if (type.equals(DISPOSE)) {
            delivery.fail(notHosted(delivery));
            return true;
        }
        if (!type.equals(RECYCLE)) {
            return false;
        }
        Order order;
        try {
            order = order(delivery, loop.options());
        } catch (Rejected e) {
            delivery.fail(e);
            return true;
        }
        if (order == Order.PARK) {
            return false;
        }
        loop.nothingToRecycle(delivery);
        return true;
    }

    private static void dispose(Delivery delivery, Activation activation) {
        if (activation.host() == null) {
            delivery.fail(notHosted(delivery));
        } else {
            end(delivery, activation, () -> activation.dispose("its disposal was asked for"));
        }
    }

    private static Rejected notHosted(Delivery delivery) {
        return Rejected.message(
                delivery.envelope().to(),
                "'" + DISPOSE + "' ends hubs that another one hosts; an address is ended with '" + RECYCLE + "'");
    }

    private static void recycle(Delivery delivery, Activation activation, HubOptions options) {
        Order order;
        try {
            order = order(delivery, options);
        } catch (Rejected e) {
            delivery.fail(e);
            return;
        }
        switch (order) {
            case RECYCLE -> {
                if (activation.isParked()) {
                    // It is dead, and the next message would not wake it.
                    delivery.fail(activation.refusal());
                } else {
                    end(delivery, activation, () -> activation.dispose("recycle was asked for"));
                }
            }
            case PARK -> {
                if (activation.host() == null) {
                    end(delivery, activation, activation::park);
                } else {
                    delivery.fail(Rejected.message(delivery.envelope().to(), "a hosted hub cannot be parked"));
                }
            }
            case RELEASE -> {
                delivery.accepted(activation.activation());
                activation.unpark();
                delivery.reply(MeshBody.NULL, activation.activation());
            }
        }
    }

    private static void end(Delivery delivery, Activation activation, Supplier<Future<Void>> end) {
        delivery.accepted(activation.activation());
        delivery.describedBy(() -> Verdicts.deadline(activation, delivery));
        end.get().onComplete((nothing, never) -> delivery.reply(MeshBody.NULL, activation.activation()));
    }

    private static Order order(Delivery delivery, HubOptions options) {
        MeshBody body = delivery.envelope().body();
        if (body.isNull()) {
            return Order.RECYCLE;
        }
        JsonObject json;
        try {
            json = body.as(JsonObject.class).orElseGet(JsonObject::new);
        } catch (IllegalArgumentException e) {
            throw Rejected.message(delivery.envelope().to(), e.getMessage() + "; " + KNOWN);
        }
        boolean park = Boolean.TRUE.equals(json.getValue("park"));
        boolean release = Boolean.TRUE.equals(json.getValue("release"));
        boolean known = json.stream()
                .allMatch(entry ->
                        Set.of("park", "release").contains(entry.getKey()) && entry.getValue() instanceof Boolean);
        if (!known || (park && release)) {
            throw Rejected.message(delivery.envelope().to(), KNOWN);
        }
        if (!park && !release) {
            return Order.RECYCLE;
        }
        if (!options.allowPark()) {
            throw Rejected.message(
                    delivery.envelope().to(),
                    "addresses are parked for tests and demonstrations only, and its node does not allow it"
                            + " (hub.allow-park = false)");
        }
        return park ? Order.PARK : Order.RELEASE;
    }

    /** Answers a recycle where nothing lives: the id of no activation, under the epoch of the shard. */
    static void nothingToRecycle(Delivery delivery, long epoch) {
        ActivationId none = ActivationId.of(epoch, 0);
        delivery.accepted(none);
        delivery.reply(MeshBody.NULL, none);
    }

    /** The hub whose state is published, as the publisher sees it. */
    static StateHub stateOf(Activation activation) {
        return new StateHub(
                activation.address(),
                activation.activation(),
                activation::level,
                activation.context(),
                condition -> activation.household().alsoAwakeWhile(condition));
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
