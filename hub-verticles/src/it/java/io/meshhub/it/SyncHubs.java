package io.meshhub.it;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.sync.HubState;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.sync.SyncClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Hubs whose state tests follow across processes. */
final class SyncHubs {

    /** How many boards of this process are starting, and the most that ever were at one time. */
    static final AtomicInteger STARTING = new AtomicInteger();

    static final AtomicInteger MOST_STARTING = new AtomicInteger();
    private static final long START_MILLIS = 5;

    private SyncHubs() {}

    /** Its state is a number, at first that of its address, and the node on which it lives. */
    static final class Board extends HubVerticle {

        @Override
        protected void configure(HubSetup setup) {
            HubState state = setup.state();
            setup.init(() -> {
                MOST_STARTING.accumulateAndGet(STARTING.incrementAndGet(), Math::max);
                Promise<Void> started = Promise.promise();
                vertx.setTimer(START_MILLIS, id -> {
                    STARTING.decrementAndGet();
                    state.set(value(Integer.parseInt(hub().address().name())));
                    started.complete();
                });
                return started.future();
            });
            setup.on("set", Integer.class, number -> {
                state.set(value(number));
                return Future.succeededFuture();
            });
            setup.on("followers", MeshBody.class, body -> Future.succeededFuture(state.followers()));
        }

        private JsonObject value(int number) {
            return new JsonObject().put("n", number).put("node", hub().node());
        }
    }

    /** Its state is that of the board of the same name, which it follows. */
    static final class Mirror extends HubVerticle {

        private final Supplier<SyncClient> sync;

        Mirror(Supplier<SyncClient> sync) {
            this.sync = sync;
        }

        @Override
        protected void configure(HubSetup setup) {
            HubState state = setup.state();
            setup.init(() -> {
                MeshAddress board = MeshAddress.of("board/" + hub().address().name());
                sync.get().watch(board).onChange(change -> change.value().ifPresent(state::set));
                return Future.succeededFuture();
            });
        }
    }
}
