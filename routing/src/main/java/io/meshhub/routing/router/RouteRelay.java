package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.spi.EntryGate;
import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The way in for everybody without our codecs: {@code mesh.route}, one clustered consumer on each node, which relays into
 * the mesh and answers with a plain body, or with a plain failure code and a text.
 *
 * <p>The relaying node rides refusals out for its plain peer, which has no rider of its own. Between messages there is no
 * order; should the relaying node die, the peer sees the bus's own time-out.
 */
final class RouteRelay {

    /** The address of the relay. */
    static final String ADDRESS = "mesh.route";

    private final MeshRouter mesh;
    private final MeshMetrics metrics;
    private final ContextInternal busContext;
    private volatile @Nullable MessageConsumer<Object> consumer;

    private RouteRelay(MeshRouter mesh, Parts parts) {
        this.mesh = mesh;
        this.metrics = parts.metrics();
        this.busContext = parts.busContext();
    }

    /** Registers this node's relay. */
    static Future<RouteRelay> start(Parts parts, MeshRouter mesh) {
        RouteRelay relay = new RouteRelay(mesh, parts);
        Promise<RouteRelay> promise = Promise.promise();
        // It calls nothing foreign and never blocks, so it may live on the bus loop, and answers from there.
        parts.busContext().runOnContext(turn -> {
            MessageConsumer<Object> registered = parts.vertx().eventBus().consumer(ADDRESS, relay::relay);
            relay.consumer = registered;
            registered.completion().map(relay).onComplete(promise);
        });
        return promise.future();
    }

    /** Relays nothing more; what was relayed is still answered. */
    Future<Void> stop() {
        MessageConsumer<Object> registered = consumer;
        return registered == null ? Future.succeededFuture() : registered.unregister();
    }

    private void relay(Message<Object> message) {
        boolean expectsReply = message.replyAddress() != null;
        Envelope envelope;
        try {
            envelope = read(message, expectsReply);
        } catch (MeshException e) {
            answer(message, null, e);
            return;
        }
        mesh.entries()
                .principalOf(message.headers().get(EntryGate.AUTHORIZATION))
                .onSuccess(principal -> relay(message, envelope.onBehalfOf(principal.orElse(null))))
                .onFailure(cause -> answer(message, null, cause));
    }

    private void relay(Message<Object> message, Envelope envelope) {
        metrics.count("mesh.route.relayed");
        if (envelope.ignorable()) {
            mesh.tell(() -> envelope);
            return;
        }
        mesh.call(envelope, MeshOptions.DEFAULT).answer().onComplete(done -> {
            if (done.succeeded()) {
                reply(message, envelope, done.result().body());
            } else {
                answer(message, null, done.cause());
            }
        });
    }

    private void reply(Message<Object> message, Envelope envelope, io.meshhub.routing.MeshBody body) {
        Object plain;
        try {
            plain = body.toPlain();
        } catch (IllegalArgumentException e) {
            answer(
                    message,
                    null,
                    HandlerFailed.of(
                            envelope.to(),
                            envelope.type(),
                            FailureDetail.about(envelope.to()).on(mesh.node()),
                            e));
            return;
        }
        answer(message, plain, null);
    }

    private Envelope read(Message<Object> message, boolean expectsReply) {
        Envelope read;
        if (message.headers().contains(EnvelopeHeaders.TO) || !EnvelopeHeaders.isJsonForm(message.body())) {
            MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(message.headers());
            headers.remove(EnvelopeHeaders.FROM).remove(EnvelopeHeaders.PRINCIPAL);
            read = EnvelopeHeaders.fromHeaders(
                    headers, message.body(), mesh.budgets().request(), expectsReply);
        } else {
            JsonObject json = new JsonObject(new LinkedHashMap<>(((JsonObject) message.body()).getMap()));
            json.remove(EnvelopeHeaders.FROM);
            json.remove(EnvelopeHeaders.PRINCIPAL);
            read = EnvelopeHeaders.fromJson(json, mesh.budgets().request(), expectsReply);
        }
        if (read.hops() >= Envelope.MAX_HOPS) {
            throw RoutingLoop.after(read.to(), read.hops() + 1, mesh.node());
        }
        if (MessageType.Names.isSystem(read.type())) {
            throw Rejected.message(read.to(), "type '" + read.type() + "' is one of the mesh's own");
        }
        // This is an edge: it takes in deadline, correlation, type and address, and the hops, which only ever rise. Who
        // sends is not for an outside header to say, and on whose behalf only with credentials.
        return new Envelope(
                read.to(),
                read.type(),
                read.body(),
                read.verb(),
                null,
                read.deadlineMs(),
                read.hops() + 1,
                null,
                read.correlationId(),
                read.traceparent(),
                0);
    }

    private void answer(Message<Object> message, @Nullable Object body, @Nullable Throwable failure) {
        if (message.replyAddress() == null) {
            if (failure != null) {
                metrics.count("mesh.route.lost");
            }
            return;
        }
        busContext.runOnContext(turn -> {
            if (failure instanceof MeshException known) {
                message.fail(known.failureCode(), known.getMessage());
            } else if (failure != null) {
                message.fail(HandlerFailed.CODE, String.valueOf(failure.getMessage()));
            } else {
                message.reply(body);
            }
        });
    }
}
