package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.hub.HubOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an embedder sees of time-outs without waiting for them, at a hub that knows nothing of tests. */
class TheKitOwnsTheTimeOfASingleNodeTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");

    @RegisterExtension
    final MeshExtension mesh =
            MeshExtension.single().hub("orders", Orders::new).manualTime().build();

    private final Owner owner() {
        return mesh.owner(ORDER);
    }

    private Future<Orders.Pieces> add() {
        return mesh.mesh().request(ORDER, new Orders.Add(), Orders.Pieces.class);
    }

    @Test
    void anIdleHubEndsWhenItsTimeHasPassedAndNotBefore() {
        long first = MeshExtension.await(add()).activation();
        mesh.time().advance(Duration.ofSeconds(55));
        assertThat(mesh.node().runtime().count(RunLevel.STARTED)).isEqualTo(1);
        assertThat(MeshExtension.await(add()).activation()).isEqualTo(first);
        mesh.time().advance(Duration.ofSeconds(62));
        assertThat(mesh.node().runtime().count(RunLevel.STARTED)).isZero();
        assertThat(MeshExtension.await(add()).activation()).isGreaterThan(first);
    }

    /** R5, A2. */
    @Test
    void aMessageThatHangsEndsAtItsDeadlineAndTheFailureTellsItsAge() {
        owner().hangNext(1);
        Future<Orders.Pieces> hanging = add();
        mesh.time().advance(Duration.ofSeconds(20));
        assertThat(hanging.isComplete()).isFalse();
        assertThat(owner().hanging()).isEqualTo(1);
        mesh.time().advance(Duration.ofSeconds(5));
        assertThat(MeshExtension.awaitFailure(hanging)).isInstanceOfSatisfying(DeadlineExceeded.class, late -> {
            assertThat(late.owner().messageType()).isEqualTo("Add");
            assertThat(late.owner().messageAge()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(25));
        });
        assertThat(MeshExtension.await(add()).pieces()).isEqualTo(1);
    }

    @Test
    void whatHungIsHandledWhenItIsLetGo() {
        owner().hang();
        Future<Orders.Pieces> first = add();
        Future<Orders.Pieces> second = add();
        mesh.time().advance(Duration.ZERO);
        assertThat(owner().hanging()).isEqualTo(2);
        owner().letGo();
        assertThat(MeshExtension.await(first).pieces()).isEqualTo(1);
        assertThat(MeshExtension.await(second).pieces()).isEqualTo(2);
        assertThat(owner().hanging()).isZero();
    }

    /** D6: the watchdog is the hub's, and its time passes by hand like any other. */
    @Test
    void aHubIsDisposedWithinItsBoundsAlthoughAMessageHangs() {
        owner().hangNext(1);
        Future<Orders.Pieces> hanging = add();
        Future<Void> recycled = mesh.mesh().recycle(ORDER);
        mesh.time().advance(HubOptions.DEFAULT_QUIESCE.minusMillis(1));
        assertThat(recycled.isComplete()).isFalse();
        mesh.time().advance(Duration.ofSeconds(1));
        MeshExtension.await(recycled);
        assertThat(MeshExtension.awaitFailure(hanging))
                .isInstanceOfSatisfying(
                        ShuttingDown.class,
                        refusal -> assertThat(refusal.entered()).isTrue());
    }

    @Test
    void theNextMessageFailsAsTheTestSaysAndTheOneAfterIsHandled() {
        owner().failNext(new IllegalStateException("the press is broken"));
        assertThat(MeshExtension.awaitFailure(add()))
                .isInstanceOf(HandlerFailed.class)
                .hasMessageContaining("the press is broken");
        assertThat(MeshExtension.await(add()).pieces()).isEqualTo(1);
    }

    @Test
    void theNextStartFailsAsTheTestSaysAndTheAddressComesBackAfterItsBackoff() {
        owner().failNextStart(new IllegalStateException("no ink"));
        assertThat(MeshExtension.awaitFailure(add()))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("no ink");
        assertThat(MeshExtension.awaitFailure(add())).isInstanceOf(StartFailed.class);
        mesh.time().advance(HubOptions.DEFAULT_START_BACKOFF);
        assertThat(MeshExtension.await(add()).pieces()).isEqualTo(1);
    }

    @Test
    void aParkedOwnerRefusesAndARecycledOneIsAnotherLife() {
        long first = MeshExtension.await(add()).activation();
        owner().recycle();
        long second = MeshExtension.await(add()).activation();
        assertThat(second).isGreaterThan(first);
        owner().park();
        Future<Orders.Pieces> rider = add();
        mesh.time().advance(Duration.ofSeconds(10));
        assertThat(rider.isComplete()).isFalse();
        owner().release();
        assertThat(MeshExtension.await(rider).activation()).isGreaterThan(second);
    }

    @Test
    void aTestMayNotWaitOnALoop() {
        Future<Object> onLoop = mesh.node().vertx().timer(1).map(late -> {
            mesh.time().advance(Duration.ofSeconds(1));
            return null;
        });
        assertThat(MeshExtension.awaitFailure(onLoop)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> mesh.time().advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
