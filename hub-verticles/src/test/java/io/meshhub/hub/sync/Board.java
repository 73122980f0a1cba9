package io.meshhub.hub.sync;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** A hub whose state is what it was told last; at first how often the address woke, as far as this class knows. */
final class Board extends HubVerticle {

    @Override
    protected void configure(HubSetup setup) {
        HubState state = setup.state();
        setup.init(() -> {
            state.set(new JsonObject().put("n", 0));
            return Future.succeededFuture();
        });
        setup.on("set", JsonObject.class, body -> {
            state.set(body);
            return Future.succeededFuture();
        });
        setup.on("set-twice", JsonObject.class, body -> {
            state.set(new JsonObject().put("n", -1));
            state.set(body);
            return Future.succeededFuture();
        });
        setup.on("followers", MeshBody.class, body -> Future.succeededFuture(state.followers()));
        setup.on("end", MeshBody.class, body -> {
            state.complete();
            return Future.succeededFuture();
        });
        setup.on("fail", MeshBody.class, body -> {
            state.fail(HandlerFailed.of(
                    hub().address(),
                    "fail",
                    FailureDetail.about(hub().address()).on(hub().node()),
                    new IllegalStateException("the source is gone")));
            return Future.succeededFuture();
        });
        setup.on("dispose", MeshBody.class, body -> {
            hub().dispose("it was told to");
            return Future.succeededFuture();
        });
    }
}
