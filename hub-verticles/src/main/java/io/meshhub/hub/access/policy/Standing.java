package io.meshhub.hub.access.policy;

/** Whether what was read of a partition at one time still stands. Ends once, and never begins again. */
final class Standing {

    private volatile boolean ended;

    boolean stands() {
        return !ended;
    }

    void end() {
        ended = true;
    }
}
