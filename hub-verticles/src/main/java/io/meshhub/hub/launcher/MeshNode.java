package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** A node as the process sees it: something that starts, and ends in good order when told to. */
public interface MeshNode {

    /** Makes a node from its settings; starts nothing. */
    @FunctionalInterface
    interface Factory {

        /** The node; it has not started. */
        MeshNode create(Settings<MeshHubSettings> settings);
    }

    /**
     * Starts it; completes when the node is UP and listens. Fails with {@link StartRefused} where the reason is one that
     * its operator can cure. After a failure, too, the node is stopped.
     */
    Future<Void> start();

    /**
     * Ends it: readiness falls, shards are handed over and hubs disposed within the drain, then HTTP, the bus and the
     * cluster are left. Called once, also for a node that is still starting or failed to. The process waits for the
     * drain and 10 s more.
     */
    Future<Drained> stop(Duration drain);

    /** What has not ended yet, for the line that says what was cut; at most a few names. */
    default List<String> pending() {
        return List.of();
    }
}
