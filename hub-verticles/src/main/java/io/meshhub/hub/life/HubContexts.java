package io.meshhub.hub.life;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.router.MeshLoops;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextBuilderImpl;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.Callable;

/**
 * The contexts of hubs: the one place that uses what Vert.x does not promise to keep.
 *
 * <p>A hub runs on a context of its own, on the loop of its address, so that what it opened can be closed at its end.
 * Vert.x ties timers and consumers to the close of a context only where the context belongs to a deployment; therefore
 * the context carries the deployment id of the loop's host verticle, and a close future of its own.
 */
public final class HubContexts {

    private HubContexts() {}

    /** A context for one activation on that loop. */
    public static ContextInternal create(MeshLoops.Loop loop) {
        ContextInternal host = loop.context();
        ContextBuilderImpl builder = (ContextBuilderImpl) host.owner().contextBuilder();
        return builder.withDeployment(loop.deploymentId())
                .withEventLoop(host.nettyEventLoop())
                .withCloseFuture(new CloseFuture())
                .build();
    }

    /** Ends every timer, consumer, server and client that was made on the context. */
    public static Future<Void> close(ContextInternal context) {
        return context.closeFuture().close();
    }

    /** Deploys a verticle that is undeployed when the context is closed. */
    public static Future<String> deploy(ContextInternal context, Deployable verticle, DeploymentOptions options) {
        Vertx vertx = context.owner();
        return vertx.deployVerticle(verticle, options).compose(id -> {
            boolean open = context.closeFuture()
                    .add(closed -> vertx.undeploy(id).otherwiseEmpty().onComplete(closed));
            return open
                    ? Future.succeededFuture(id)
                    : vertx.undeploy(id)
                            .compose(undeployed -> Future.failedFuture(
                                    new IllegalStateException("the hub ended while verticle " + id + " was deployed")));
        });
    }

    /** A context for one message, on which everything that is sent inherits the scope. */
    public static ContextInternal forMessage(ContextInternal context, CallScope scope) {
        ContextInternal duplicate = context.duplicate();
        scope.enter(duplicate);
        return duplicate;
    }

    /** Calls the hub's code on its context, on the loop's thread; what it throws fails the future. */
    public static Future<?> call(ContextInternal context, Callable<? extends Future<?>> code) {
        ContextInternal previous = context.beginDispatch();
        try {
            Future<?> future = code.call();
            return future == null ? Future.failedFuture(new IllegalStateException("no future was returned")) : future;
        } catch (Throwable t) {
            // Errors too: the message that met one is answered like any other.
            return Future.failedFuture(t);
        } finally {
            context.endDispatch(previous);
        }
    }
}
