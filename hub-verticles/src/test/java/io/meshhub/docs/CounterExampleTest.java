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
        Future<CounterExample.Total> total = MeshHub.builder()
                .hub("counter", CounterExample.Counter::new)
                .start()
                .compose(hub -> CounterExample.count(hub.mesh()).eventually(hub::stop));

        assertThat(total.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isEqualTo(new CounterExample.Total(5));
    }
}
