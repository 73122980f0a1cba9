package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Performs what a latch commands, in virtual time, and checks what must hold after every step. */
final class LatchShell {

    static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    static final LatchBudget BUDGET = LatchBudget.ofDefaults(Duration.ofMillis(7500));
    static final long PACE = millis(500);
    static final long BURST = millis(1000);
    static final long START = millis(5000);

    /** An ask, and what made it. */
    record Asked(int attempt, long at, LatchEvent because) {}

    final List<Asked> asks = new ArrayList<>();
    final List<Long> rests = new ArrayList<>();
    final List<LatchCommand.GiveUp> warnings = new ArrayList<>();
    final List<LatchCommand.Dormant> dormant = new ArrayList<>();
    final List<LatchCommand.End> ends = new ArrayList<>();
    Latch latch = Latch.firstAsk(ADDRESS, BUDGET);
    long now = START;
    long received;

    /** The ask that is outstanding; 0 when none is. */
    int outstanding = 1;

    OptionalLong timer = OptionalLong.empty();

    @Nullable
    ActivationId awaited;

    static long millis(long count) {
        return Duration.ofMillis(count).toNanos();
    }

    static ActivationId id(int counter) {
        return ActivationId.of(10, counter);
    }

    static ShuttingDown by(int counter) {
        return ShuttingDown.refusal(ADDRESS, id(counter), RunLevel.DEAD, "b");
    }

    LatchCommand on(LatchEvent event) {
        boolean ended = latch.isEnded();
        Latch.Step step = latch.on(event);
        LatchCommand command = step.command();
        latch = step.latch();
        if (ended) {
            assertThat(command).as("after the end").isInstanceOf(LatchCommand.Nothing.class);
            assertThat(latch.isEnded()).isTrue();
        }
        perform(event, command);
        assertThat(isBusy())
                .as("something is under way in %s", latch.state())
                .isEqualTo(
                        outstanding == 0 ? timer.isPresent() || awaited != null : timer.isEmpty() && awaited == null);
        return command;
    }

    private void perform(LatchEvent event, LatchCommand command) {
        if (command instanceof LatchCommand.Ask ask) {
            assertThat(outstanding).as("an ask is outstanding already").isZero();
            assertThat(timer).as("a timer runs beside the ask").isEmpty();
            outstanding = ask.attempt();
            awaited = null;
            asks.add(new Asked(ask.attempt(), now, event));
        } else if (command instanceof LatchCommand.Rest rest) {
            timer = OptionalLong.of(rest.untilNanos());
            rests.add(rest.untilNanos() - now);
        } else if (command instanceof LatchCommand.AwaitDisposal await) {
            awaited = await.activation();
        } else if (command instanceof LatchCommand.GiveUp warning) {
            warnings.add(warning);
        } else if (command instanceof LatchCommand.Dormant sleep) {
            dormant.add(sleep);
        } else if (command instanceof LatchCommand.End end) {
            ends.add(end);
            outstanding = 0;
            timer = OptionalLong.empty();
            awaited = null;
        }
    }

    /** Whether the state says that something is under way; a live stream may rest for the end of a burst. */
    private boolean isBusy() {
        LatchState state = latch.state();
        if (state instanceof LatchState.Live) {
            return outstanding != 0 || timer.isPresent() || awaited != null;
        }
        return state instanceof LatchState.Connecting || state instanceof LatchState.RidingOut;
    }

    LatchCommand refused(MeshException failure) {
        return refused(failure, false, 0.5);
    }

    LatchCommand refusedHere(int counter) {
        return refused(by(counter), true, 0.5);
    }

    LatchCommand refused(MeshException failure, boolean local, double jitter) {
        int attempt = outstanding;
        assertThat(attempt).as("an ask to answer").isPositive();
        outstanding = 0;
        return on(new LatchEvent.Refused(attempt, failure, local, jitter, now));
    }

    LatchCommand stray(MeshException failure, boolean local) {
        return on(new LatchEvent.Refused(Latch.STRAY, failure, local, 0.5, now));
    }

    LatchCommand subscribed(int counter) {
        int attempt = outstanding;
        assertThat(attempt).as("an ask to answer").isPositive();
        outstanding = 0;
        return on(new LatchEvent.Subscribed(attempt, id(counter), now));
    }

    LatchCommand announced(long version) {
        return on(new LatchEvent.Announced(version, received, now));
    }

    LatchCommand goodbye(int counter) {
        return on(new LatchEvent.Goodbye(id(counter), now));
    }

    LatchCommand wake() {
        return on(new LatchEvent.Wake(now));
    }

    LatchCommand disposed(int counter) {
        return on(new LatchEvent.LocalDisposed(id(counter), now));
    }

    /** Time passes; a timer that comes due in it fires when it does. */
    LatchShell pass(long millis) {
        long end = now + millis(millis);
        while (timer.isPresent() && timer.getAsLong() <= end) {
            now = timer.getAsLong();
            timer = OptionalLong.empty();
            on(new LatchEvent.Rested(received, now));
        }
        now = end;
        return this;
    }

    /** Rests until an ask is outstanding. */
    LatchShell restOut() {
        assertThat(timer).as("a timer runs").isPresent();
        now = timer.getAsLong();
        timer = OptionalLong.empty();
        on(new LatchEvent.Rested(received, now));
        return this;
    }

    /** Accepted by activation 1, a minute ago. */
    LatchShell live() {
        subscribed(1);
        return pass(60_000);
    }

    /** Activation 1 refuses until it is given up; how often it did. */
    int giveUpOnTime() {
        int refusals = 0;
        while (warnings.isEmpty()) {
            assertThat(++refusals).as("gives up").isLessThan(100);
            if (refused(by(1)) instanceof LatchCommand.Rest) {
                restOut();
            }
        }
        return refusals;
    }

    Optional<Axis> axis() {
        return ((LatchState.RidingOut) latch.state()).axis();
    }
}
