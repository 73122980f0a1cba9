package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W7 over two nodes: what a stream was told to be written is there when the address wakes on the other node. */
@Timeout(90)
class AcknowledgedUpdatesMoveTest {

    private final SharedStore store = new SharedStore();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.cluster(2)
            .configure(node -> node.sync(SyncOptions.ofDefaults().withIdleRelease(Duration.ZERO)))
            .configure(store::serve)
            .build();

    @Test
    void w7TheValueIsThereWhenTheAddressWakesElsewhere() {
        MeshAddress address = mesh.addressOn(2, "iso/CH");
        JsonObject node =
                new JsonObject(Map.of("nodeType", "country", "name", "A", "content", new JsonObject().put("n", 0)));
        await(mesh.mesh().request(address, node, Object.class, MeshOptions.DEFAULT.withType(NodeHubs.PUT)));
        Watched watched = new Watched(mesh.node(1).sync().watch(address));
        for (int i = 0; i < 5; i++) {
            await(watched.stream.update(it -> {
                it.getJsonObject("content").put("n", it.getJsonObject("content").getInteger("n") + 1);
                return it;
            }));
        }

        await(mesh.node(2).stop(Duration.ofSeconds(12)));

        JsonObject read =
                await(mesh.mesh().request(address, null, JsonObject.class, MeshOptions.DEFAULT.withType(NodeHubs.GET)));
        assertThat(read.getJsonObject("content").getInteger("n")).isEqualTo(5);
        assertThat(read.getLong("version")).isEqualTo(6);
        Watched.eventually(
                "live with what was written",
                () -> watched.stream.state() instanceof SyncState.Live
                        && watched.stream.version() == 6
                        && watched.stream
                                        .value()
                                        .orElseThrow()
                                        .getJsonObject("content")
                                        .getInteger("n")
                                == 5);
        watched.close();
    }
}
