package io.meshhub.sync.protocol;

import static io.meshhub.sync.protocol.LatchShell.ADDRESS;
import static io.meshhub.sync.protocol.LatchShell.PACE;
import static io.meshhub.sync.protocol.LatchShell.by;
import static io.meshhub.sync.protocol.LatchShell.id;
import static io.meshhub.sync.protocol.LatchShell.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.failure.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** L4 to L6, L11 and L12: what a refusal is charged to, and when the latch gives up. */
class LatchBoundsTest {

    private static final FailureDetail HERE = FailureDetail.about(ADDRESS);

    private final LatchShell shell = new LatchShell();

    private static List<MeshException> chargedToNeither() {
        return List.of(
                Unavailable.notSent(ADDRESS, "b", "moving"),
                Unavailable.sent(ADDRESS, "b", "lost"),
                Overloaded.at(ADDRESS, "b", "mailbox", 1024, Duration.ofMillis(20)),
                new DeadlineExceeded("late", HERE, DeadlineExceeded.Owner.UNKNOWN, null),
                StartFailed.of(ADDRESS, HERE, new IllegalStateException("no disk")));
    }

    // L4

    @Test
    void activationThatKeepsRefusingIsGivenUpAtThe17thRepeatWithOneWarning() {
        shell.live().goodbye(1);
        int refusals = shell.giveUpOnTime();
        shell.pass(600_000);

        assertThat(refusals).isEqualTo(18);
        assertThat(shell.rests).hasSize(16).containsOnly(PACE);
        assertThat(shell.warnings).hasSize(1);
        LatchCommand.GiveUp warning = shell.warnings.get(0);
        assertThat(warning.owner()).isEqualTo(ADDRESS);
        assertThat(warning.activation()).contains(id(1));
        assertThat(warning.bound()).isEqualTo(Axis.TIME);
        assertThat(warning.allowed()).isEqualTo(16);
        assertThat(warning.observed()).isEqualTo(17);
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Dormant(LatchState.Reason.GAVE_UP));
    }

    @Test
    void budgetWhoseLastAskFallsBeforeTheWatchdogIsRefused() {
        RideOutPolicy policy = RideOutPolicy.ofDefaults();
        Duration second = Duration.ofSeconds(1);

        assertThat(LatchBudget.ofDefaults(Duration.ofMillis(7500)).policy()).isEqualTo(policy);
        assertThatThrownBy(() -> LatchBudget.ofDefaults(Duration.ofMillis(7501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not fall before the disposal watchdog");
        assertThatThrownBy(() -> new LatchBudget(policy, second, Duration.ofMillis(499), second))
                .hasMessage("longestRest = 499 ms must be >= the pace, 500 ms");
        assertThatThrownBy(() -> new LatchBudget(policy, second, second, Duration.ofMillis(499)))
                .hasMessage("burst = 499 ms must be >= the pace, 500 ms");
    }

    // L5

    @Test
    void fourthDistinctActivationThatRefusesIsGivenUpOnTheActivationBound() {
        shell.live().goodbye(1);

        for (int activation = 2; activation <= 4; activation++) {
            assertThat(shell.refused(by(activation))).isInstanceOf(LatchCommand.Ask.class);
        }
        shell.refused(by(5));

        assertThat(shell.rests).isEmpty();
        assertThat(shell.warnings).hasSize(1);
        assertThat(shell.warnings.get(0).bound()).isEqualTo(Axis.ACTIVATION);
        assertThat(shell.warnings.get(0).allowed()).isEqualTo(3);
        assertThat(shell.warnings.get(0).observed()).isEqualTo(4);
        assertThat(shell.warnings.get(0).activation()).contains(id(5));
    }

    // L6

    @Test
    void successRestoresBothBudgets() {
        shell.live();
        for (int round = 0; round < 5; round++) {
            int base = 10 * round;
            shell.goodbye(base + 1);
            for (int activation = 1; activation <= 3; activation++) {
                shell.refused(by(base + activation));
            }
            for (int repeat = 0; repeat < 16; repeat++) {
                shell.refused(by(base + 3));
                shell.restOut();
            }
            shell.subscribed(base + 9);
            shell.pass(60_000);
        }

        assertThat(shell.warnings).isEmpty();
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void refusalWithoutIdOrTagCountsOnTheActivationAxisAndRestsAsWell() {
        for (int i = 0; i < 3; i++) {
            assertThat(shell.refused(new ShuttingDown("going away", HERE)))
                    .isEqualTo(new LatchCommand.Rest(shell.now + PACE));
            assertThat(shell.latch.state())
                    .isEqualTo(new LatchState.RidingOut(
                            Optional.of(Axis.ACTIVATION), i + 2, i + 1, 3, OptionalLong.of(shell.now + PACE)));
            shell.restOut();
        }
        shell.refused(new ShuttingDown("going away, activation #123456789", HERE));

        assertThat(shell.warnings).hasSize(1);
        assertThat(shell.warnings.get(0).bound()).isEqualTo(Axis.ACTIVATION);
        assertThat(shell.warnings.get(0).observed()).isEqualTo(4);
        assertThat(shell.warnings.get(0).activation()).isEmpty();
    }

    @Test
    void refusalWithATagAloneIsTheActivationThatTheTagNames() {
        for (int i = 0; i < 17; i++) {
            assertThat(shell.refused(flattened(1))).isInstanceOf(LatchCommand.Rest.class);
            shell.restOut();
        }
        shell.refused(flattened(1));

        assertThat(shell.warnings).hasSize(1);
        assertThat(shell.warnings.get(0).bound()).isEqualTo(Axis.TIME);
        assertThat(shell.warnings.get(0).observed()).isEqualTo(17);
    }

    @Test
    void tagOfAnActivationThatRefusedWithItsIdIsARepeatOfIt() {
        shell.refused(by(1));
        shell.refused(flattened(1));

        assertThat(shell.axis()).contains(Axis.TIME);
        shell.restOut().refused(flattened(2));
        assertThat(shell.axis()).contains(Axis.ACTIVATION);
    }

    // What a peer without our codec makes of a refusal.
    private static MeshException flattened(int counter) {
        MeshException refusal = by(counter);
        MeshException read = MeshFailures.ofCode(refusal.failureCode(), refusal.getMessage(), ADDRESS, "b");
        assertThat(read.activation()).isEmpty();
        return read;
    }

    // L11

    @Test
    void lowerActivationIsARepeatAndAHigherOneRestartsTheRepeats() {
        assertThat(shell.refused(by(1))).isInstanceOf(LatchCommand.Ask.class);
        assertThat(shell.refused(by(2))).isInstanceOf(LatchCommand.Ask.class);
        shell.refused(by(1));
        assertThat(shell.axis()).contains(Axis.TIME);
        for (int repeat = 2; repeat <= 16; repeat++) {
            shell.restOut().refused(by(1));
        }
        shell.restOut();

        assertThat(shell.refused(by(3))).isInstanceOf(LatchCommand.Ask.class);
        for (int repeat = 1; repeat <= 16; repeat++) {
            shell.refused(by(3));
            shell.restOut();
        }
        assertThat(shell.warnings).isEmpty();
        shell.refused(by(3));
        assertThat(shell.warnings).hasSize(1);
        assertThat(shell.warnings.get(0).observed()).isEqualTo(17);
    }

    // L12

    @Test
    void unavailableForLongerThanBothBudgetsIsChargedToNeitherAndLiveAtTheEnd() {
        shell.live().on(new LatchEvent.NodeLost(shell.now));
        for (int i = 0; i < 40; i++) {
            for (MeshException failure : chargedToNeither()) {
                shell.refused(failure, false, 1);
                assertThat(shell.axis()).isEmpty();
                shell.restOut();
            }
        }
        shell.subscribed(2);

        assertThat(shell.rests).startsWith(millis(750), millis(1500), millis(3000), millis(5000), millis(5000));
        assertThat(shell.rests).allMatch(rest -> rest <= millis(5000));
        assertThat(shell.warnings).isEmpty();
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void unavailableInBetweenLeavesBothBudgetsAsTheyAreAndItsOwnRestsStartAgain() {
        MeshException moving = Unavailable.notSent(ADDRESS, "b", "moving");
        shell.refused(by(1));
        for (int repeat = 1; repeat <= 16; repeat++) {
            shell.refused(by(1));
            shell.restOut();
            shell.refused(moving, false, 0);
            assertThat(shell.rests.get(shell.rests.size() - 1)).isEqualTo(PACE);
            shell.restOut();
        }
        assertThat(shell.warnings).isEmpty();

        shell.refused(by(1));

        assertThat(shell.warnings).hasSize(1);
        assertThat(shell.warnings.get(0).observed()).isEqualTo(17);
    }

    @Test
    void jitterSpreadsARestOverAThirdAndNeverBelowThePace() {
        LatchBudget budget = LatchShell.BUDGET;

        assertThat(budget.delayNanos(1, 0)).isEqualTo(millis(500));
        assertThat(budget.delayNanos(1, 1)).isEqualTo(millis(750));
        assertThat(budget.delayNanos(3, 0)).isEqualTo(millis(2000));
        assertThat(budget.delayNanos(3, 1)).isEqualTo(millis(3000));
        assertThat(budget.delayNanos(5, 1)).isEqualTo(millis(5000));
        assertThat(budget.delayNanos(1_000_000, 1)).isEqualTo(millis(5000));
        assertThat(budget.delayNanos(1_000_000, 0)).isBetween(millis(3333), millis(3334));
    }
}
