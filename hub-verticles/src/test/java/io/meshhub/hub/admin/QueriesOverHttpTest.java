package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryOptions;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Q over HTTP: a page, a stream of events, and what is said of those that cannot be had. */
@Timeout(60)
class QueriesOverHttpTest extends EdgeFixture {

    // Of 800 ms the query rung is 100 ms.
    private static final BudgetLadder BUDGETS = BudgetLadder.of(Duration.ofMillis(800));

    private final WheelPacer pacer = new WheelPacer();
    private final BlockingQueue<ProviderCall> opened = new LinkedBlockingQueue<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private QueryFanIn fanIn;
    private Consumer<ProviderCall> answers = call -> call.first(List.of(node("iso/CH", 3)), false);
    private boolean namesProviders = true;

    /** Does what the test says. */
    private final class Provider implements QueryProvider {
        @Override
        public String name() {
            return "store";
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            opened.add(call);
            answers.accept(call);
            return Opened.NONE;
        }
    }

    private static QueryNode node(String path, long version) {
        JsonObject content = new JsonObject().put("n", version);
        return new QueryNode(MeshAddress.of(path), "country", "Switzerland", content, version);
    }

    @Override
    HttpEdge.Builder configure(HttpEdge.Builder builder) {
        fanIn = new QueryFanIn(
                new QueryFanIn.Parts("a", MeshClock.system(), pacer, MeshMetrics.NONE),
                BUDGETS,
                QueryOptions.ofDefaults());
        vertx.deployVerticle(fanIn).await();
        fanIn.register(new Provider()).await();
        return builder.queries(fanIn).namesProviders(namesProviders);
    }

    @AfterEach
    void closePacer() {
        pacer.close();
    }

    private static String query(String text) {
        return "/query?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A stream of events that a client reads. */
    private final class Events implements AutoCloseable {
        private final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();
        private final HttpResponse<Stream<String>> response;

        Events(String query) throws Exception {
            response = http.send(request(query), HttpResponse.BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            String event = "";
            try {
                for (String line : (Iterable<String>) response.body()::iterator) {
                    if (line.startsWith("event: ")) {
                        event = line.substring(7);
                    } else if (line.startsWith("data: ")) {
                        events.add(new JsonObject(line.substring(6)).put("event", event));
                    }
                }
                events.add(new JsonObject().put("event", "closed"));
            } catch (UncheckedIOException e) {
                // The test is over.
            }
        }

        JsonObject next(String kind) throws InterruptedException {
            JsonObject event = events.poll(10, TimeUnit.SECONDS);
            assertThat(event).as("the next event").isNotNull();
            assertThat(event.getString("event")).as(event.encode()).isEqualTo(kind);
            return event;
        }

        @Override
        public void close() {
            response.body().close();
        }
    }

    private HttpRequest request(String query) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + query(query)))
                .header("Accept", "text/event-stream")
                .build();
    }

    @Test
    void aPageHasItsNodesAndSaysWhoAnswered() {
        var response = get(query("sort:name   nodeType:country"));

        assertThat(response.statusCode()).as(response.bodyAsString()).isEqualTo(200);
        assertThat(response.bodyAsJsonObject())
                .isEqualTo(new JsonObject()
                        .put("query", "nodeType:country sort:name")
                        .put("nodes", new JsonArray().add(node("iso/CH", 3).toJson()))
                        .put("silent", new JsonArray())
                        .put(
                                "providers",
                                new JsonObject()
                                        .put("asked", 1)
                                        .put("answered", 1)
                                        .put("empty", 0)
                                        .put("failed", 0)
                                        .put("stalled", 0)));
    }

    @Test
    void whoHasNothingIsNamed() {
        answers = ProviderCall::complete;
        JsonObject page = get(query("")).bodyAsJsonObject();

        assertThat(page.getJsonArray("silent")).containsExactly("store");
        assertThat(page.getJsonArray("nodes")).isEmpty();
        assertThat(page.getJsonObject("providers").getInteger("empty")).isEqualTo(1);
    }

    @Test
    void aTextThatIsNoQueryIsRefusedWithThePositionOfItsFault() {
        JsonObject problem = problem(get(query("path:iso scope:nowhere")), 400);

        assertThat(problem.getInteger("position")).isEqualTo(15);
        assertThat(problem.getString("detail")).contains("nowhere", "position 15");
        assertThat(opened).isEmpty();
    }

    @Test
    void aMissingQueryAndAParameterThatIsNotKnownAreRefused() {
        assertThat(problem(get("/query"), 400).getString("detail")).contains("'q'");
        assertThat(problem(get("/query?q=&limit=3"), 400).getJsonArray("parameters"))
                .containsExactly("limit");
        problem(send(request(HttpMethod.POST, "/query?q=")), 405);
    }

    @Test
    void aStallIsToldWithItsBudgetAndWhoStalled() {
        answers = call -> {};
        JsonObject problem = problem(get(query("stalls")), 504);

        assertThat(problem.getString("kind")).isEqualTo("QueryProviderStalled");
        assertThat(problem.getInteger("budget")).isEqualTo(100);
        assertThat(problem.getJsonArray("providers")).singleElement().satisfies(entry -> {
            JsonObject provider = (JsonObject) entry;
            assertThat(provider.getString("name")).isEqualTo("store");
            assertThat(provider.getLong("waitedMs")).isZero();
            assertThat(provider.getLong("ownMs")).isBetween(100L, 10_000L);
        });
        assertThat(problem.getString("detail")).contains("'store'", "do not raise the caller's time-out");
    }

    @Test
    void whoMayNotKnowIsToldTheBudgetOnly() {
        stop();
        namesProviders = false;
        start();
        answers = call -> {};
        JsonObject problem = problem(get(query("stalls")), 504);

        assertThat(problem.getInteger("budget")).isEqualTo(100);
        assertThat(problem.encode()).doesNotContain("store");
        answers = ProviderCall::complete;
        assertThat(get(query("empty")).bodyAsJsonObject().containsKey("silent")).isFalse();
    }

    @Test
    void whoMayNotKnowIsToldNoTextOfAProvider() throws Exception {
        stop();
        namesProviders = false;
        start();
        answers = call -> call.fail(
                new Unavailable("store of /var/x", FailureDetail.about("n/x").on("n1"), false));
        JsonObject problem = problem(get(query("fails")), 503);

        assertThat(problem.getString("detail")).contains("could not be established");
        assertThat(problem.getString("correlationId")).isNotEmpty();
        assertThat(problem.encode()).doesNotContain("store", "/var/x", "n1");
        answers = call -> call.first(List.of(), false);
        try (Events events = new Events("path:iso scope:children")) {
            events.next("initial");
            opened.take();
            opened.take().fail(new IllegalStateException("store of /var/x"));
            JsonObject end = events.next("end");
            assertThat(end.getString("correlationId")).isNotEmpty();
            assertThat(end.encode()).doesNotContain("store", "/var/x");
        }
    }

    @Test
    void whatAProviderFailsWithIsToldByItsCode() {
        answers = call -> call.fail(new Forbidden("not yours", FailureDetail.NONE));

        assertThat(problem(get(query("fails")), 403).getString("detail")).isEqualTo("not yours");
    }

    @Test
    @SuppressWarnings("try") // The client hangs up while it is followed.
    void aStreamTellsTheResultAndEachChangeUntilTheClientGoes() throws Exception {
        try (Events events = new Events("path:iso scope:children")) {
            JsonObject initial = events.next("initial");
            assertThat(initial.getJsonArray("nodes")).hasSize(1);
            assertThat(initial.getString("query")).isEqualTo("path:iso scope:children");
            ProviderCall call = opened.take();
            call.added(node("iso/DE", 1));
            assertThat(events.next("added").getJsonArray("nodes").getJsonObject(0))
                    .isEqualTo(node("iso/DE", 1).toJson());
            call.updated(node("iso/DE", 2));
            assertThat(events.next("updated")
                            .getJsonArray("nodes")
                            .getJsonObject(0)
                            .getLong("version"))
                    .isEqualTo(2);
            call.removed(MeshAddress.of("iso/DE"));
            assertThat(events.next("removed").getJsonArray("paths")).containsExactly("iso/DE");
            call.reset();
            assertThat(events.next("reset").getJsonArray("nodes")).hasSize(1);
            ProviderCall again = opened.take();
            events.close();
            // The client is found to be gone by what is written to it.
            Awaitility.await().until(() -> {
                again.updated(node("iso/CH", 10 + System.nanoTime()));
                return again.isOver();
            });
        }
    }

    @Test
    void theEndOfAStreamIsToldAndEndsIt() throws Exception {
        try (Events events = new Events("path:iso scope:children")) {
            events.next("initial");
            opened.take().fail(new Forbidden("no longer yours", FailureDetail.NONE));

            assertThat(events.next("end").getInteger("status")).isEqualTo(403);
            events.next("closed");
        }
    }

    @Test
    void aStreamThatCannotBeginIsAnsweredLikeAPage() throws Exception {
        answers = call -> {};
        HttpResponse<String> response = http.send(request("stalls"), HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(504);
        assertThat(new JsonObject(response.body()).getInteger("budget")).isEqualTo(100);
    }
}
