package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.sync.SyncStream;
import io.meshhub.sync.protocol.Author;
import io.meshhub.sync.protocol.Update;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W10 with a real node hub: small edits of a large text, as splices, to the owner and to those who follow. */
@Timeout(30)
class LongTextsTest {

    private static final MeshAddress NOTE = MeshAddress.of("notes/1");
    private static final String TEXT = "0123456789".repeat(10_240);

    private final SharedStore store = new SharedStore();

    @RegisterExtension
    final MeshExtension mesh =
            MeshExtension.single().manualTime().configure(store::serve).build();

    private final List<Integer> frames = new CopyOnWriteArrayList<>();
    private Watched watched;

    @BeforeEach
    void aNoteThatIsFollowed() {
        Handler<DeliveryContext<Object>> sizes = delivery -> {
            if (delivery.body() instanceof Buffer letters) {
                frames.add(letters.length());
            }
            delivery.next();
        };
        mesh.node().vertx().eventBus().addOutboundInterceptor(sizes);
        tell(NodeHubs.PUT, note(TEXT));
        watched = new Watched(mesh.node().sync().watch(NOTE));
        settle();
        frames.clear();
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private JsonObject tell(String type, JsonObject body) {
        JsonObject answer = await(ask(type, body));
        settle();
        return answer;
    }

    private Future<JsonObject> ask(String type, JsonObject body) {
        return mesh.mesh().request(NOTE, body, JsonObject.class, MeshOptions.DEFAULT.withType(type));
    }

    private static JsonObject note(String text) {
        return new JsonObject(Map.of("nodeType", "note", "name", "A note", "content", Map.of("text", text)));
    }

    private static UnaryOperator<JsonObject> text(String text) {
        return node -> {
            node.getJsonObject("content").put("text", text);
            return node;
        };
    }

    private String stored() {
        return await(store.read(NOTE)).orElseThrow().content().getString("text");
    }

    private static String edited(int at, String insert) {
        return TEXT.substring(0, at) + insert + TEXT.substring(at);
    }

    private static JsonObject splice(long version, Object at, Object delete) {
        JsonObject operation = new JsonObject()
                .put("op", "splice")
                .put("path", "/content/text")
                .put("at", at)
                .put("delete", delete)
                .put("insert", "!");
        return new Update(new Author("s", 1), version, new JsonArray().add(operation)).toJson();
    }

    @Test
    void w10ASmallEditIsASmallFrameAndAllRebuildItExactly() {
        SyncStream<Object> part = mesh.node().sync().watch(NOTE, "/content/text");
        settle();
        frames.clear();
        String after = edited(50_000, "\ud83d\ude00");
        JsonObject result = await(watched.stream.update(text(after)));
        settle();

        assertThat(stored()).isEqualTo(after);
        assertThat(result.getJsonObject("content").getString("text")).isEqualTo(after);
        assertThat(watched.stream.value()).contains(result);
        assertThat(part.value()).contains(after);
        assertThat(frames).isNotEmpty().allMatch(size -> size < 2000);
        part.close();
        watched.close();
    }

    @Test
    void w10EachOfManyEditsIsMadeToTheTextOfTheOneBefore() {
        List<Future<JsonObject>> updates = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int at = i * 5000;
            updates.add(watched.stream.update(node -> {
                JsonObject content = node.getJsonObject("content");
                StringBuilder text = new StringBuilder(content.getString("text"));
                content.put("text", text.insert(at, "\ud83d\ude01").toString());
                return node;
            }));
        }
        await(Future.all(updates));
        settle();
        StringBuilder expected = new StringBuilder(TEXT);
        for (int i = 0; i < 20; i++) {
            expected.insert(i * 5000, "\ud83d\ude01");
        }

        assertThat(stored()).isEqualTo(expected.toString());
        assertThat(watched.stream.value().orElseThrow().getJsonObject("content").getString("text"))
                .isEqualTo(expected.toString());
        watched.close();
    }

    @Test
    void aSpliceOfATextThatSomebodyElseChangedIsAConflictWhereverTheChangeWas() {
        List<Future<JsonObject>> meanwhile = new ArrayList<>();
        Throwable failure = awaitFailure(watched.stream.update(node -> {
            meanwhile.add(ask(
                    NodeHubs.PATCH,
                    new JsonObject()
                            .put("format", "merge-patch")
                            .put("patch", new JsonObject(Map.of("content", Map.of("text", edited(5, "theirs")))))));
            return text(edited(90_000, "mine")).apply(node);
        }));
        settle();

        assertThat(failure).isInstanceOf(Conflict.class);
        assertThat(stored()).isEqualTo(edited(5, "theirs"));
        assertThat(meanwhile).allMatch(Future::succeeded);
        watched.close();
    }

    @Test
    void aSpliceIsMadeToTheVersionOfItsAuthorWhenAnotherLeafChanged() {
        await(watched.stream.update(node -> {
            meanwhileNamed("Another name");
            return text(edited(90_000, "mine")).apply(node);
        }));
        settle();

        assertThat(stored()).isEqualTo(edited(90_000, "mine"));
        assertThat(await(store.read(NOTE)).orElseThrow().name()).isEqualTo("Another name");
        watched.close();
    }

    private void meanwhileNamed(String name) {
        Future<JsonObject> named = ask(
                NodeHubs.PATCH,
                new JsonObject().put("format", "merge-patch").put("patch", new JsonObject().put("name", name)));
        named.onFailure(e -> {
            throw new AssertionError(e);
        });
    }

    @Test
    void aSpliceThatDoesNotFitIsRejectedAndNothingIsWritten() {
        assertThat(awaitFailure(ask(Update.TYPE, splice(1, TEXT.length() + 1, 0))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("a string of 102400 code units");
        assertThat(awaitFailure(ask(Update.TYPE, splice(1, 1.5, 0)))).isInstanceOf(Rejected.class);
        assertThat(stored()).isEqualTo(TEXT);
        watched.close();
    }

    @Test
    void aPatchFromOutsideKnowsNoSplice() {
        JsonObject patch = new JsonObject()
                .put("format", "json-patch")
                .put("patch", new JsonObject(splice(1, 0, 0).encode()).getJsonArray("operations"));

        assertThat(awaitFailure(ask(NodeHubs.PATCH, patch)))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("splice");
        assertThat(stored()).isEqualTo(TEXT);
        watched.close();
    }
}
