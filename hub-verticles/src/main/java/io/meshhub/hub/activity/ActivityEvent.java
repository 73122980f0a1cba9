package io.meshhub.hub.activity;

/** What happens to an activity; times are nanoseconds of one clock. */
sealed interface ActivityEvent {

    /**
     * Somebody wants to do it.
     *
     * @param worker who; another one for each attempt
     * @param total how much there is to do; 0 where it is not known
     * @param joined the run whose end he waits for, as he was told; 0 for none
     * @param now the time
     */
    record Begin(String worker, long total, long joined, long now) implements ActivityEvent {}

    /** Who does it says how far he is. */
    record Progress(String worker, ActivityCounts counts, long now) implements ActivityEvent {}

    /** Who does it is at its end; the outcome is an ended status. */
    record End(String worker, ActivityStatus outcome, ActivityCounts counts) implements ActivityEvent {

        public End {
            if (!outcome.isEnded()) {
                throw new IllegalArgumentException(
                        "'outcome' = " + outcome + " must be SUCCEEDED, FAILED or CANCELLED");
            }
        }
    }

    /** Somebody asks for its end. */
    record Cancel() implements ActivityEvent {}

    /** Time has passed. */
    record Tick(long now) implements ActivityEvent {}
}
