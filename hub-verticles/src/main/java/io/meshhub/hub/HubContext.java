package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import java.time.Duration;

/** One activation as its own hub sees it; every call but {@link #host} is safe from any thread. */
public interface HubContext {

    /** Where the hub lives. */
    MeshAddress address();

    /** Which life of the address this is. */
    ActivationId activation();

    /** The right of this activation to write to a store: a later owner's is higher. */
    ShardFence fence();

    /** How far this life has come. */
    RunLevel level();

    /** The name of the node that hosts the hub. */
    String node();

    /**
     * Sends messages; what a handler sends inherits the principal and the correlation id of its message.
     *
     * <p>The disposal of the hub waits for requests and sends that are under way, as long as it quiesces; then they fail
     * with {@link io.meshhub.routing.failure.DeadlineExceeded}. Once the hub is dead nothing is sent any more: requests
     * fail with {@link io.meshhub.routing.failure.ShuttingDown}. What goes over its event bus is not tracked.
     */
    Mesh mesh();

    /** The time of this node. */
    MeshClock clock();

    /**
     * Ends this activation in good order; returns at once. A handler must not wait for the result, since the disposal
     * waits for the handler.
     *
     * @param reason for people
     * @return completes when the level is {@link RunLevel#DEAD}; never fails
     */
    Future<Void> dispose(String reason);

    /** The hosted hub of a kind of which there is one, under the kind's name; see {@link #host(String, String)}. */
    default HostedHub host(String kind) {
        return host(kind, kind);
    }

    /**
     * The hub that is hosted here under a name; wakes one where none lives. Called on the hub's event loop only.
     *
     * <p>One that is ending keeps its name until it is dead: its handle is handed out, and refuses.
     *
     * @param kind as registered with {@link HubSetup#hosts}
     * @param name one segment of an address, unique among the hubs that are hosted here
     * @return its handle; messages wait for its start
     * @throws HubDisposing when this hub, or one above it, is ending: then no hub is hosted any more anywhere below
     * @throws io.meshhub.routing.failure.StartFailed when a start failed under that name, and its back-off has not ended
     * @throws io.meshhub.routing.failure.Rejected when the name makes no address
     * @throws IllegalArgumentException when the kind is not registered, or the name is taken by another kind
     * @throws IllegalStateException on another thread
     */
    HostedHub host(String kind, String name);

    /**
     * Keeps the hub awake for so long from now, although no message comes; a later call counts from then. It is disposed
     * all the same when somebody asks for that, or its shard moves.
     *
     * @param time positive; at most {@link HubOptions#keepAliveCap} of it is granted
     * @return what is granted
     */
    Duration keepAlive(Duration time);

    /**
     * Deploys a verticle that is undeployed when this hub ends; one that is deployed in any other way lives as long as
     * the node.
     *
     * @return its deployment id; fails when the hub ended meanwhile
     */
    Future<String> deploy(Deployable verticle, DeploymentOptions options);
}
