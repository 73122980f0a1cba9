package io.meshhub.sync.protocol;

import static io.meshhub.sync.protocol.LatchShell.ADDRESS;
import static io.meshhub.sync.protocol.LatchShell.PACE;
import static io.meshhub.sync.protocol.LatchShell.by;
import static io.meshhub.sync.protocol.LatchShell.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** L9, L10 and L13: what makes a stream dormant or ends it, and what wakes it. */
class LatchVerdictTest {

    private static final MeshAddress OTHER = MeshAddress.of("orders/43");
    private static final FailureDetail HERE = FailureDetail.about(ADDRESS);

    private final LatchShell shell = new LatchShell();

    // L9

    @Test
    void notFoundForThisAddressMakesAStreamDormantThatWasEverLive() {
        shell.live().goodbye(1);

        assertThat(shell.refused(NotFound.noNode(ADDRESS, "b")))
                .isEqualTo(new LatchCommand.Dormant(LatchState.Reason.NOT_FOUND));
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Dormant(LatchState.Reason.NOT_FOUND));
        shell.goodbye(9);
        shell.pass(600_000);
        assertThat(shell.asks).hasSize(1);
    }

    @Test
    void notFoundForThisAddressEndsAStreamThatWasNeverLive() {
        NotFound cause = NotFound.noNode(ADDRESS, "b");

        assertThat(shell.refused(cause)).isEqualTo(new LatchCommand.End(LatchState.Reason.NOT_FOUND, cause));
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Ended(LatchState.Reason.NOT_FOUND));
    }

    @Test
    void notFoundInABeatsAnswerMakesALiveStreamDormant() {
        shell.live();

        assertThat(shell.stray(NotFound.noNode(ADDRESS, "b"), false))
                .isEqualTo(new LatchCommand.Dormant(LatchState.Reason.NOT_FOUND));
        assertThat(shell.wake()).isInstanceOf(LatchCommand.Ask.class);
    }

    @Test
    void notFoundFromTheOwnerDuringARestForAnAnnouncementIsAskedAbout() {
        shell.announced(2);
        shell.subscribed(1);
        shell.received = 2;
        shell.stray(NotFound.noNode(ADDRESS, "b"), false);
        shell.pass(500);

        assertThat(shell.asks).hasSize(1);
        assertThat(shell.refused(NotFound.noNode(ADDRESS, "b")))
                .isEqualTo(new LatchCommand.Dormant(LatchState.Reason.NOT_FOUND));
    }

    @Test
    void failureAboutAnotherAddressIsNoVerdictAboutThisOneAndEndsWithTheCause() {
        List<MeshException> nested = List.of(
                NotFound.noNode(OTHER, "b").asEntered(),
                NotFound.noNode(OTHER, "b"),
                NotFound.noNode(ADDRESS, "b").asEntered(),
                ShuttingDown.refusal(OTHER, id(1), RunLevel.DEAD, "b").asEntered(),
                Unavailable.notSent(OTHER, "b", "moving"),
                new Conflict("conflict", HERE, 7),
                HandlerFailed.of(ADDRESS, "Subscribe", HERE, new IllegalStateException("no")));
        for (MeshException cause : nested) {
            LatchShell each = new LatchShell();
            each.subscribed(1);
            each.goodbye(1);
            assertThat(each.refused(cause))
                    .as("%s", cause)
                    .isEqualTo(new LatchCommand.End(LatchState.Reason.FAILED, cause));
        }
    }

    @Test
    void failureOfAnotherOnesAskAboutAnotherAddressLeavesALiveStreamAlone() {
        shell.live();

        shell.stray(NotFound.noNode(OTHER, "b"), false);
        shell.stray(ShuttingDown.refusal(OTHER, id(9), RunLevel.DEAD, "b"), false);

        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
        assertThat(shell.asks).isEmpty();
    }

    @Test
    void verdictThatTheSubscribeIsNotAllowedOrNotUnderstoodEndsTheStream() {
        List<MeshException> verdicts = List.of(
                new NotHandled("no", HERE, "Subscribe", List.of()),
                Rejected.message(ADDRESS, "too long"),
                Unauthorized.at(ADDRESS, "b"),
                new Forbidden("no", HERE));
        for (MeshException cause : verdicts) {
            LatchShell each = new LatchShell();
            each.subscribed(1);
            each.goodbye(1);
            assertThat(each.refused(cause))
                    .as("%s", cause)
                    .isEqualTo(new LatchCommand.End(LatchState.Reason.REFUSED, cause));
        }
    }

    // L10

    @Test
    void disposeDuringARestMakesNoFurtherAttempt() {
        shell.live().goodbye(1);
        shell.refused(by(1));
        shell.refused(by(1));
        int before = shell.asks.size();

        assertThat(shell.on(new LatchEvent.Dispose()))
                .isEqualTo(new LatchCommand.End(LatchState.Reason.DISPOSED, null));
        shell.on(new LatchEvent.Rested(0, shell.now + PACE));
        shell.goodbye(1);
        shell.wake();
        shell.disposed(1);
        shell.on(new LatchEvent.Dispose());

        assertThat(shell.asks).hasSize(before);
        assertThat(shell.ends).hasSize(1);
    }

    @Test
    void answerThatComesAfterTheDisposeMakesNoFurtherAttempt() {
        shell.on(new LatchEvent.Dispose());

        assertThat(shell.on(new LatchEvent.Refused(1, by(1), false, 0, shell.now)))
                .isInstanceOf(LatchCommand.Nothing.class);
        assertThat(shell.on(new LatchEvent.Subscribed(1, id(1), shell.now))).isInstanceOf(LatchCommand.Nothing.class);
    }

    // L13

    @Test
    void afterAGiveUpNothingRunsAndAReleaseOrANewerVersionWakesTheStream() {
        for (boolean released : new boolean[] {true, false}) {
            LatchShell each = new LatchShell();
            each.received = 5;
            each.subscribed(1);
            each.goodbye(1);
            for (int activation = 2; activation <= 5; activation++) {
                each.refused(by(activation));
            }
            each.pass(600_000);
            int before = each.asks.size();
            each.goodbye(5);
            each.on(new LatchEvent.NodeLost(each.now));
            each.on(new LatchEvent.UnknownHere(each.now));
            each.on(new LatchEvent.Gap(each.now));
            each.announced(5);
            each.stray(by(5), false);
            assertThat(each.asks).hasSize(before);

            assertThat(released ? each.wake() : each.announced(6)).isInstanceOf(LatchCommand.Ask.class);
            each.subscribed(6);

            assertThat(each.warnings).hasSize(1);
            assertThat(each.latch.state()).isEqualTo(new LatchState.Live());
        }
    }

    @Test
    void streamWhoseNodeWasDeletedIsWokenWhenItIsCreatedAgain() {
        shell.live().received = 57;
        shell.goodbye(1);
        shell.refused(NotFound.noNode(ADDRESS, "b"));
        shell.pass(60_000);

        assertThat(shell.wake()).isInstanceOf(LatchCommand.Ask.class);
        shell.subscribed(2);

        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void wokenStreamHasFreshBudgets() {
        shell.live().goodbye(1);
        shell.giveUpOnTime();
        shell.pass(60_000).wake();

        assertThat(shell.refused(by(1))).isInstanceOf(LatchCommand.Ask.class);
        assertThat(shell.refused(by(1))).isEqualTo(new LatchCommand.Rest(shell.now + PACE));
    }

    @Test
    void wakeWhileTheLastAnswerIsUnderWayIsNotSleptThrough() {
        shell.live().goodbye(1);
        shell.wake();
        assertThat(shell.refused(NotFound.noNode(ADDRESS, "b"))).isInstanceOf(LatchCommand.Rest.class);
        shell.restOut().pass(2_000);
        for (int activation = 2; activation <= 4; activation++) {
            shell.refused(by(activation));
        }
        shell.wake();
        assertThat(shell.refused(by(5))).isEqualTo(new LatchCommand.Rest(shell.now + PACE));
        shell.restOut().subscribed(6);

        assertThat(shell.warnings).isEmpty();
        assertThat(shell.dormant).isEmpty();
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }
}
