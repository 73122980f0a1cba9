package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real time on a wheel: an action runs once, in the order of its time, and not after it was taken back. */
class WheelPacerTest {

    private final WheelPacer pacer = new WheelPacer();

    @AfterEach
    void close() {
        pacer.close();
    }

    @Test
    void actionsRunOnceInTheOrderOfTheirTime() {
        List<String> ran = new CopyOnWriteArrayList<>();
        pacer.after(Duration.ofMillis(200), () -> ran.add("last"));
        pacer.after(Duration.ofMillis(50), () -> ran.add("second"));
        pacer.after(Duration.ofMillis(-5), () -> ran.add("first"));

        Await.until(() -> ran.contains("last"));
        assertThat(ran).containsExactly("first", "second", "last");
    }

    @Test
    void actionThatWasTakenBackNeverRuns() {
        AtomicBoolean ran = new AtomicBoolean();
        AtomicBoolean later = new AtomicBoolean();
        Pacer.Cancellable cancelled = pacer.after(Duration.ofMillis(50), () -> ran.set(true));

        assertThat(cancelled.cancel()).isTrue();
        assertThat(cancelled.cancel()).isFalse();

        pacer.after(Duration.ofMillis(150), () -> later.set(true));
        Await.until(later::get);
        assertThat(ran).isFalse();
    }

    @Test
    void actionThatHasRunCannotBeTakenBack() {
        AtomicBoolean ran = new AtomicBoolean();
        Pacer.Cancellable timer = pacer.after(Duration.ZERO, () -> ran.set(true));
        Await.until(ran::get);

        assertThat(timer.cancel()).isFalse();
    }

    @Test
    void actionThatThrowsStopsNoOther() {
        AtomicBoolean ran = new AtomicBoolean();
        pacer.after(Duration.ZERO, () -> {
            throw new IllegalStateException("broken action");
        });
        pacer.after(Duration.ofMillis(30), () -> ran.set(true));

        Await.until(ran::get);
    }

    @Test
    void anActionMayEndThePacer() {
        AtomicBoolean went = new AtomicBoolean();
        AtomicBoolean later = new AtomicBoolean();
        AtomicReference<Thread> thread = new AtomicReference<>();
        pacer.after(Duration.ofMillis(300), () -> later.set(true));
        pacer.after(Duration.ZERO, () -> {
            thread.set(Thread.currentThread());
            pacer.close();
            went.set(true);
        });

        Await.until(() -> went.get() && !thread.get().isAlive());
        assertThat(later).isFalse();
    }
}
