package io.meshhub.sync.protocol;

import static io.meshhub.sync.protocol.LatchShell.ADDRESS;
import static io.meshhub.sync.protocol.LatchShell.BURST;
import static io.meshhub.sync.protocol.LatchShell.PACE;
import static io.meshhub.sync.protocol.LatchShell.by;
import static io.meshhub.sync.protocol.LatchShell.id;
import static io.meshhub.sync.protocol.LatchShell.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.RideOutBudget.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** L1 to L3, L7, L8 and L14, as far as the latch alone shows them: when it asks again. */
class LatchTest {

    private final LatchShell shell = new LatchShell();

    // L1

    @Test
    void firstAnnouncementAsksAtOnceAndABurstWithinOneSecondMakesOneMore() {
        shell.live();

        assertThat(shell.announced(7)).isEqualTo(new LatchCommand.Ask(2));
        for (int version = 8; version < 20; version++) {
            shell.announced(version);
        }
        shell.pass(5).subscribed(1);
        for (int version = 20; version < 30; version++) {
            shell.pass(10).announced(version);
        }
        long first = shell.asks.get(0).at();
        shell.pass(5_000).subscribed(1);
        shell.pass(60_000);

        assertThat(shell.asks).hasSize(2);
        assertThat(shell.asks.get(1).at() - first).isEqualTo(BURST);
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void announcedVersionThatHasBeenReceivedAsksNothing() {
        shell.live().received = 7;

        assertThat(shell.announced(7)).isInstanceOf(LatchCommand.Nothing.class);
        assertThat(shell.announced(3)).isInstanceOf(LatchCommand.Nothing.class);

        assertThat(shell.asks).isEmpty();
    }

    @Test
    void versionThatArrivesBeforeItsTurnMakesTheSecondAskNeedless() {
        shell.live().announced(7);
        shell.announced(8);
        shell.subscribed(1);
        shell.received = 8;

        shell.pass(60_000);

        assertThat(shell.asks).hasSize(1);
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void everyKindOfTriggerAsksAtOnce() {
        List<LatchEvent> triggers = List.of(
                new LatchEvent.Goodbye(id(1), 0),
                new LatchEvent.NodeLost(0),
                new LatchEvent.UnknownHere(0),
                new LatchEvent.Announced(1, 0, 0),
                new LatchEvent.Gap(0));
        for (LatchEvent trigger : triggers) {
            Latch live = Latch.firstAsk(ADDRESS, LatchShell.BUDGET)
                    .on(new LatchEvent.Subscribed(1, id(1), 0))
                    .latch();
            assertThat(live.on(trigger).command()).as("%s", trigger).isEqualTo(new LatchCommand.Ask(2));
        }
    }

    // L2

    @Test
    void ownerThatStaysRefusingIsRiddenOutAndTheStreamIsLiveAfterItsRelease() {
        shell.live().goodbye(1);
        for (int i = 0; i < 6; i++) {
            shell.refused(by(1));
            shell.pass(500);
        }
        int before = shell.asks.size();

        shell.refused(by(1));
        shell.wake();
        shell.pass(500);
        shell.subscribed(2);

        assertThat(shell.asks).hasSize(before + 1);
        assertThat(shell.warnings).isEmpty();
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    // L3

    @Test
    void asksAgainOfOneActivationAreAPaceApartWhateverTriggersAndWakes() {
        shell.live().goodbye(1);
        shell.refused(by(1));
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            times.add(shell.asks.get(shell.asks.size() - 1).at());
            shell.announced(100 + i);
            shell.pass(7).refused(by(1));
            for (int j = 0; j < 5; j++) {
                shell.pass(10).wake();
                shell.announced(200 + j);
                shell.goodbye(1);
            }
            shell.pass(450);
        }

        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(PACE + millis(7));
        }
    }

    @Test
    void wakeRightAfterAGiveUpKeepsThePaceToo() {
        shell.live().goodbye(1);
        shell.giveUpOnTime();

        assertThat(shell.wake()).isEqualTo(new LatchCommand.Rest(shell.now + PACE));
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Connecting());
        shell.pass(500);

        assertThat(shell.outstanding).isPositive();
    }

    // L7

    @Test
    void reaskWaitsForTheDisposalOfAnActivationInThisProcess() {
        shell.live().goodbye(1);

        assertThat(shell.refusedHere(1)).isEqualTo(new LatchCommand.AwaitDisposal(id(1)));
        assertThat(shell.latch.state())
                .isEqualTo(new LatchState.RidingOut(Optional.of(Axis.ACTIVATION), 2, 1, 3, OptionalLong.empty()));
        shell.pass(5_000).wake();
        shell.goodbye(1);
        assertThat(shell.disposed(0)).isInstanceOf(LatchCommand.Nothing.class);
        assertThat(shell.asks).hasSize(1);

        assertThat(shell.disposed(1)).isEqualTo(new LatchCommand.Ask(3));
    }

    @Test
    void reaskOfAnActivationElsewhereWaitsForNoDisposal() {
        shell.live().goodbye(1);

        assertThat(shell.refused(by(1))).isEqualTo(new LatchCommand.Ask(3));
    }

    @Test
    void repeatOfAnActivationInThisProcessRestsFirstAndThenWaitsIfItIsStillThere() {
        shell.live().goodbye(1);
        shell.refused(by(1));

        assertThat(shell.refusedHere(1)).isEqualTo(new LatchCommand.Rest(shell.now + PACE));
        shell.restOut();

        assertThat(shell.awaited).isEqualTo(id(1));
        assertThat(shell.disposed(1)).isInstanceOf(LatchCommand.Ask.class);
    }

    // L8

    @Test
    void refusalOfTheFirstAskIsChargedLikeAnyOther() {
        assertThat(shell.refused(by(1))).isEqualTo(new LatchCommand.Ask(2));
        shell.refused(by(1));

        assertThat(shell.latch.state())
                .isEqualTo(
                        new LatchState.RidingOut(Optional.of(Axis.TIME), 3, 1, 16, OptionalLong.of(shell.now + PACE)));
    }

    @Test
    void refusalOfAnotherOnesAskMakesALiveStreamAskAgain() {
        shell.live();

        assertThat(shell.stray(by(1), false)).isEqualTo(new LatchCommand.Ask(2));
    }

    // L14

    @Test
    void burstOfRefusalsIsJudgedWhenItsTurnComesAgainstTheStateOfThen() {
        shell.live().goodbye(1);
        for (int i = 0; i < 50; i++) {
            shell.stray(by(1), true);
        }
        shell.disposed(1);
        shell.subscribed(2);
        shell.pass(60_000);

        assertThat(shell.asks).hasSize(1);
        assertThat(shell.warnings).isEmpty();
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void ownerThatCompletesBetweenTheRefusalAndItsTurnIsNotWaitedFor() {
        shell.live().goodbye(1);
        shell.subscribed(2);
        shell.pass(100).stray(by(2), true);
        shell.pass(100).disposed(2);

        shell.pass(800);

        assertThat(shell.awaited).isNull();
        assertThat(shell.outstanding).isPositive();
    }

    @Test
    void ownerThatIsStillThereWhenTheTurnOfItsRefusalComesIsWaitedFor() {
        shell.live().goodbye(1);
        shell.subscribed(2);
        shell.pass(100).stray(by(2), true);

        shell.pass(900);

        assertThat(shell.awaited).isEqualTo(id(2));
        assertThat(shell.disposed(2)).isInstanceOf(LatchCommand.Ask.class);
    }

    @Test
    void goodbyeOfARecycledOwnerMakesOneReaskAndTheStreamIsLive() {
        shell.live().goodbye(1);
        shell.subscribed(2);
        shell.goodbye(1);
        shell.stray(by(1), false);
        shell.wake();
        shell.pass(60_000);

        assertThat(shell.asks).hasSize(1);
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Live());
    }

    @Test
    void goodbyeThatOvertakesTheAnswerOfItsActivationIsNotLost() {
        shell.live().goodbye(1);
        shell.goodbye(2);
        shell.subscribed(2);

        shell.pass(1_000);

        assertThat(shell.asks).hasSize(2);
    }

    @Test
    void timerThatFiresEarlyIsSetAgain() {
        shell.refused(by(1));
        shell.refused(by(1));
        long until = shell.timer.orElseThrow();

        assertThat(shell.on(new LatchEvent.Rested(0, until - 1))).isEqualTo(new LatchCommand.Rest(until));
    }
}
