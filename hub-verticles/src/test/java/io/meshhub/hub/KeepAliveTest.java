package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps a hub awake without a message: its own word, capped, and whoever follows its state. */
class KeepAliveTest {

    private static final Duration CAP = Duration.ofMinutes(20);

    private final HubHouse house = new HubHouse(1, HubOptions.ofDefaults().withKeepAliveCap(CAP));
    private final AtomicReference<HubContext> hub = new AtomicReference<>();

    @AfterEach
    void close() {
        house.close();
    }

    private HubContext live(BooleanSupplier followed) {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    hub.set(self.self());
                    setup.awakeWhile(followed);
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                }));
        house.ask(ORDER, "quick").reply();
        return hub.get();
    }

    @Test
    void aHubStaysAwakeAsLongAsItAskedForAndNoLonger() {
        HubContext context = live(() -> false);
        Duration asked = Duration.ofMinutes(12);
        assertThat(context.keepAlive(asked)).isEqualTo(asked);
        house.pass(asked.minusSeconds(1));
        assertThat(context.level()).isEqualTo(RunLevel.STARTED);
        house.pass(Duration.ofSeconds(3));
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
    }

    @Test
    void moreThanTheCapIsNotGrantedAndAShorterCallTakesNothingBack() {
        HubContext context = live(() -> false);
        assertThat(context.keepAlive(Duration.ofDays(400_000))).isEqualTo(CAP);
        assertThat(context.keepAlive(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        house.pass(CAP.minusSeconds(1));
        assertThat(context.level()).isEqualTo(RunLevel.STARTED);
        house.pass(Duration.ofSeconds(3));
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
        assertThatThrownBy(() -> context.keepAlive(Duration.ZERO)).hasMessageContaining("> 0");
    }

    @Test
    void aHubThatIsKeptAwakeIsDisposedAllTheSame() {
        HubHouse.await(live(() -> true).dispose("test"));
        int armed = house.time.armed();
        house.ask(ORDER, "quick").reply();
        HubContext kept = hub.get();
        kept.keepAlive(CAP);
        HubHouse.await(kept.dispose("test"));
        assertThat(house.time.armed())
                .as("no more than after one that nobody kept awake")
                .isLessThanOrEqualTo(armed);
    }

    @Test
    void aHubThatSomebodyFollowsIsNotIdle() {
        AtomicBoolean followed = new AtomicBoolean(true);
        HubContext context = live(followed::get);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.multipliedBy(3));
        assertThat(context.level()).isEqualTo(RunLevel.STARTED);
        followed.set(false);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(2));
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
    }

    @Test
    void aConditionThatThrowsHoldsNothing() {
        HubContext context = live(() -> {
            throw new IllegalStateException("no");
        });
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(2));
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
    }
}
