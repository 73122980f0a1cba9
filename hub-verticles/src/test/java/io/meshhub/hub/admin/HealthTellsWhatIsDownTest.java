package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.lease.LeaseStanding;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.cluster.lease.PeerHearing;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.client.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Live says that this process makes progress, and nothing else; ready and started ask what they were given. */
final class HealthTellsWhatIsDownTest extends EdgeFixture {

    private volatile Supplier<Future<Status>> extra = () -> Future.succeededFuture(Status.OK());

    private volatile NodeStanding standing = NodeStanding.alone(NodeInfo.State.UP);

    @Override
    HttpEdge.Builder configure(HttpEdge.Builder builder) {
        return builder.standing(() -> standing).ready("extra", () -> extra.get());
    }

    private static PeerHearing peer(String name, boolean expected, boolean heard, boolean hears) {
        return new PeerHearing(name, expected, heard, hears);
    }

    private void hears(NodeInfo.State state, List<String> unreached, PeerHearing... peers) {
        standing = new NodeStanding(state, LeaseStanding.NOT_NEEDED, List.of(peers), unreached, 7);
    }

    private static JsonObject data(HttpResponse<Buffer> response, String id) {
        return check(response, id).getJsonObject("data");
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
        assertThat(check(get("/health/ready"), "peers").getString("status")).isEqualTo("UP");
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
        extra = () -> {
            throw new IllegalStateException("no lease");
        };
        assertThat(check(get("/health/ready"), "extra").getString("status")).isEqualTo("DOWN");
        Promise<Status> never = Promise.promise();
        extra = never::future;
        assertThat(check(get("/health/ready"), "extra").getString("status")).isEqualTo("DOWN");
    }

    /** F7 */
    @Test
    void aJoiningNodeThatHasNotReachedAPeerIsNotReadyAndNamesIt() {
        hears(NodeInfo.State.STARTING, List.of("b"), peer("b", true, true, true), peer("c", true, true, true));
        HttpResponse<Buffer> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(check(ready, "peers").getString("status")).isEqualTo("DOWN");
        assertThat(data(ready, "peers").getJsonArray("notReached")).containsExactly("b");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    /** F7 */
    @Test
    void anEstablishedNodeIsNotReadyOnlyWhileItHearsFewerThanHalfOfThePeersThatAreToBeExpected() {
        hears(
                NodeInfo.State.UP,
                List.of(),
                peer("b", true, true, true),
                peer("c", true, false, true),
                peer("d", false, false, false));
        HttpResponse<Buffer> ready = get("/health/ready");
        assertThat(ready.statusCode()).as(ready.bodyAsString()).isEqualTo(200);
        assertThat(data(ready, "peers"))
                .isEqualTo(new JsonObject()
                        .put("peers", 3)
                        .put("mutual", 1)
                        .put("notHeard", new JsonArray().add("c").add("d"))
                        .put("notHearing", new JsonArray().add("d"))
                        .put("shardsToMove", 7));

        hears(
                NodeInfo.State.UP,
                List.of(),
                peer("b", true, true, true),
                peer("c", true, false, true),
                peer("d", true, true, false));
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/health/started").statusCode()).isEqualTo(200);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aNodeWithoutALeaseOrVoteIsNotReadyAndSaysSinceWhenAndWhoIsMissing() {
        Instant since = Instant.parse("2026-01-02T03:04:05Z");
        standing = new NodeStanding(
                NodeInfo.State.UP,
                new LeaseStanding(2, false, Optional.of(since), Optional.empty(), List.of("a"), List.of("b", "c")),
                List.of(),
                List.of(),
                0);
        HttpResponse<Buffer> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(check(ready, "peers").getString("status")).isEqualTo("UP");
        assertThat(data(ready, "lease"))
                .isEqualTo(new JsonObject()
                        .put("quorum", 2)
                        .put("held", false)
                        .put("since", since.toString())
                        .put("votersHeard", new JsonArray().add("a"))
                        .put("votersNotHeard", new JsonArray().add("b").add("c")));
        assertThat(get("/health/live").statusCode()).isEqualTo(200);

        // A voter that has just started may serve before it may acknowledge others.
        standing = new NodeStanding(
                NodeInfo.State.UP,
                new LeaseStanding(2, true, Optional.empty(), Optional.of(since), List.of("b", "c"), List.of("a")),
                List.of(),
                List.of(),
                0);
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(data(get("/health/ready"), "lease").getString("votesFrom")).isEqualTo(since.toString());
    }
}
