package io.meshhub.hub.sync;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;

/** A hub with a state whose disposal takes as long as the test wants. */
final class Slow extends HubVerticle {

    private final Promise<Void> mayEnd;
    private final AtomicInteger lives;

    Slow(Promise<Void> mayEnd, AtomicInteger lives) {
        this.mayEnd = mayEnd;
        this.lives = lives;
    }

    @Override
    protected void configure(HubSetup setup) {
        setup.state(() -> new JsonObject().put("n", lives.get()));
        setup.init(() -> {
            lives.incrementAndGet();
            return Future.succeededFuture();
        });
        setup.onDispose(mayEnd::future);
        setup.on("dispose", MeshBody.class, body -> {
            hub().dispose("it was told to");
            return Future.succeededFuture();
        });
    }
}
