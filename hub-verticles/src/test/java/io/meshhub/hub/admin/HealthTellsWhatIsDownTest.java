package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.client.HttpResponse;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Live says that this process makes progress, and nothing else; ready and started ask what they were given. */
final class HealthTellsWhatIsDownTest extends EdgeFixture {

    private volatile Supplier<Future<Status>> lease = () -> Future.succeededFuture(Status.OK());

    @Override
    HttpEdge.Builder configure(HttpEdge.Builder builder) {
        return builder.ready("lease", () -> lease.get());
    }

    private static JsonObject check(HttpResponse<Buffer> response, String id) {
        return response.bodyAsJsonObject().getJsonArray("checks").stream()
                .map(JsonObject.class::cast)
                .filter(check -> check.getString("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNodeThatIsUpIsReady() {
        for (String kind : new String[] {"started", "ready", "live"}) {
            HttpResponse<Buffer> response = get("/health/" + kind);
            assertThat(response.statusCode()).as(response.bodyAsString()).isEqualTo(200);
            assertThat(response.bodyAsJsonObject().getString("status")).isEqualTo("UP");
            assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
            assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        }
        assertThat(check(get("/health/ready"), "node").getJsonObject("data").getString("state"))
                .isEqualTo("UP");
        assertThat(check(get("/health/ready"), "store").getString("status")).isEqualTo("UP");
    }

    @Test
    void aLeavingNodeIsStartedAndLiveAndNotReady() {
        membership.announce(NodeInfo.State.LEAVING);
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(check(get("/health/ready"), "node").getString("status")).isEqualTo("DOWN");
        assertThat(check(get("/health/ready"), "lease").getString("status")).isEqualTo("UP");
        assertThat(get("/health/started").statusCode()).isEqualTo(200);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aBrokenStoreIsNotReadyAndLive() {
        store.broken = true;
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(check(get("/health/ready"), "store").getString("status")).isEqualTo("DOWN");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aCheckThatThrowsOrNeverAnswersIsDown() {
        lease = () -> {
            throw new IllegalStateException("no lease");
        };
        assertThat(check(get("/health/ready"), "lease").getString("status")).isEqualTo("DOWN");
        Promise<Status> never = Promise.promise();
        lease = never::future;
        assertThat(check(get("/health/ready"), "lease").getString("status")).isEqualTo("DOWN");
    }
}
