package io.meshhub.hub.admin;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.testkit.MeshExtension;
import io.meshhub.testkit.Owner;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S and L over HTTP: a client of server-sent events sees the value, each change, and how the stream stands. */
@Timeout(60)
class AddressesAreFollowedAsEventsTest {

    private static final MeshAddress CH = MeshAddress.of("iso/CH");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .configure(node -> node.sync(SyncOptions.ofDefaults().withIdleRelease(Duration.ZERO))
                    .store(
                            vertx -> Future.succeededFuture(new InMemoryNodeStore()),
                            (store, own) -> own.catalog(new StoreCatalog(store)).hub(NodeHubs.type(store))))
            .build();

    private final HttpClient http = HttpClient.newHttpClient();
    private HttpEdge edge;

    /** A stream of events that a client reads. */
    private final class Events implements AutoCloseable {
        final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();
        private final HttpResponse<Stream<String>> response;

        Events(String path, String... headers) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path))
                    .header("Accept", "text/event-stream");
            if (headers.length > 0) {
                request.headers(headers);
            }
            response = http.send(request.build(), HttpResponse.BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            JsonObject event = new JsonObject();
            try {
                for (String line : (Iterable<String>) response.body()::iterator) {
                    if (line.isEmpty()) {
                        events.add(event);
                        event = new JsonObject();
                    } else if (!line.startsWith(":")) {
                        String[] field = line.split(": ", 2);
                        event.put(field[0], field[1]);
                    }
                }
            } catch (UncheckedIOException e) {
                // The test is over.
            }
        }

        JsonObject next() throws InterruptedException {
            JsonObject event = events.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(event).as("the next event").isNotNull();
            return event;
        }

        /** The next event of that kind; others before it are let by. */
        JsonObject next(String kind) throws InterruptedException {
            JsonObject event = next();
            while (!kind.equals(event.getString("event"))) {
                event = next();
            }
            return event;
        }

        JsonObject state(String name) throws InterruptedException {
            JsonObject state = new JsonObject(next("state").getString("data"));
            while (!name.equals(state.getString("state"))) {
                state = new JsonObject(next("state").getString("data"));
            }
            return state;
        }

        @Override
        public void close() {
            response.body().close();
        }
    }

    @BeforeEach
    void open() {
        edge = await(
                HttpEdge.builder(mesh.node().vertx(), mesh.mesh(), mesh.node().membership())
                        .options(HttpOptions.ofDefaults()
                                .withPort(0)
                                .withMaxBodyBytes(4096)
                                .withEventStreams(100, 3))
                        .sync(mesh.node().sync())
                        .build()
                        .start());
    }

    @AfterEach
    void close() {
        await(edge.close());
    }

    private void put(int n) {
        JsonObject node = new JsonObject(
                Map.of("nodeType", "country", "name", "Switzerland", "content", new JsonObject().put("n", n)));
        await(mesh.mesh().request(CH, node, Object.class, MeshOptions.DEFAULT.withType("put")));
    }

    private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path))
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private void awaitNoSubscription() {
        Awaitility.await().atMost(PATIENCE).until(() -> await(mesh.node().sync().subscriptions()) == 0);
    }

    @Test
    void theValueComesFirstAndThenWhatChangesIt() throws Exception {
        put(1);
        try (Events events = new Events("/mesh/iso/CH")) {
            JsonObject value = events.next("value");
            assertThat(new JsonObject(value.getString("data")).getJsonObject("content"))
                    .isEqualTo(new JsonObject().put("n", 1));
            assertThat(value.getString("id")).matches("1-[0-9a-f]{8}");
            put(2);

            JsonObject patch = events.next("patch");
            assertThat(new JsonArray(patch.getString("data")))
                    .contains(new JsonObject()
                            .put("op", "replace")
                            .put("path", "/content/n")
                            .put("value", 2));
            assertThat(patch.getString("id")).matches("2-[0-9a-f]{8}");
        }
        awaitNoSubscription();
    }

    @Test
    void aChangeOfOneOfManyElementsIsOneOperation() throws Exception {
        JsonArray many = new JsonArray();
        for (int i = 0; i < 30_000; i++) {
            many.add(i);
        }
        JsonObject node =
                new JsonObject(Map.of("nodeType", "list", "name", "Many", "content", new JsonObject().put("a", many)));
        await(mesh.mesh().request(CH, node, Object.class, MeshOptions.DEFAULT.withType("put")));
        try (Events events = new Events("/mesh/iso/CH")) {
            events.next("value");
            many.set(15_000, -1);
            await(mesh.mesh().request(CH, node, Object.class, MeshOptions.DEFAULT.withType("put")));

            assertThat(new JsonArray(events.next("patch").getString("data")))
                    .containsExactly(new JsonObject()
                            .put("op", "replace")
                            .put("path", "/content/a/15000")
                            .put("value", -1));
        }
    }

    @Test
    void aPartIsFollowedByItsPointer() throws Exception {
        put(1);
        try (Events events = new Events("/mesh/iso/CH?view=/content/n")) {
            assertThat(events.next("value").getString("data")).isEqualTo("1");
            put(2);
            assertThat(events.next("value").getString("data")).isEqualTo("2");
        }
    }

    @Test
    void whoHasTheValueAlreadyIsToldOnlyWhatFollows() throws Exception {
        put(1);
        String id;
        try (Events events = new Events("/mesh/iso/CH")) {
            id = events.next("value").getString("id");
        }
        try (Events events = new Events("/mesh/iso/CH", "Last-Event-ID", id)) {
            assertThat(events.state("LIVE")).isNotNull();
            put(2);
            assertThat(events.next().getString("event")).isEqualTo("patch");
        }
        try (Events events = new Events("/mesh/iso/CH", "Last-Event-ID", id)) {
            assertThat(new JsonObject(events.next("value").getString("data")).getJsonObject("content"))
                    .isEqualTo(new JsonObject().put("n", 2));
        }
    }

    @Test
    void anOwnerThatIsShuttingDownIsRiddenOutInSight() throws Exception {
        put(1);
        try (Events events = new Events("/mesh/iso/CH")) {
            events.state("LIVE");
            Owner owner = mesh.owner(CH);
            owner.park();

            JsonObject lost = events.state("RIDING_OUT");
            assertThat(lost.getString("why")).contains("Hub iso/CH is shutting down (runLevel=DEAD, activation #");
            assertThat(lost.getInteger("reask")).isZero();
            JsonObject riding = events.state("RIDING_OUT");
            assertThat(riding.getString("why")).contains("Hub iso/CH is shutting down (runLevel=DEAD, activation #");
            assertThat(riding.getInteger("reask")).isPositive();
            owner.release();
            assertThat(events.state("LIVE")).isNotNull();
        }
    }

    @Test
    void aNodeThatIsDeletedLeavesItsFollowersDormantUntilItIsThereAgain() throws Exception {
        put(1);
        try (Events events = new Events("/mesh/iso/CH")) {
            events.state("LIVE");
            await(mesh.mesh().request(CH, null, Object.class, MeshOptions.DEFAULT.withType("delete")));

            assertThat(events.state("DORMANT").getString("reason")).isEqualTo("NOT_FOUND");
            put(5);
            assertThat(events.state("LIVE")).isNotNull();
        }
    }

    @Test
    void whatIsNotThereIsRefusedLikeAnyOtherRequest() throws Exception {
        HttpResponse<String> missing = ask("/mesh/iso/XX");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(missing.body()).contains("No node 'iso/XX' exists");
        awaitNoSubscription();
    }

    @Test
    void aPointerOrParameterThatCannotBeReadIsNamed() throws Exception {
        assertThat(ask("/mesh/iso/CH?view=content").statusCode()).isEqualTo(400);
        assertThat(ask("/mesh/iso/CH?view=content").body()).contains("'view' = 'content'");
        assertThat(ask("/mesh/iso/CH?children").body()).contains("[children] are not known here");
        awaitNoSubscription();
    }

    @Test
    void aClientWithTooManyStreamsIsRefusedUntilItClosesOne() throws Exception {
        put(1);
        try (Events first = new Events("/mesh/iso/CH");
                Events second = new Events("/mesh/iso/CH")) {
            try (Events third = new Events("/mesh/iso/CH")) {
                third.next("value");
                HttpResponse<String> refused = ask("/mesh/iso/CH");
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
                assertThat(refused.body()).contains("This client has 3 event streams open");
            }
            first.next("value");
            second.next("value");
            // Its end is heard a moment later.
            Awaitility.await().atMost(PATIENCE).until(() -> opens("/mesh/iso/CH"));
        }
        assertThat(ask("/mesh/iso/CH?view=content").statusCode()).isEqualTo(400);
        awaitNoSubscription();
    }

    private boolean opens(String path) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path))
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofLines());
        response.body().close();
        return response.statusCode() == 200;
    }

    @Test
    void aLongTextThatChangesIsToldAsTheStandardHasIt() throws Exception {
        String text = "0123456789".repeat(100);
        putText(text);
        try (Events events = new Events("/mesh/iso/CH")) {
            events.next("value");
            putText(text + "!");

            assertThat(new JsonArray(events.next("patch").getString("data")))
                    .containsExactly(new JsonObject()
                            .put("op", "replace")
                            .put("path", "/content/text")
                            .put("value", text + "!"));
        }
    }

    private void putText(String text) {
        JsonObject content = new JsonObject().put("text", text).put("other", "x".repeat(500));
        JsonObject node = new JsonObject(Map.of("nodeType", "country", "name", "Switzerland", "content", content));
        await(mesh.mesh().request(CH, node, Object.class, MeshOptions.DEFAULT.withType("put")));
    }

    @Test
    void theStreamsOfANodeThatStopsEnd() throws Exception {
        put(1);
        try (Events events = new Events("/mesh/iso/CH")) {
            events.state("LIVE");
            await(mesh.node().sync().close());
            assertThat(events.state("ENDED").getString("reason")).isEqualTo("CLOSED");
        }
    }
}
