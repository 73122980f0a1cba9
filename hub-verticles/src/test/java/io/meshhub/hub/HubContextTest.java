package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.HubContexts;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watches the one use of what Vert.x does not promise to keep (D9). */
class HubContextTest {

    private final HubHouse house = new HubHouse(2, HubOptions.ofDefaults());

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void everyHubRunsOnTheLoopOfItsAddressAndEachMessageOnADuplicate() {
        Map<MeshAddress, ContextInternal> seen = new ConcurrentHashMap<>();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> setup.on("get", MeshBody.class, body -> {
                    seen.put(hub.self().address(), (ContextInternal) Vertx.currentContext());
                    return Future.succeededFuture();
                })));
        for (int i = 0; i < 20; i++) {
            house.ask(MeshAddress.of("orders/" + i), "get").reply();
        }
        assertThat(seen).hasSize(20).allSatisfy((address, context) -> {
            assertThat(house.loops.indexOf(context)).isEqualTo(address.loop(house.loops.size()));
            assertThat(context.isEventLoopContext()).isTrue();
            assertThat(context.isDuplicate()).isTrue();
            assertThat(context.isDeployment()).isTrue();
        });
    }

    @Test
    void whatAHandlerOpenedIsClosedAtTheEndAndTheHostLivesOn() {
        ContextInternal host = house.loops.get(0).context();
        AtomicInteger fired = new AtomicInteger();
        ContextInternal hub = HubContexts.create(house.loops.get(0));
        ContextInternal message = HubContexts.forMessage(hub, new CallScope("alice", null, null));
        host.runOnContext(start -> HubContexts.call(message, () -> {
            house.vertx.setPeriodic(1, id -> fired.incrementAndGet());
            house.vertx.eventBus().localConsumer("side.door", any -> any.reply("open"));
            return Future.succeededFuture();
        }));
        house.settle();
        HubHouse.await(house.vertx.eventBus().request("side.door", ""));
        HubHouse.await(HubContexts.close(hub));
        house.settle();
        int then = fired.get();
        HubHouse.await(house.vertx.timer(30));
        assertThat(fired).hasValue(then);
        assertThat(house.vertx.deploymentIDs()).contains(house.loops.get(0).deploymentId());
        assertThat(HubHouse.await(house.vertx
                        .eventBus()
                        .request("side.door", "")
                        .map(true)
                        .otherwise(false)))
                .isFalse();
    }
}
