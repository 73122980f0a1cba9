package io.meshhub.bench;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.sync.HubState;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A hub with a state that benchmarks follow: a number, its node, and when it began; 100 bytes or so. */
final class BenchBoard extends HubVerticle {

    /** How many of this process are starting, and the most that ever were at one time. */
    static final AtomicInteger STARTING = new AtomicInteger();

    static final AtomicInteger MOST_STARTING = new AtomicInteger();

    private static final Map<String, HubState> STATES = new ConcurrentHashMap<>();

    private final long startMillis;

    /**
     * A board.
     *
     * @param startMillis how long its start takes; 0 for no time
     */
    BenchBoard(long startMillis) {
        this.startMillis = startMillis;
    }

    /** The state of a board that lives in this process. */
    static HubState state(String address) {
        HubState state = STATES.get(address);
        if (state == null) {
            throw new IllegalStateException("no board lives here at " + address);
        }
        return state;
    }

    /** The state with that number. */
    static JsonObject value(long number, String node) {
        return new JsonObject()
                .put("n", number)
                .put("node", node)
                .put("text", "as long as what a small state says of itself");
    }

    @Override
    protected void configure(HubSetup setup) {
        HubState state = setup.state();
        setup.on("wake", MeshBody.class, body -> Future.succeededFuture(hub().node()));
        setup.init(() -> {
            state.set(value(0, hub().node()).put("since", System.nanoTime()));
            if (hub().address().name().equals("fan")) {
                STATES.put(hub().address().toString(), state);
            }
            if (startMillis == 0) {
                return Future.succeededFuture();
            }
            MOST_STARTING.accumulateAndGet(STARTING.incrementAndGet(), Math::max);
            Promise<Void> started = Promise.promise();
            vertx.setTimer(startMillis, fired -> {
                STARTING.decrementAndGet();
                started.complete();
            });
            return started.future();
        });
    }
}
