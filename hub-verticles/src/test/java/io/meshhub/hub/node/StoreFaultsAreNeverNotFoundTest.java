package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** W8, A4 and the durable half of W7: what the store says decides, and a fault of the store says nothing about a node. */
final class StoreFaultsAreNeverNotFoundTest extends NodeHubFixture {

    /** R3: the catalogue's fault. */
    @Test
    void aMissingNodeIsUnavailableWhileTheStoreFails() {
        store.readsFail = true;
        assertThat(refused(Unavailable.class, "get", null).sent()).isFalse();
    }

    @Test
    void aPutIsUnavailableWhileTheStoreCannotBeReadAndHealsByItself() {
        store.readsFail = true;
        Unavailable failure = refused(Unavailable.class, "put", country("Switzerland"));
        assertThat(failure.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
        store.readsFail = false;
        assertThat(document("put", country("Switzerland")).getLong("version")).isEqualTo(1);
    }

    @Test
    void aFailedWriteIsUnavailableAndWhatStandsIsReadAgain() {
        document("put", country("Switzerland"));
        store.writesFail = true;
        assertThat(refused(Unavailable.class, "put", country("Suisse")).sent()).isTrue();
        store.writesFail = false;
        // Meanwhile somebody else wrote: what the hub remembered would be wrong.
        writeAs("a-1", node.row(CH.shard()).epoch(), "Schweiz");
        assertThat(document("get", null).getString("name")).isEqualTo("Schweiz");
    }

    /** W7: nothing is acknowledged before the store has. */
    @Test
    void aWriteIsAcknowledgedAfterTheStoreDid() {
        store.gate = Promise.promise();
        Future<MeshBody> put = ask(CH, "put", country("Switzerland"));
        Future<MeshBody> get = ask(CH, "get", null);
        org.awaitility.Awaitility.await().until(() -> store.writes.size() == 1);
        assertThat(put.isComplete()).isFalse();
        assertThat(get.isComplete()).isFalse();
        store.gate.complete();
        put.await();
        assertThat(get.await().as(JsonObject.class).orElseThrow().getLong("version"))
                .isEqualTo(1);
    }

    @Test
    void writesCarryTheVersionAndTheFenceOfTheirActivation() {
        document("put", country("Switzerland"));
        document("put", country("Suisse"));
        NodeWrite write = store.writes.get(1);
        long epoch = node.row(CH.shard()).epoch();
        assertThat(write.expectedVersion()).isEqualTo(1);
        assertThat(write.activation()).isEqualTo(answered.get(1));
        assertThat(write.fence()).isEqualTo(new ShardFence("hub", CH.shard(), epoch, "a-1"));
        assertThat(write.activation().epoch()).isEqualTo(epoch);
    }

    /** W8, A4. */
    @Test
    void aSupersededActivationCannotWriteAndEnds() {
        document("put", country("Switzerland"));
        long epoch = node.row(CH.shard()).epoch();
        assertThat(memory.take(List.of(new ShardFence("hub", CH.shard(), epoch + 1, "b-1")))
                        .await())
                .isEmpty();
        ShuttingDown failure = refused(ShuttingDown.class, "put", country("Suisse"));
        assertThat(failure.entered()).isTrue();
        assertThat(failure.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
        assertThat(failure.activation()).hasValue(answered.get(0));
        assertThat(memory.read(CH).await().orElseThrow().name()).isEqualTo("Switzerland");
        // The next message wakes another activation; only the refused one ended.
        MeshBody read = MeshLikeRider.ride(() -> ask(CH, "get", null));
        assertThat(read.as(JsonObject.class).orElseThrow().getString("name")).isEqualTo("Switzerland");
        assertThat(answered.get(1).value()).isGreaterThan(answered.get(0).value());
    }

    /** Somebody who writes to the store directly is noticed, and a change without an expected version still lands. */
    @Test
    void aVersionThatMovedUnderTheHubIsReadAgain() {
        document("put", country("Switzerland"));
        writeAs("a-1", node.row(CH.shard()).epoch(), "Schweiz");
        JsonObject patch = new JsonObject()
                .put("format", "merge-patch")
                .put("patch", new JsonObject().put("content", new JsonObject().put("capital", "Berne")));
        JsonObject patched = document("patch", patch);
        assertThat(patched.getLong("version")).isEqualTo(3);
        assertThat(patched.getString("name")).isEqualTo("Schweiz");
        assertThat(patched.getJsonObject("content").getString("capital")).isEqualTo("Berne");
    }

    private void writeAs(String incarnation, long epoch, String name) {
        memory.write(new NodeWrite(
                        CH,
                        "country",
                        name,
                        new JsonObject().put("capital", "Bern"),
                        NodeWrite.ANY_VERSION,
                        answered.get(0),
                        new ShardFence("hub", CH.shard(), epoch, incarnation)))
                .await();
    }
}
