package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.sync.SyncStream;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W with a real node hub, whose store is in memory: what becomes of the writes of streams. */
@Timeout(30)
class UpdatesTest {

    private static final MeshAddress CH = MeshAddress.of("iso/CH");

    private final Counts counts = new Counts();
    private final SharedStore store = new SharedStore();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .hub("board", Board::new)
            .configure(node -> node.metrics(counts))
            .configure(store::serve)
            .build();

    private Watched watched;

    @BeforeEach
    void aNodeThatIsFollowed() {
        tell(NodeHubs.PUT, country(new JsonObject().put("a", 1).put("b", 1).put("list", new JsonArray().add("x"))));
        watched = new Watched(mesh.node().sync().watch(CH));
        settle();
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private void tell(String type, JsonObject body) {
        await(mesh.mesh().request(CH, body, Object.class, MeshOptions.DEFAULT.withType(type)));
        settle();
    }

    private static JsonObject country(JsonObject content) {
        return new JsonObject(Map.of("nodeType", "country", "name", "Switzerland", "content", content));
    }

    private static UnaryOperator<JsonObject> content(Consumer<JsonObject> change) {
        return node -> {
            change.accept(node.getJsonObject("content"));
            return node;
        };
    }

    private JsonObject stored() {
        return await(store.read(CH)).orElseThrow().content();
    }

    private long version() {
        return await(store.read(CH)).orElseThrow().version();
    }

    /** Another writer, between the reading and the writing of the stream under test. */
    private UnaryOperator<JsonObject> after(String type, JsonObject patch, UnaryOperator<JsonObject> change) {
        return node -> {
            meanwhile.add(mesh.mesh()
                    .request(
                            CH,
                            new JsonObject().put("format", "merge-patch").put("patch", patch),
                            Object.class,
                            MeshOptions.DEFAULT.withType(type)));
            return change.apply(node);
        };
    }

    private final List<Future<Object>> meanwhile = new ArrayList<>();

    @Test
    void w1WithNoChangeBetweenTheWritersValueStandsAndItGetsNoEcho() {
        long frames = counts.of("sync.gaps");
        JsonObject result = await(watched.stream.update(content(it -> it.put("a", 2))));
        settle();

        assertThat(result.getJsonObject("content").getInteger("a")).isEqualTo(2);
        assertThat(stored().getInteger("a")).isEqualTo(2);
        assertThat(watched.stream.value()).contains(result);
        assertThat(watched.stream.version()).isEqualTo(2);
        assertThat(watched.changes).hasSize(2);
        assertThat(counts.of("sync.gaps")).isEqualTo(frames);
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        watched.close();
    }

    @Test
    void w1AScalarThatBothChangedIsAConflictAndTheLiveValueStays() {
        Throwable failure = awaitFailure(watched.stream.update(after(
                NodeHubs.PATCH,
                new JsonObject().put("content", new JsonObject().put("a", 7)),
                content(it -> it.put("a", 2)))));
        settle();

        assertThat(failure)
                .isInstanceOfSatisfying(
                        Conflict.class,
                        conflict -> assertThat(conflict.currentVersion()).isEqualTo(2));
        assertThat(stored().getInteger("a")).isEqualTo(7);
        assertThat(watched.stream.value().orElseThrow().getJsonObject("content").getInteger("a"))
                .isEqualTo(7);
        watched.close();
    }

    @Test
    void w2DisjointLeavesOfTwoWritersBothLand() {
        JsonObject result = await(watched.stream.update(after(
                NodeHubs.PATCH,
                new JsonObject().put("content", new JsonObject().put("b", 7)),
                content(it -> it.put("a", 2)))));
        settle();

        assertThat(stored().getInteger("a")).isEqualTo(2);
        assertThat(stored().getInteger("b")).isEqualTo(7);
        assertThat(result.getJsonObject("content")).isEqualTo(stored());
        assertThat(watched.stream.value()).contains(result);
        watched.close();
    }

    @Test
    void w2TwoAdditionsToOneArrayBothLand() {
        await(watched.stream.update(after(
                NodeHubs.PATCH,
                new JsonObject()
                        .put(
                                "content",
                                new JsonObject()
                                        .put("list", new JsonArray().add("x").add("y"))),
                content(it -> it.put("list", it.getJsonArray("list").add("z"))))));
        settle();

        assertThat(stored().getJsonArray("list"))
                .isEqualTo(new JsonArray().add("x").add("y").add("z"));
        watched.close();
    }

    @Test
    void w3AnOwnerThatIsShutDownRefusesAndNothingIsMergedOrAcknowledged() {
        mesh.owner(CH).park();
        settle();
        Future<JsonObject> update = watched.stream.update(content(it -> it.put("a", 2)));
        mesh.time().advance(Duration.ofSeconds(2));

        assertThat(awaitFailure(update)).isInstanceOf(ShuttingDown.class);
        assertThat(((MeshException) update.cause()).remedy()).isEqualTo(Remedy.RIDE_OUT);
        assertThat(counts.of("sync.updates")).isEqualTo(3);
        assertThat(version()).isEqualTo(1);
        watched.close();
    }

    @Test
    void w4AnUpdateThatChangesNothingSendsNothingAndARealOneAddsOneVersion() {
        await(watched.stream.update(content(it -> it.put("a", 1))));
        assertThat(counts.of("sync.updates")).isZero();
        assertThat(version()).isEqualTo(1);

        await(watched.stream.update(content(it -> it.put("a", 3))));
        assertThat(version()).isEqualTo(2);
        watched.close();
    }

    @Test
    void w5ConcurrentUpdatesOfOneCallerEachSeeTheOneBefore() {
        List<Future<JsonObject>> updates = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            updates.add(watched.stream.update(content(it -> it.put("a", it.getInteger("a") + 1))));
        }
        await(Future.all(updates));
        settle();

        assertThat(stored().getInteger("a")).isEqualTo(21);
        assertThat(version()).isEqualTo(21);
        assertThat(watched.stream.value().orElseThrow().getJsonObject("content").getInteger("a"))
                .isEqualTo(21);
        assertThat(counts.of("sync.gaps")).isZero();
        watched.close();
    }

    @Test
    void c3WhoComesAfterAReCreationGetsTheNewNodeAndNotWhatIsStillKept() {
        watched.close();
        settle();
        tell(NodeHubs.DELETE, null);
        tell(NodeHubs.PUT, country(new JsonObject().put("a", 3)));

        try (Watched next = new Watched(mesh.node().sync().watch(CH))) {
            mesh.time().advance(Duration.ofSeconds(2));
            assertThat(await(next.stream.first()).orElseThrow().getJsonObject("content"))
                    .isEqualTo(new JsonObject().put("a", 3));
            assertThat(next.changes)
                    .allSatisfy(
                            change -> assertThat(change.value().orElseThrow().getJsonObject("content"))
                                    .isEqualTo(new JsonObject().put("a", 3)));
            assertThat(next.stream.version()).isEqualTo(version());
            tell(
                    NodeHubs.PATCH,
                    new JsonObject()
                            .put("format", "merge-patch")
                            .put("patch", new JsonObject().put("content", new JsonObject().put("a", 4))));
            assertThat(next.stream.value().orElseThrow().getJsonObject("content"))
                    .isEqualTo(new JsonObject().put("a", 4));
        }
    }

    @Test
    void aWriterIsSeenByOtherWatchers() {
        SyncStream<Object> part = mesh.node().sync().watch(CH, "/content/a");
        settle();
        await(watched.stream.update(content(it -> it.put("a", 2))));
        settle();

        assertThat(part.value()).contains(2);
        part.close();
        watched.close();
    }

    @Test
    void aClosedStreamTakesNoWrite() {
        watched.close();
        settle();

        assertThat(awaitFailure(watched.stream.update(content(it -> it.put("a", 2)))))
                .isInstanceOf(MeshException.class);
        assertThat(version()).isEqualTo(1);
    }

    @Test
    void aHubThatTakesNoUpdatesSaysSo() {
        Watched board = new Watched(mesh.node().sync().watch(MeshAddress.of("board/1")));
        settle();

        assertThat(awaitFailure(board.stream.update(it -> it.put("n", 5)))).isInstanceOf(NotHandled.class);
        board.close();
        watched.close();
    }
}
