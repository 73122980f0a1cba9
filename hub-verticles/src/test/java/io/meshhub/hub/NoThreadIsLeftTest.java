package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * D9: a node that has stopped leaves no thread behind, neither its own nor one of Vert.x or Hazelcast; but for the one
 * daemon thread that the cluster manager of vertx-hazelcast 5.2 starts and never ends.
 */
@Timeout(120)
class NoThreadIsLeftTest {

    // What belongs to the JVM or to the tests, whoever asked for it first.
    private static final Pattern GLOBAL = Pattern.compile(
            "(ForkJoinPool|Common-Cleaner|Cleaner-|process reaper|awaitility|junit|Finalizer|Signal Dispatcher|Attach"
                    + "|vertx-hazelcast-service-throttling-thread).*");
    private static final MeshOptions PING = MeshOptions.DEFAULT.withType("ping");

    private static Set<Thread> running() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !GLOBAL.matcher(thread.getName()).matches())
                .collect(Collectors.toSet());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static MeshHub.Builder node() {
        return MeshHub.builder()
                .hub(
                        "orders",
                        () -> new TestHub((self, setup) -> {
                            setup.every(Duration.ofMillis(20), () -> {});
                            setup.on("ping", MeshBody.class, body -> Future.succeededFuture("pong"));
                        }));
    }

    private static void liveAndStop(MeshHub.Builder builder) {
        Set<Thread> before = running();
        MeshHub hub = MeshExtension.await(builder.start());
        assertThat(MeshExtension.await(hub.mesh().request(MeshAddress.of("orders/42"), "x", String.class, PING)))
                .isEqualTo("pong");
        MeshExtension.await(hub.stop(Duration.ofSeconds(10)));

        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            Set<Thread> left = running();
            left.removeAll(before);
            assertThat(left).extracting(Thread::getName).isEmpty();
        });
    }

    @Test
    void nodeThatIsAloneLeavesNoThread() {
        liveAndStop(node().name("a"));
    }

    @Test
    void memberOfAClusterLeavesNoThread() throws IOException {
        int port = freePort();
        liveAndStop(node().cluster(ClusterOptions.builder("a")
                .clusterName("threads-" + UUID.randomUUID())
                .seeds(List.of("127.0.0.1:" + port))
                .hazelcast("127.0.0.1", port, 1)
                .bus("127.0.0.1", 0)
                .build()));
    }
}
