package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.admin.HttpEdge;
import io.meshhub.hub.admin.HttpOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M9: thousands of requests to addresses that do not exist are all answered, and leave nothing behind. */
class MissingAddressesTest {

    private static final int MANY = 5_000;

    private static final int PROBES = 3;

    private final Queue<WeakReference<MeshAddress>> asked = new ConcurrentLinkedQueue<>();
    private final Promise<Void> probed = Promise.promise();

    // The kit finds what is left at the end: calls, messages that wait, hubs.
    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .configure(builder -> builder.catalog(address -> {
                        asked.add(new WeakReference<>(address));
                        // Not before the node was seen to be live with all of them under way.
                        return probed.future().map(false);
                    })
                    .hub(new HubType("orders", () -> new TestHub((own, setup) -> {}), true, Set.of("put"))))
            .build();

    @Test
    void allAreAnsweredTheNodeStaysLiveMeanwhileAndLetsGoOfThemAll() throws IOException, InterruptedException {
        HttpEdge edge = MeshExtension.await(HttpEdge.builder(
                        mesh.node().vertx(), mesh.node().mesh(), mesh.node().membership())
                .options(HttpOptions.ofDefaults().withPort(0).withMaxBodyBytes(2048))
                .build()
                .start());
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest live = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + "/health/live"))
                .build();
        try {
            Future<?> all = flood();
            for (int probes = 0; probes < PROBES; probes++) {
                HttpResponse<String> probe = client.send(live, HttpResponse.BodyHandlers.ofString());
                assertThat(probe.statusCode()).as(probe.body()).isEqualTo(200);
                assertThat(all.isComplete()).isFalse();
            }
            probed.complete();
            MeshExtension.await(all);
        } finally {
            MeshExtension.await(edge.close());
        }
        assertThat(MeshExtension.await(mesh.node().runtime().activations(10))).isEmpty();
        assertThat(asked).hasSize(MANY);
        Awaitility.await().until(() -> {
            System.gc();
            return asked.stream().allMatch(address -> address.get() == null);
        });
    }

    // Completes when every one was answered as it must be.
    private Future<?> flood() {
        List<Future<Void>> answered = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            answered.add(mesh.mesh()
                    .request(MeshAddress.of("orders/missing-" + i), new JsonObject(), JsonObject.class)
                    .transform(answer -> answer.cause() instanceof NotFound
                            ? Future.<Void>succeededFuture()
                            : Future.failedFuture(new AssertionError("not NotFound: " + answer, answer.cause()))));
        }
        return Future.all(answered);
    }
}
