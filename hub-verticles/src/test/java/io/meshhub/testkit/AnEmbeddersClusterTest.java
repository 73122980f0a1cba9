package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an embedder tests on two nodes: the owner of an order lives on the other one. */
class AnEmbeddersClusterTest {

    @RegisterExtension
    static final MeshExtension MESH =
            MeshExtension.cluster(2).hub("orders", Orders::new).build();

    private MeshAddress order = MeshAddress.of("orders");

    @BeforeEach
    void anOrderOfTheOtherNode() {
        order = MESH.addressOn(2, "orders");
    }

    private Future<Orders.Pieces> add(MeshOptions options) {
        return MESH.mesh().request(order, new Orders.Add(), Orders.Pieces.class, options);
    }

    /** R11. */
    @Test
    void whoAsksAParkedOwnerRidesItOut() {
        long before = MeshExtension.await(add(MeshOptions.DEFAULT)).activation();
        MESH.owner(order).park();
        assertThat(MeshExtension.awaitFailure(add(MeshOptions.DEFAULT.withRideOut(false))))
                .isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
                    assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
                    assertThat(refusal.node()).contains("node-2");
                });
        Future<Orders.Pieces> rider = add(MeshOptions.DEFAULT);
        assertThat(rider.isComplete()).isFalse();
        MESH.owner(order).release();
        Orders.Pieces pieces = MeshExtension.await(rider);
        assertThat(pieces.node()).isEqualTo("node-2");
        assertThat(pieces.activation()).isGreaterThan(before);
        assertThat(pieces.pieces()).isEqualTo(1);
    }

    @Test
    void aRecycledOwnerIsAnotherLifeOnTheSameNode() {
        Orders.Pieces before = MeshExtension.await(add(MeshOptions.DEFAULT));
        MESH.owner(order).recycle();
        Orders.Pieces after = MeshExtension.await(add(MeshOptions.DEFAULT));
        assertThat(after.activation()).isGreaterThan(before.activation());
        assertThat(after.node()).isEqualTo("node-2");
        assertThat(after.pieces()).isEqualTo(1);
    }

    /** R5. */
    @Test
    void whoAsksAnOwnerThatHangsIsToldForHowLong() {
        MeshExtension.await(add(MeshOptions.DEFAULT));
        MESH.owner(order).hangNext(1);
        Future<Orders.Pieces> late = add(MeshOptions.DEFAULT.withDeadline(Duration.ofSeconds(2)));
        await().until(() -> MESH.owner(order).hanging() == 1);
        assertThat(MeshExtension.awaitFailure(late)).isInstanceOfSatisfying(DeadlineExceeded.class, failure -> {
            assertThat(failure.owner().messageType()).isEqualTo("Add");
            assertThat(failure.owner().messageAge()).isPositive();
            assertThat(failure.node()).contains("node-2");
        });
        assertThat(MeshExtension.await(add(MeshOptions.DEFAULT)).pieces()).isEqualTo(2);
    }
}
