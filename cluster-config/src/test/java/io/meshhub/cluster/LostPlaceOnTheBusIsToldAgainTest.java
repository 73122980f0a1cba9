package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** F3: a process whose place on the event bus was taken back by one that saw it go too late is found again. */
@Timeout(180)
final class LostPlaceOnTheBusIsToldAgainTest {

    private static final String ADDRESS = "asked";
    private static final Duration SHORT = Duration.ofMillis(500);

    private final TestCluster cluster = new TestCluster(2);
    private ClusteredVertx asking;
    private ClusteredVertx asked;

    @BeforeEach
    void start() {
        asked = TestCluster.await(ClusteredVertx.start(cluster.options("asked"), new VertxOptions(), builder -> {}));
        asking = TestCluster.await(ClusteredVertx.start(cluster.options("asking"), new VertxOptions(), builder -> {}));
        Promise<Void> registered = Promise.promise();
        asked.busContext()
                .runOnContext(turn -> asked.vertx()
                        .eventBus()
                        .consumer(ADDRESS, message -> message.reply("answer"))
                        .completion()
                        .onComplete(registered));
        TestCluster.await(registered.future());
    }

    @AfterEach
    void end() {
        TestCluster.await(asking.close(Duration.ofSeconds(10)));
        TestCluster.await(asked.close(Duration.ofSeconds(10)));
    }

    private Future<String> ask() {
        Promise<String> answer = Promise.promise();
        asking.busContext()
                .runOnContext(turn -> asking.vertx()
                        .eventBus()
                        .<String>request(ADDRESS, "?", new DeliveryOptions().setSendTimeout(SHORT.toMillis()))
                        .map(message -> message.body())
                        .onComplete(answer));
        return answer.future();
    }

    private boolean answers() {
        return TestCluster.await(ask().transform(done -> Future.succeededFuture(done.succeeded())));
    }

    @Test
    void aProcessWhoseNodeInfoAndAddressesWereTakenBackIsReachedAgain() {
        // As a member does that handles the loss of another one when that is back already.
        String place = asked.hazelcast().getCluster().getLocalMember().getAttribute("__vertx.nodeId");
        asking.hazelcast().getMultiMap("__vertx.subs").remove(ADDRESS);
        assertThat(asking.hazelcast().getMap("__vertx.nodeInfo").remove(place)).isNotNull();

        await().atMost(TestCluster.PATIENCE).until(this::answers);
        assertThat(asking.hazelcast().getMap("__vertx.nodeInfo").get(place)).isNotNull();
    }
}
