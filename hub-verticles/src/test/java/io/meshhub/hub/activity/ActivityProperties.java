package io.meshhub.hub.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.activity.Activity.Answer;
import io.meshhub.hub.activity.Activity.Step;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** N3 as a pure machine: whatever happens, one worker at a time, and what ended stays ended until somebody begins. */
final class ActivityProperties {

    private static final Duration LEASE = Duration.ofNanos(10);

    /** An event without its time, and how much of that passes before it. */
    private record Happening(int pause, int kind, String worker, int count, int joined) {

        ActivityEvent at(long now) {
            ActivityCounts counts = new ActivityCounts(count, count / 2, 0, count / 3, 0);
            return switch (kind) {
                case 0 -> new ActivityEvent.Begin(worker, 100, joined, now);
                case 1 -> new ActivityEvent.Progress(worker, counts, now);
                case 2 ->
                    new ActivityEvent.End(
                            worker, count % 2 == 0 ? ActivityStatus.SUCCEEDED : ActivityStatus.FAILED, counts);
                case 3 -> new ActivityEvent.Cancel();
                default -> new ActivityEvent.Tick(now);
            };
        }
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.frequency(
                                Tuple.of(3, 0), Tuple.of(4, 1), Tuple.of(1, 2), Tuple.of(1, 3), Tuple.of(2, 4)),
                        Arbitraries.of("a", "b", "c"),
                        Arbitraries.integers().between(0, 100),
                        Arbitraries.integers().between(0, 3))
                .as(Happening::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    @Property
    void oneWorkerAtATimeAndNothingGoesBack(@ForAll("happenings") List<Happening> happenings) {
        Optional<Activity> now = Optional.empty();
        long time = 0;
        long heard = 0;
        for (Happening happening : happenings) {
            time += happening.pause();
            ActivityEvent event = happening.at(time);
            Step step = Activity.on(now, event, LEASE);
            check(now, event, step, time, heard);
            if (step.answer() == Answer.STARTED
                    || step.answer() == Answer.TAKEN_OVER
                    || (event instanceof ActivityEvent.Progress && step.answer() == Answer.TOLD)) {
                heard = time;
            }
            now = step.next();
        }
    }

    private static void check(Optional<Activity> before, ActivityEvent event, Step step, long time, long heard) {
        if (before.isEmpty() || step.next().isEmpty()) {
            assertThat(step.next().isPresent()).isEqualTo(event instanceof ActivityEvent.Begin);
            return;
        }
        Activity was = before.get();
        Activity is = step.next().get();
        boolean begins = event instanceof ActivityEvent.Begin;
        if (is.run() == was.run()) {
            assertThat(is.worker()).isEqualTo(was.worker());
            assertThat(is.counts().atLeast(was.counts())).as("no count falls").isEqualTo(is.counts());
            if (was.status().isEnded()) {
                assertThat(is).as("what ended stays as it ended").isEqualTo(was);
            }
        } else {
            assertThat(begins).as("only who begins makes a run").isTrue();
            assertThat(is.run()).isEqualTo(was.run() + 1);
            assertThat(was.status().isEnded() || time - heard >= LEASE.toNanos())
                    .as("nobody takes over before the lease is over: %s -> %s", was, is)
                    .isTrue();
        }
        if (step.answer() == Answer.JOINED) {
            assertThat(time - heard).as("who is joined has spoken").isLessThan(LEASE.toNanos());
        }
        if (step.answer() == Answer.REFUSED || step.answer() == Answer.JOINED || step.answer() == Answer.ENDED) {
            assertThat(is).isEqualTo(was);
        }
        if (event instanceof ActivityEvent.Progress progress && step.answer() == Answer.TOLD) {
            assertThat(progress.worker()).isEqualTo(was.worker());
        }
        if (event instanceof ActivityEvent.Tick && is.status() == ActivityStatus.SILENT) {
            assertThat(time - heard).isGreaterThanOrEqualTo(LEASE.toNanos());
        }
    }

    /** Of all who were told to start within a run there is one. */
    @Property
    void aRunHasOneWorker(@ForAll("happenings") List<Happening> happenings) {
        Optional<Activity> now = Optional.empty();
        Set<String> started = new HashSet<>();
        long run = 0;
        long time = 0;
        for (Happening happening : happenings) {
            time += happening.pause();
            ActivityEvent event = happening.at(time);
            Step step = Activity.on(now, event, LEASE);
            now = step.next();
            if (now.isPresent() && now.get().run() != run) {
                run = now.get().run();
                started.clear();
            }
            if (event instanceof ActivityEvent.Begin begin
                    && (step.answer() == Answer.STARTED || step.answer() == Answer.TAKEN_OVER)) {
                started.add(begin.worker());
            }
            assertThat(started).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Property
    void itsContentSaysAllButWhenItsWorkerSpoke(@ForAll("happenings") List<Happening> happenings) {
        Optional<Activity> now = Optional.empty();
        long time = 0;
        for (Happening happening : happenings) {
            time += happening.pause();
            now = Activity.on(now, happening.at(time), LEASE).next();
        }
        long read = time;
        now.ifPresent(activity -> assertThat(Activity.read(activity.toJson(), read))
                .usingRecursiveComparison()
                .ignoringFields("told")
                .isEqualTo(activity));
    }
}
