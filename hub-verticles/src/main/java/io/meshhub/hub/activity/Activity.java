package io.meshhub.hub.activity;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * An activity as it stands: which run of it, who works at it, and how far that is. At most one worker at a time: another
 * one joins as long as the first has spoken within the lease, and takes over from one who has not. An ended run stays as
 * it ended, until somebody begins the next.
 *
 * @param run counts the runs, from 1
 * @param worker who works at it, or did
 * @param status how it stands
 * @param cancelRequested whether somebody asked for the end of this run
 * @param total how much there is to do; 0 where it is not known
 * @param counts how far it is; within a run none of them falls
 * @param told when the worker spoke last, on the clock of this owner; no part of the content
 */
record Activity(
        long run,
        String worker,
        ActivityStatus status,
        boolean cancelRequested,
        long total,
        ActivityCounts counts,
        long told) {

    /** What is answered to an event. */
    enum Answer {
        /** The worker does it. */
        STARTED,
        /** The worker does it in place of one who fell silent. */
        TAKEN_OVER,
        /** Another one does it. */
        JOINED,
        /** It has ended already. */
        ENDED,
        /** It is noted. */
        TOLD,
        /** The worker does not do it, or not any more. */
        REFUSED
    }

    /** What follows from an event; empty only while nobody ever began. */
    record Step(Optional<Activity> next, Answer answer) {}

    /** What follows from an event. */
    static Step on(Optional<Activity> now, ActivityEvent event, Duration lease) {
        if (now.isPresent()) {
            return now.get().on(event, lease);
        }
        if (event instanceof ActivityEvent.Begin begin) {
            return step(begun(1, begin), Answer.STARTED);
        }
        boolean worker = event instanceof ActivityEvent.Progress || event instanceof ActivityEvent.End;
        return new Step(Optional.empty(), worker ? Answer.REFUSED : Answer.ENDED);
    }

    private Step on(ActivityEvent event, Duration lease) {
        if (event instanceof ActivityEvent.Begin begin) {
            return begin(begin, lease);
        }
        if (event instanceof ActivityEvent.Progress progress) {
            return isOf(progress.worker())
                    ? step(told(progress.counts(), progress.now()), Answer.TOLD)
                    : step(this, Answer.REFUSED);
        }
        if (event instanceof ActivityEvent.End end) {
            return end(end);
        }
        if (event instanceof ActivityEvent.Cancel) {
            return cancel();
        }
        return event instanceof ActivityEvent.Tick tick && status == ActivityStatus.RUNNING && over(tick.now(), lease)
                ? step(with(ActivityStatus.SILENT), Answer.TOLD)
                : step(this, Answer.TOLD);
    }

    private Step begin(ActivityEvent.Begin begin, Duration lease) {
        if (status.isEnded()) {
            return begin.joined() > 0 && begin.joined() <= run
                    ? step(this, Answer.ENDED)
                    : step(begun(run + 1, begin), Answer.STARTED);
        }
        if (worker.equals(begin.worker())) {
            // The answer to the first attempt was lost.
            return step(told(counts, begin.now()), Answer.STARTED);
        }
        return status == ActivityStatus.SILENT || over(begin.now(), lease)
                ? step(begun(run + 1, begin), Answer.TAKEN_OVER)
                : step(this, Answer.JOINED);
    }

    private Step end(ActivityEvent.End end) {
        if (isOf(end.worker())) {
            return step(
                    new Activity(
                            run, worker, end.outcome(), cancelRequested, total, counts.atLeast(end.counts()), told),
                    Answer.TOLD);
        }
        boolean again = worker.equals(end.worker()) && status == end.outcome();
        return step(this, again ? Answer.TOLD : Answer.REFUSED);
    }

    private Step cancel() {
        if (status.isEnded()) {
            return step(this, Answer.ENDED);
        }
        // Nobody is there who could heed it.
        ActivityStatus next = status == ActivityStatus.SILENT ? ActivityStatus.CANCELLED : status;
        return step(new Activity(run, worker, next, true, total, counts, told), Answer.TOLD);
    }

    private static Step step(Activity next, Answer answer) {
        return new Step(Optional.of(next), answer);
    }

    private static Activity begun(long run, ActivityEvent.Begin begin) {
        return new Activity(
                run, begin.worker(), ActivityStatus.RUNNING, false, begin.total(), ActivityCounts.NONE, begin.now());
    }

    private boolean isOf(String who) {
        return !status.isEnded() && worker.equals(who);
    }

    private boolean over(long now, Duration lease) {
        return now - told >= lease.toNanos();
    }

    private Activity told(ActivityCounts heard, long now) {
        return new Activity(run, worker, ActivityStatus.RUNNING, cancelRequested, total, counts.atLeast(heard), now);
    }

    private Activity with(ActivityStatus next) {
        return new Activity(run, worker, next, cancelRequested, total, counts, told);
    }

    /** The content of its node. */
    JsonObject toJson() {
        return new JsonObject()
                .put("requestedStatus", cancelRequested ? "CANCEL" : "RUN")
                .put("actualStatus", status.name())
                .put("run", run)
                .put("worker", worker)
                .put("total", total)
                .mergeIn(counts.toJson());
    }

    /**
     * Reads the content of its node; who works at it has a lease from now on.
     *
     * @throws IllegalArgumentException when that is no activity
     */
    static Activity read(JsonObject content, long now) {
        try {
            return new Activity(
                    content.getLong("run"),
                    content.getString("worker"),
                    ActivityStatus.valueOf(content.getString("actualStatus")),
                    "CANCEL".equals(content.getString("requestedStatus")),
                    content.getLong("total"),
                    ActivityCounts.read(content),
                    now);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("no content of an activity", e);
        }
    }
}
