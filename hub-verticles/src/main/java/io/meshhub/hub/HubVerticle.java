package io.meshhub.hub;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/**
 * A hub: the verticle that lives at a mesh address while it is awake. An embedder extends it, keeps its state in plain
 * fields, and says in {@link #configure} what it handles.
 *
 * <p>All its code runs on one event loop: handlers one at a time, in the order in which the messages arrived. The mesh
 * makes, starts and ends it; it is never deployed by hand.
 */
public abstract class HubVerticle extends VerticleBase {

    private @Nullable HubContext hub;

    /** For the embedder's class. */
    protected HubVerticle() {}

    /**
     * Says what the hub handles; called once, on the hub's context, before anything else. What it throws fails the
     * start.
     */
    protected abstract void configure(HubSetup setup);

    /**
     * This activation.
     *
     * @throws IllegalStateException in a constructor or an initializer: the hub has no address yet
     */
    protected final HubContext hub() {
        if (hub == null) {
            throw new IllegalStateException("a hub has no context before configure() is called");
        }
        return hub;
    }

    /** Makes this instance the hub of one activation, on that activation's context. */
    final void begin(HubContext newHub, Context newContext, HubSetup setup) {
        hub = newHub;
        init(newContext.owner(), newContext);
        configure(setup);
    }

    /** Refuses: what a hub does at its start is said with {@link HubSetup#init}. */
    @Override
    public final Future<?> start() {
        return Future.failedFuture(new IllegalStateException("a hub is hosted by the mesh and not deployed: register "
                + getClass().getName() + " in HubTypes"));
    }

    /** Does nothing: what a hub does at its end is said with {@link HubSetup#onDispose}. */
    @Override
    public final Future<?> stop() {
        return Future.succeededFuture();
    }
}
