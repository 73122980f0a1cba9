package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** F3: a call over a link that was cut may be stuck for many seconds; a node that comes back must not wait behind it. */
@Timeout(60)
final class StuckCallHoldsNothingUpTest {

    private final ControlThread control = new ControlThread("a");
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void end() {
        released.countDown();
        control.close();
    }

    private Future<Boolean> stuck() {
        return control.blocking(() -> {
            released.await();
            return true;
        });
    }

    @Test
    void otherCallsEndWhileOneIsStuck() {
        Future<Boolean> stuck = stuck();
        Future<Boolean> alsoStuck = stuck();

        assertThat(TestCluster.await(control.blocking(() -> "done"))).isEqualTo("done");

        assertThat(stuck.isComplete() || alsoStuck.isComplete()).isFalse();
        released.countDown();
        assertThat(TestCluster.await(stuck)).isTrue();
    }

    @Test
    void whoeverWaitsForItIsToldAtItsBound() {
        Future<Boolean> bounded = control.bounded(stuck(), Duration.ofMillis(1), "Reading the rows of the nodes");

        assertThatThrownBy(() -> TestCluster.await(bounded))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Reading the rows of the nodes did not end within 1 ms");
    }

    @Test
    void aCallOfTheClusterEndsBeforeTheOperationThatItIsPartOf() {
        ClusterOptions options = ClusterOptions.of("a");

        assertThat(options.callTimeout()).isLessThan(options.operationTimeout()).isEqualTo(Duration.ofSeconds(5));
    }
}
