package io.meshhub.hub.sync;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.sync.SyncClient;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** A hub without a state, which may watch another one. */
final class Mute extends HubVerticle {

    /** What a board says, as a record. */
    record Numbered(int n) {}

    static volatile Supplier<SyncClient> client = () -> {
        throw new IllegalStateException("no client");
    };

    @Override
    protected void configure(HubSetup setup) {
        setup.on("nothing", MeshBody.class, body -> Future.succeededFuture());
        setup.on("watch", String.class, address -> {
            client.get().watch(MeshAddress.of(address)).onChange(change -> {});
            return Future.succeededFuture();
        });
    }
}
