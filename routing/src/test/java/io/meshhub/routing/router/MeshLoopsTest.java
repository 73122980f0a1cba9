package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hub loops are distinct, and none of them carries the bus's connections. */
class MeshLoopsTest {

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4));

    @AfterEach
    void close() {
        Await.value(vertx.close());
    }

    private static Set<EventLoop> of(MeshLoops loops) {
        Set<EventLoop> distinct = new HashSet<>();
        for (int i = 0; i < loops.size(); i++) {
            distinct.add(loops.get(i).context().nettyEventLoop());
        }
        return distinct;
    }

    private MeshLoops create(int wanted, Set<EventLoop> reserved) {
        return Await.value(MeshLoops.create(vertx, wanted, reserved::contains));
    }

    @Test
    void loopsAreDistinctAndAsManyAsWanted() {
        assertThat(of(create(3, Set.of()))).hasSize(3);
    }

    @Test
    void moreAreWantedThanThereAre() {
        MeshLoops loops = create(100, Set.of());

        assertThat(loops.size()).isEqualTo(4);
        assertThat(of(loops)).hasSize(4);
        assertThat(vertx.deploymentIDs()).as("one host verticle for each loop").hasSize(4);
    }

    @Test
    void reservedLoopsAreAvoided() {
        EventLoop reserved = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();

        MeshLoops loops = create(4, Set.of(reserved));

        assertThat(of(loops)).hasSize(3).doesNotContain(reserved);
    }

    @Test
    void whereEveryLoopIsReservedOneIsTakenAllTheSame() {
        MeshLoops loops = Await.value(MeshLoops.create(vertx, 2, loop -> true));

        assertThat(loops.size()).isEqualTo(2);
    }

    @Test
    void contextIsFoundByItsLoop() {
        ContextInternal carrier = ((VertxInternal) vertx).createEventLoopContext();
        MeshLoops loops = create(3, Set.of(carrier.nettyEventLoop()));

        for (int i = 0; i < loops.size(); i++) {
            assertThat(loops.indexOf(loops.get(i).context().duplicate())).isEqualTo(i);
        }
        assertThat(loops.indexOf(carrier)).isEqualTo(-1);
    }

    @Test
    void noneWantedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MeshLoops.create(vertx, 0, loop -> false))
                .withMessageContaining("wanted = 0");
    }
}
