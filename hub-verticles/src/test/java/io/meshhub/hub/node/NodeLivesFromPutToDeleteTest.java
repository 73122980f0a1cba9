package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** N1, R4, R14, W4 and conflicts, on one node. */
final class NodeLivesFromPutToDeleteTest extends NodeHubFixture {

    /** N1. */
    @Test
    void whatWasCreatedIsRead() {
        JsonObject created = document("put", country("Switzerland"));
        assertThat(created.getBoolean("created")).isTrue();
        assertThat(created.getBoolean("changed")).isTrue();
        created.remove("created");
        created.remove("changed");
        assertThat(created)
                .isEqualTo(country("Switzerland").put("path", "iso/CH").put("version", 1));
        assertThat(document("get", null)).isEqualTo(created);
        assertThat(memory.read(CH).await().orElseThrow().version()).isEqualTo(1);
        recycle().await();
        assertThat(document("get", null)).isEqualTo(created);
    }

    /** N1, R14. */
    @Test
    void createOfAnExistingNodeIsAConflict() {
        document("put", country("Switzerland").put("ifVersion", 0));
        Conflict conflict = refused(Conflict.class, "put", country("Suisse").put("ifVersion", 0));
        assertThat(conflict.currentVersion()).isEqualTo(1);
        assertThat(conflict.isVerdictAbout(CH)).isTrue();
        assertThat(document("get", null).getString("name")).isEqualTo("Switzerland");
        assertThat(store.writes).hasSize(1);
    }

    /** R14. */
    @Test
    void everyOtherTypeAtAMissingNodeIsNotFound() {
        for (String type : List.of("get", "patch", "delete", "other")) {
            assertThat(refused(NotFound.class, type, null).isVerdictAbout(CH)).isTrue();
        }
    }

    /** A put that is refused makes no node, and leaves no hub behind that would handle other types. */
    @Test
    void aRefusedPutMakesNothing() {
        refused(Rejected.class, "put", new JsonObject().put("nodeType", "country"));
        assertThat(refused(Conflict.class, "put", country("x").put("ifVersion", 4))
                        .currentVersion())
                .isZero();
        assertMissing();
        assertThat(memory.count().await()).isZero();
    }

    /** R4. */
    @Test
    void aDeletedNodeIsGoneAtOnceAndComesBackWithAHigherVersion() {
        document("put", country("Switzerland"));
        ask(CH, "delete", null).await();
        assertMissing();
        assertThat(memory.read(CH).await().orElseThrow().deleted()).isTrue();
        JsonObject again = putAgain();
        assertThat(again.getLong("version")).isEqualTo(3);
        assertThat(again.getBoolean("created")).isTrue();
        assertThat(answered.get(answered.size() - 1).value())
                .isGreaterThan(answered.get(0).value());
    }

    // The activation that deleted ends after its answer; what it refuses meanwhile a router would ride out.
    private void assertMissing() {
        MeshLikeRider.until(() -> ask(CH, "get", null), NotFound.class);
    }

    private JsonObject putAgain() {
        return MeshLikeRider.ride(() -> ask(CH, "put", country("Switzerland")))
                .as(JsonObject.class)
                .orElseThrow();
    }

    @Test
    void whatIsQueuedBehindADeletionSeesItGone() {
        document("put", country("Switzerland"));
        Future<?> deletion = ask(CH, "delete", new JsonObject().put("ifVersion", 1));
        Future<?> read = ask(CH, "get", null);
        deletion.await();
        Throwable failure = org.assertj.core.api.Assertions.catchThrowable(read::await);
        assertThat(failure).isInstanceOfAny(NotFound.class, ShuttingDown.class);
    }

    /** W4. */
    @Test
    void aChangeAddsOneAndANoOpAddsNothing() {
        document("put", country("Switzerland"));
        JsonObject same = document("put", country("Switzerland"));
        assertThat(same.getLong("version")).isEqualTo(1);
        assertThat(same.getBoolean("created")).isFalse();
        assertThat(same.getBoolean("changed")).isFalse();
        assertThat(document("put", country("Suisse")).getLong("version")).isEqualTo(2);
        JsonObject empty = new JsonObject().put("format", "merge-patch").put("patch", new JsonObject());
        assertThat(document("patch", empty).getLong("version")).isEqualTo(2);
    }

    /** W2, W5: each change is made to what the one before it left. */
    @Test
    void concurrentPatchesAllLand() {
        document("put", country("Switzerland").put("content", new JsonObject().put("list", new JsonArray())));
        List<Future<?>> patches = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            patches.add(ask(
                    CH,
                    "patch",
                    new JsonObject()
                            .put("format", "json-patch")
                            .put(
                                    "patch",
                                    new JsonArray()
                                            .add(new JsonObject()
                                                    .put("op", "add")
                                                    .put("path", "/content/list/-")
                                                    .put("value", i)))));
        }
        Future.all(patches).await();
        JsonObject now = document("get", null);
        assertThat(now.getLong("version")).isEqualTo(51);
        assertThat(now.getJsonObject("content").getJsonArray("list"))
                .hasSize(50)
                .doesNotHaveDuplicates();
    }

    @Test
    void anExpectedVersionIsCompared() {
        document("put", country("Switzerland"));
        JsonObject patch = new JsonObject()
                .put("format", "merge-patch")
                .put("patch", new JsonObject().put("name", "Suisse"))
                .put("ifVersion", 1);
        assertThat(document("patch", patch).getLong("version")).isEqualTo(2);
        assertThat(refused(Conflict.class, "patch", patch).currentVersion()).isEqualTo(2);
        assertThat(refused(Conflict.class, "put", country("x").put("ifVersion", 1))
                        .currentVersion())
                .isEqualTo(2);
        assertThat(refused(Conflict.class, "delete", new JsonObject().put("ifVersion", 1))
                        .currentVersion())
                .isEqualTo(2);
        assertThat(refused(Rejected.class, "put", country("x").put("ifVersion", "2")))
                .hasMessageContaining("ifVersion");
        assertThat(refused(Rejected.class, "delete", new JsonObject().put("force", true)))
                .hasMessageContaining("force");
    }

    @Test
    void aTypeThatNoNodeHandlesIsNamed() {
        document("put", country("Switzerland"));
        assertThat(refused(NotHandled.class, "Add", null).allowed()).contains("delete", "get", "patch", "put");
    }
}
