package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** W3: an owner that is being disposed merges nothing more and acknowledges nothing more; it says that asking again helps. */
class DisposingOwnerRefusesPatchesTest extends NodeHubFixture {

    private static JsonObject patch(String key, int value) {
        return new JsonObject()
                .put("format", "merge-patch")
                .put("patch", new JsonObject().put("content", new JsonObject().put(key, value)));
    }

    private JsonObject content() {
        return memory.read(CH).await().orElseThrow().content();
    }

    @Test
    void aPatchThatComesWhileTheOwnerIsDisposedIsRefusedAndNeitherMergedNorAcknowledged() {
        document("put", country("Switzerland"));
        store.gate = Promise.promise();
        Future<MeshBody> before = ask(CH, "patch", patch("before", 1));
        Awaitility.await().until(() -> store.writes.size() == 2);
        Future<MeshBody> recycled = recycle();

        List<Future<MeshBody>> meanwhile = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            meanwhile.add(ask(CH, "patch", patch("meanwhile", i)));
        }
        for (Future<MeshBody> each : meanwhile) {
            ShuttingDown refusal = refused(ShuttingDown.class, each);
            assertThat(refusal.remedy()).isEqualTo(Remedy.RIDE_OUT);
            assertThat(refusal.entered()).isFalse();
            assertThat(refusal.runLevel()).contains(RunLevel.QUIESCING);
        }
        assertThat(store.writes).as("nothing more was written").hasSize(2);
        assertThat(before.isComplete()).as("the one under way may finish").isFalse();

        Promise<Void> gate = store.gate;
        store.gate = null;
        gate.complete();
        before.await();
        recycled.await();
        JsonObject ridden = MeshLikeRider.ride(() -> ask(CH, "patch", patch("meanwhile", 99)))
                .as(JsonObject.class)
                .orElseThrow();
        assertThat(ridden.getLong("version")).isEqualTo(3);
        assertThat(content().getInteger("before")).isEqualTo(1);
        assertThat(content().getInteger("meanwhile")).isEqualTo(99);
        assertThat(answered.get(answered.size() - 1)).isGreaterThan(answered.get(0));
    }
}
