package io.meshhub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.MeshHub;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The embedder's page does what it says. */
class CounterExampleTest {

    @Test
    void theProgramOfTheReadmeCounts() throws Exception {
        MeshHub hub = get(
                MeshHub.builder().hub("counter", CounterExample.Counter::new).start());
        try {
            assertThat(get(CounterExample.count(hub.mesh()))).isEqualTo(new CounterExample.Total(5));
        } finally {
            assertThat(get(hub.stop()).cut()).isEmpty();
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
