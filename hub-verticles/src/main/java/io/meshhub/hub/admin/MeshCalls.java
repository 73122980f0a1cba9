package io.meshhub.hub.admin;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.Verb;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.function.Consumer;

/** Turns a request into a message, and gives it up when its client is gone. */
final class MeshCalls {

    private final Mesh mesh;

    MeshCalls(Mesh mesh) {
        this.mesh = mesh;
    }

    /**
     * Asks, and answers the request with what comes.
     *
     * @param idempotent whether a second execution does no harm
     * @param render writes a reply
     */
    void ask(
            RoutingContext ctx,
            MeshAddress to,
            String type,
            MeshBody body,
            boolean idempotent,
            Consumer<MeshReply> render) {
        EdgeHeaders headers = EdgeHeaders.of(ctx, mesh.budgets().operation());
        // The one that the edge has established: never one that a client only claims.
        Envelope envelope = new Envelope(
                to,
                type,
                body,
                Verb.REQUEST,
                null,
                headers.deadlineMs(),
                0,
                Callers.principal(ctx),
                headers.correlationId(),
                headers.traceparent(),
                0);
        MeshOptions options = MeshOptions.DEFAULT
                .withDeadline(Duration.ofMillis(headers.deadlineMs()))
                .withIdempotent(idempotent)
                .withCorrelationId(headers.correlationId());
        MeshCall<MeshReply> call = mesh.call(envelope, options);
        ctx.addEndHandler(end -> {
            if (end.failed()) {
                call.cancel();
            }
        });
        // What rendering throws must end the request as well.
        call.answer()
                .compose(reply -> {
                    render.accept(reply);
                    return Future.succeededFuture();
                })
                .onFailure(ctx::fail);
    }
}
