package io.meshhub.hub.activity;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** N3 on a node whose time the test owns: who begins, joins, takes over and follows. */
@Timeout(60)
class ImportsRunOneAtATimeTest {

    private static final MeshAddress IMPORT = Activities.importAddress("acme", "0123456789ab");

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .configure(node -> node.metrics(new Counting())
                    .store(
                            vertx -> Future.succeededFuture(new InMemoryNodeStore()),
                            (store, own) -> own.catalog(new StoreCatalog(store))
                                    .hub(NodeHubs.type(store))
                                    .hub(Activities.type(store))))
            .build();

    private final class Counting implements MeshMetrics {
        @Override
        public void count(String name, String... tags) {
            counts.merge(name, 1, Integer::sum);
        }

        @Override
        public void time(String name, Duration duration, String... tags) {}

        @Override
        public void gauge(String name, LongSupplier value, String... tags) {}
    }

    private static JsonObject of(String worker) {
        return new JsonObject().put("worker", worker).put("total", 100);
    }

    private static JsonObject at(String worker, int done) {
        return of(worker).put("done", done).put("created", done);
    }

    private Future<JsonObject> ask(String type, JsonObject body) {
        return mesh.mesh().request(IMPORT, body, JsonObject.class, MeshOptions.DEFAULT.withType(type));
    }

    private JsonObject tell(String type, JsonObject body) {
        JsonObject answer = await(ask(type, body));
        mesh.time().advance(Duration.ZERO);
        return answer;
    }

    private String begin(JsonObject body) {
        return tell(Activities.BEGIN, body).getString("answer");
    }

    private JsonObject content() {
        return tell(NodeHubs.GET, null).getJsonObject("content");
    }

    private SyncStream<JsonObject> follow() {
        SyncStream<JsonObject> stream = mesh.node().sync().watch(IMPORT);
        mesh.time().advance(Duration.ZERO);
        return stream;
    }

    private static JsonObject seen(SyncStream<JsonObject> stream) {
        return stream.value().orElseThrow().getJsonObject("content");
    }

    private static void isCompleted(SyncStream<JsonObject> stream, String status) {
        assertThat(stream.state())
                .isInstanceOfSatisfying(
                        SyncState.Ended.class,
                        ended -> assertThat(ended.reason()).isEqualTo(SyncState.Reason.COMPLETED));
        assertThat(seen(stream).getString("actualStatus")).isEqualTo(status);
    }

    @Test
    void aSecondImportJoinsTheFirstAndLearnsItsEnd() {
        assertThat(begin(of("first"))).isEqualTo("STARTED");
        tell(Activities.PROGRESS, at("first", 40));

        JsonObject joined = tell(Activities.BEGIN, of("second"));
        assertThat(joined.getString("answer")).isEqualTo("JOINED");
        assertThat(joined.getString("worker")).isEqualTo("first");
        assertThat(joined.getInteger("done")).isEqualTo(40);

        tell(Activities.END, at("first", 100).put("outcome", "SUCCEEDED"));
        JsonObject ended = tell(Activities.BEGIN, of("second").put("joined", joined.getValue("run")));
        assertThat(ended.getString("answer")).isEqualTo("ENDED");
        assertThat(ended.getString("actualStatus")).isEqualTo("SUCCEEDED");
        assertThat(content().getInteger("created")).isEqualTo(100);
    }

    @Test
    void whoFellSilentIsTakenOverAfterTheLeaseAndIsRefusedThen() {
        begin(of("first"));
        tell(Activities.PROGRESS, at("first", 40));
        mesh.time().advance(Activities.LEASE.minusSeconds(1));
        assertThat(begin(of("second"))).isEqualTo("JOINED");
        mesh.time().advance(Duration.ofSeconds(1));

        assertThat(begin(of("second"))).isEqualTo("TAKEN_OVER");

        assertThat(awaitFailure(ask(Activities.PROGRESS, at("first", 41)))).isInstanceOf(Conflict.class);
        assertThat(awaitFailure(ask(Activities.END, at("first", 41).put("outcome", "SUCCEEDED"))))
                .isInstanceOf(Conflict.class);
        assertThat(content().getString("worker")).isEqualTo("second");
        assertThat(content().getInteger("run")).isEqualTo(2);
        assertThat(content().getInteger("done")).isZero();
    }

    @Test
    void silenceIsSeenByWhoFollows() {
        begin(of("first"));
        try (SyncStream<JsonObject> stream = follow()) {
            mesh.time().advance(Activities.LEASE.plusSeconds(3));

            assertThat(seen(stream).getString("actualStatus")).isEqualTo("SILENT");
            assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        }
    }

    /** The end is a final frame, and nobody beats it afterwards. */
    @Test
    void theEndIsAFinalFrameAndNobodyBeatsItAfterwards() {
        begin(of("first"));
        SyncStream<JsonObject> stream = follow();
        tell(Activities.PROGRESS, at("first", 40));
        assertThat(seen(stream).getInteger("done")).isEqualTo(40);
        mesh.time().advance(Duration.ofSeconds(5));
        tell(Activities.PROGRESS, at("first", 60));
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);

        tell(Activities.END, at("first", 100).put("outcome", "SUCCEEDED"));
        mesh.time().advance(Duration.ofSeconds(1));
        isCompleted(stream, "SUCCEEDED");
        int beats = counts.getOrDefault("sync.beats", 0);
        mesh.time().advance(Duration.ofMinutes(5));
        assertThat(counts.getOrDefault("sync.beats", 0)).isEqualTo(beats);

        SyncStream<JsonObject> late = follow();
        mesh.time().advance(Duration.ofSeconds(1));
        isCompleted(late, "SUCCEEDED");
        mesh.time().advance(Duration.ofMinutes(5));
        assertThat(counts.getOrDefault("sync.beats", 0)).isEqualTo(beats);
        assertThat(await(mesh.node().sync().subscriptions())).isZero();
    }

    @Test
    void aNewRunOfWhatWasSeenToEndBegins() {
        begin(of("first"));
        SyncStream<JsonObject> first = follow();
        tell(Activities.END, at("first", 100).put("outcome", "FAILED"));
        mesh.time().advance(Duration.ofSeconds(1));
        isCompleted(first, "FAILED");

        // It may be sent again: the worker is the same.
        MeshOptions options = MeshOptions.DEFAULT.withType(Activities.BEGIN).withIdempotent(true);
        Future<JsonObject> again = mesh.mesh().request(IMPORT, of("second"), JsonObject.class, options);
        for (int i = 0; i < 100 && !again.isComplete(); i++) {
            mesh.time().advance(Duration.ofMillis(100));
        }
        assertThat(await(again).getString("answer")).isEqualTo("STARTED");
        assertThat(content().getInteger("run")).isEqualTo(2);

        SyncStream<JsonObject> second = follow();
        assertThat(second.state()).isInstanceOf(SyncState.Live.class);
        tell(Activities.END, at("second", 100).put("outcome", "SUCCEEDED"));
        mesh.time().advance(Duration.ofSeconds(1));
        isCompleted(second, "SUCCEEDED");
    }

    @Test
    void itSurvivesItsHubAndTheWorkerHasANewLease() {
        begin(of("first"));
        tell(Activities.PROGRESS, at("first", 40));
        await(mesh.mesh().request(IMPORT, null, Object.class, MeshOptions.DEFAULT.withType("mesh.recycle")));

        assertThat(content().getInteger("done")).isEqualTo(40);
        assertThat(begin(of("second"))).isEqualTo("JOINED");
        assertThat(tell(Activities.PROGRESS, at("first", 41)).getInteger("done"))
                .isEqualTo(41);
    }

    @Test
    void whoIsAskedToEndLearnsItWithHisNextProgress() {
        begin(of("first"));
        assertThat(tell(Activities.CANCEL, null).getString("actualStatus")).isEqualTo("RUNNING");

        assertThat(tell(Activities.PROGRESS, at("first", 41)).getString("requestedStatus"))
                .isEqualTo("CANCEL");
        tell(Activities.END, at("first", 41).put("outcome", "CANCELLED"));
        assertThat(content().getString("actualStatus")).isEqualTo("CANCELLED");
    }

    @Test
    void whatNobodyBeganIsNotThere() {
        assertThat(awaitFailure(ask(NodeHubs.GET, null))).isInstanceOf(NotFound.class);
        assertThat(awaitFailure(ask(Activities.PROGRESS, at("first", 1)))).isInstanceOf(NotFound.class);
    }

    @Test
    void nobodyWritesAnActivityByHandOrBeginsAnythingElse() {
        begin(of("first"));
        JsonObject document =
                new JsonObject().put("nodeType", "t").put("name", "n").put("content", new JsonObject());
        assertThat(awaitFailure(ask(NodeHubs.PUT, document))).isInstanceOf(NotHandled.class);
        assertThat(awaitFailure(ask(Activities.END, at("first", 1).put("outcome", "RUNNING"))))
                .isInstanceOf(Rejected.class);
        assertThat(awaitFailure(ask(Activities.PROGRESS, at("first", -1)))).isInstanceOf(Rejected.class);
        assertThat(awaitFailure(mesh.mesh()
                        .request(
                                MeshAddress.of("acme/_Activity/other"),
                                of("first"),
                                JsonObject.class,
                                MeshOptions.DEFAULT.withType(Activities.BEGIN))))
                .isInstanceOf(Rejected.class);
    }
}
