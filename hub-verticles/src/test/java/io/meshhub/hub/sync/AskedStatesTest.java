package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S11 for hubs that are asked for their state: what is final is what they say then, whoever asked before. */
@Timeout(30)
class AskedStatesTest {

    private static final MeshAddress GAUGE = MeshAddress.of("gauge/1");

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .hub("gauge", Gauge::new)
            .configure(node -> node.sync(SyncOptions.ofDefaults().withIdleRelease(Duration.ZERO)))
            .build();

    private static final class Gauge extends HubVerticle {
        private int n;

        @Override
        protected void configure(HubSetup setup) {
            HubState state = setup.state(() -> new JsonObject().put("n", n));
            setup.on("add", MeshBody.class, body -> {
                n++;
                state.changed();
                return Future.succeededFuture();
            });
            setup.on("end", MeshBody.class, body -> {
                state.complete();
                return Future.succeededFuture();
            });
        }
    }

    private void tell(String type) {
        await(mesh.mesh().request(GAUGE, null, Object.class, MeshOptions.DEFAULT.withType(type)));
    }

    private void endsWith(int n) {
        try (Watched watched = new Watched(mesh.node().sync().watch(GAUGE))) {
            watched.eventuallyIs(SyncState.Ended.class);
            assertThat(watched.numbers()).endsWith(n);
            assertThat(((SyncState.Ended) watched.stream.state()).reason()).isEqualTo(SyncState.Reason.COMPLETED);
        }
    }

    @Test
    void aStateThatNobodyEverAskedForIsAskedForWhenItBecomesFinal() {
        tell("add");
        tell("end");
        endsWith(1);
    }

    @Test
    void aStateThatChangedSinceItWasAskedForIsFinalAsItIsThen() {
        tell("add");
        try (Watched watched = new Watched(mesh.node().sync().watch(GAUGE))) {
            watched.isLiveWith(1);
        }
        tell("add");
        tell("end");
        endsWith(2);
    }
}
