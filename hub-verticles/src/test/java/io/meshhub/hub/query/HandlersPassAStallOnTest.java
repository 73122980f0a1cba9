package io.meshhub.hub.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.QueryProviderStalled;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P12: a handler that reads a query which stalls answers its caller with that, before the caller's own time is over. */
@Timeout(60)
class HandlersPassAStallOnTest {

    private final AtomicReference<MeshHub> hub = new AtomicReference<>();

    private static final class Silent implements QueryProvider {
        @Override
        public String name() {
            return "inventory";
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            return Opened.NONE;
        }
    }

    private final class Counts extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on(
                    "count",
                    MeshBody.class,
                    body -> hub.get()
                            .query()
                            .run(Query.parse("path:acme"), QueryCaller.MESH)
                            .map(page -> page.nodes().size()));
        }
    }

    @AfterEach
    void stop() throws Exception {
        hub.get().stop().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void theCallerOfTheHandlerIsToldWhoStalled() throws Exception {
        hub.set(MeshHub.builder()
                .budgets(BudgetLadder.of(Duration.ofSeconds(8)))
                .hub("counts", Counts::new)
                .start()
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS));
        hub.get()
                .query()
                .register(new Silent())
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        try {
            hub.get()
                    .mesh()
                    .request(MeshAddress.of("counts/1"), null, Object.class, MeshOptions.DEFAULT.withType("count"))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);
            throw new AssertionError("it answered");
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            QueryProviderStalled.class,
                            stalled -> assertThat(stalled.providers()).containsExactly("inventory"));
        }
    }
}
