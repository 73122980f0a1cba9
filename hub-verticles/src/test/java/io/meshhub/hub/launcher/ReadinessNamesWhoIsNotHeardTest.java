package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.lease.PeerHearing;
import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.MeshHub;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F7: readiness says by name over which links of the event bus a node is not heard, whatever the member list says. */
@Timeout(240)
class ReadinessNamesWhoIsNotHeardTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path home;

    private final String cluster = "ready-" + UUID.randomUUID();
    private final List<Integer> ports = FreePorts.of(6);
    private final List<TestedNode> nodes = new ArrayList<>();
    private final BusLinks links = new BusLinks();
    private final List<String> terms = new ArrayList<>();

    /** One node of the process, which serves its probes. */
    private final class TestedNode {
        final int http;
        final HostedNode hosted;
        final Future<Void> up;
        volatile MeshHub hub;

        TestedNode(String name, Consumer<MeshHub> joined) {
            http = ports.get(nodes.size());
            int member = ports.get(3 + nodes.size());
            nodes.add(this);
            MeshHub.Builder builder = MeshHub.builder().beforeUp(own -> {
                hub = own;
                joined.accept(own);
                return Future.succeededFuture();
            });
            hosted = new HostedNode(settings(name, http, member), builder);
            up = hosted.start();
        }

        JsonObject health(String kind) {
            try {
                HttpResponse<String> response = CLIENT.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + kind))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                return new JsonObject(response.body()).put("code", response.statusCode());
            } catch (IOException e) {
                return new JsonObject().put("code", 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        int ready() {
            return health("/health/ready").getInteger("code");
        }

        JsonObject data(String check) {
            return health("/health/ready").getJsonArray("checks", new JsonArray()).stream()
                    .map(JsonObject.class::cast)
                    .filter(each -> each.getString("id").equals(check))
                    .map(each -> each.getJsonObject("data"))
                    .findFirst()
                    .orElse(new JsonObject());
        }

        List<String> names(String check, String key) {
            return data(check).getJsonArray(key, new JsonArray()).stream()
                    .map(String.class::cast)
                    .toList();
        }

        boolean expectsAndHearsAll() {
            List<PeerHearing> hearing = hub.standing().hearing();
            return hearing.size() == nodes.size() - 1
                    && hearing.stream().allMatch(peer -> peer.expected() && peer.isMutual());
        }

        void awaitReady(int status) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ready())
                            .as(health("/health/ready").encode())
                            .isEqualTo(status));
        }
    }

    private Settings<MeshHubSettings> settings(String name, int http, int member) {
        List<String> pairs = new ArrayList<>(List.of(
                "cluster.node=" + name,
                "cluster.name=" + cluster,
                "http.port=" + http,
                "cluster.hazelcast.port=" + member,
                "cluster.hazelcast.ports=1",
                "cluster.join=tcp",
                "cluster.seeds=127.0.0.1:" + ports.get(3) + ",127.0.0.1:" + ports.get(4),
                "data=" + home.resolve(name),
                "store.dir=" + home.resolve("store")));
        pairs.addAll(terms);
        List<SettingsFlag> flags = pairs.stream()
                .map(pair -> new SettingsFlag(pair.split("=", 2)[0], "--set", pair.split("=", 2)[1]))
                .toList();
        try {
            return SettingsRules.loader().load(SettingsSources.none().withFlags(flags));
        } catch (SettingsException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private TestedNode start(String name) {
        TestedNode node = new TestedNode(name, joined -> {});
        end(node.up);
        return node;
    }

    private static void end(Future<?> future) {
        try {
            future.toCompletionStage().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void assertAllLive() {
        assertThat(nodes).allSatisfy(node -> {
            JsonObject live = node.health("/health/live");
            assertThat(live.getInteger("code")).as(live.encode()).isEqualTo(200);
        });
    }

    @AfterEach
    @Timeout(180)
    void stop() {
        links.heal();
        for (TestedNode node : nodes) {
            end(node.hosted.stop(Duration.ofSeconds(15)));
        }
    }

    private static void awaitThat(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(condition);
    }

    @Test
    void aJoiningNodeThatCannotBeReachedNamesThePeerAndTheOthersStayReady() {
        TestedNode a = start("a");
        TestedNode b = start("b");
        a.awaitReady(200);
        b.awaitReady(200);

        TestedNode c = new TestedNode("c", joined -> links.cut(joined, a.hub));
        awaitThat(() -> c.ready() == 503
                && c.names("peers", "notReached").equals(List.of("a"))
                && a.ready() == 200
                && b.ready() == 200);
        assertThat(c.data("node").getString("state")).isEqualTo("STARTING");
        assertThat(c.health("/health/started").getInteger("code")).isEqualTo(503);
        assertThat(c.health("/api/v1/members").getJsonArray("nodes"))
                .as("the list is whole")
                .hasSize(3);
        assertAllLive();

        links.heal();
        end(c.up);
        c.awaitReady(200);
        assertThat(c.health("/health/started").getInteger("code")).isEqualTo(200);
    }

    @Test
    void anEstablishedNodeStaysReadyWhileItHearsHalfOfTheOthers() {
        TestedNode a = start("a");
        TestedNode b = start("b");
        TestedNode c = start("c");
        awaitThat(() -> nodes.stream().allMatch(TestedNode::expectsAndHearsAll));

        links.cut(c.hub, a.hub);
        awaitThat(() -> a.names("peers", "notHeard").equals(List.of("c"))
                && c.names("peers", "notHearing").equals(List.of("a"))
                && nodes.stream().allMatch(node -> node.ready() == 200));
        assertThat(c.names("peers", "notHeard")).as("the other way is whole").isEmpty();
        assertAllLive();

        links.cut(c.hub, b.hub);
        awaitThat(() -> c.ready() == 503
                && c.names("peers", "notHearing").equals(List.of("a", "b"))
                && a.ready() == 200
                && b.ready() == 200);
        assertThat(c.data("node").getString("state")).isEqualTo("UP");
        assertAllLive();

        links.heal();
        c.awaitReady(200);
    }

    @Test
    void aNodeWithoutALeaseIsNotReadyAndNamesTheVotersThatItDoesNotHear() {
        terms.addAll(List.of("cluster.quorum=2", "cluster.max-nodes=3", "cluster.voters=a,b,c"));
        TestedNode a = start("a");
        assertThat(a.ready()).isEqualTo(503);
        assertThat(a.data("node").getString("state")).isEqualTo("UP");
        assertThat(a.data("lease").getBoolean("held")).isFalse();
        assertThat(Instant.parse(a.data("lease").getString("since"))).isBefore(Instant.now());
        assertThat(a.names("lease", "votersNotHeard")).contains("b", "c");
        assertAllLive();

        TestedNode b = start("b");
        assertThat(b.data("lease").getString("votesFrom"))
                .as("it has no vote yet")
                .isNotNull();
        assertThat(b.ready()).isEqualTo(503);
        a.awaitReady(200);
        b.awaitReady(200);
        assertThat(a.names("lease", "votersHeard")).isEqualTo(List.of("a", "b"));
        assertThat(a.names("lease", "votersNotHeard")).isEqualTo(List.of("c"));

        links.cut(b.hub, a.hub);
        awaitThat(() -> a.ready() == 503
                && !a.data("lease").getBoolean("held")
                && a.names("lease", "votersNotHeard").equals(List.of("b", "c")));
        assertAllLive();

        links.heal();
        a.awaitReady(200);
    }
}
