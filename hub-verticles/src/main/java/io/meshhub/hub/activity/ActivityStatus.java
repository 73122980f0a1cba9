package io.meshhub.hub.activity;

/** How an activity stands. */
enum ActivityStatus {
    /** Somebody works at it, and has said so within the lease. */
    RUNNING,
    /** Who works at it has said nothing for a lease: the next one who begins takes it over. */
    SILENT,
    /** It ended, and all of it is done. */
    SUCCEEDED,
    /** It ended, and a part is not done. */
    FAILED,
    /** It ended since somebody asked for it. */
    CANCELLED;

    boolean isEnded() {
        return this != RUNNING && this != SILENT;
    }
}
