package io.meshhub.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryRemovedListener;
import io.meshhub.cluster.links.MembersChanged;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's place on the event bus: what others must find in the cluster before they can send to it.
 *
 * <p>A process that sees a member go takes back what that one had told, and may be so late with it that the member is
 * long back. The cluster manager tells its own place again only when it sees a member go itself, and after a merge only
 * when all data have been merged; until then nobody can open a connection to this process, or answer it.
 */
final class BusPlace {

    private static final Logger LOG = LoggerFactory.getLogger(BusPlace.class);

    private static final String PLACES = "__vertx.nodeInfo";

    private final HazelcastInstance hazelcast;
    private final HazelcastClusterManager manager;
    private final ControlThread control;
    private final Duration bound;
    private final Duration pace;
    private boolean looking;
    private boolean lookAgain;
    private volatile boolean closed;
    private Runnable unlisten = () -> {};

    /**
     * A place that is not looked after yet.
     *
     * @param bound how long a look may take
     * @param pace how often it is looked for when nothing is told of it
     */
    BusPlace(
            HazelcastInstance hazelcast,
            HazelcastClusterManager manager,
            ControlThread control,
            Duration bound,
            Duration pace) {
        this.hazelcast = hazelcast;
        this.manager = manager;
        this.control = control;
        this.bound = bound;
        this.pace = pace;
    }

    /** Looks after it from now on; blocks for a moment. */
    void begin() {
        IMap<String, Object> places = hazelcast.getMap(PLACES);
        EntryRemovedListener<String, Object> removed = event -> control.execute(this::look);
        UUID taken = places.addEntryListener(removed, manager.getNodeId(), false);
        UUID members =
                hazelcast.getCluster().addMembershipListener(new MembersChanged(() -> control.execute(this::look)));
        unlisten = () -> {
            places.removeEntryListener(taken);
            hazelcast.getCluster().removeMembershipListener(members);
        };
        control.execute(this::lookLater);
    }

    /** Looks after it no more. */
    void close() {
        closed = true;
        control.blocking(() -> {
                    unlisten.run();
                    return true;
                })
                .onFailure(e -> LOG.debug("The listeners could not be taken back: {}", e.toString()));
    }

    private void lookLater() {
        control.after(pace, () -> {
            if (!closed) {
                look();
                lookLater();
            }
        });
    }

    // One look at a time; what is told meanwhile is one more.
    private void look() {
        if (closed) {
            return;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        IMap<String, Object> places = hazelcast.getMap(PLACES);
        control.bounded(
                        places.getAsync(manager.getNodeId()),
                        bound,
                        "Looking for this process's place on the event bus")
                .onComplete(found -> {
                    looking = false;
                    if (found.succeeded() && found.result() == null) {
                        tellAgain();
                    } else if (found.failed()) {
                        LOG.debug("It is tried again: {}", found.cause().toString());
                    }
                    if (lookAgain) {
                        lookAgain = false;
                        look();
                    }
                });
    }

    // What the cluster manager does after a merge is all that is needed: its place, and all its addresses.
    private void tellAgain() {
        if (!closed) {
            LOG.warn("This process's place on the event bus was lost from the cluster; it is told again");
            manager.stateChanged(new LifecycleEvent(LifecycleState.MERGED));
        }
    }
}
