package io.meshhub.it.chaos;

import org.jspecify.annotations.Nullable;

/**
 * One request as its caller saw it. Times are {@link System#nanoTime()}, which is one clock for all processes of a
 * machine.
 *
 * @param id unique in the run; also the value that a write writes, so that each value has one writer
 * @param caller the process that asked, with the number of its start
 * @param address whom it asked
 * @param kind what it asked
 * @param expected the value that a compare-and-set expects; else 0
 * @param invoked when it asked
 * @param deadline how long it wanted to wait, in nanoseconds
 * @param returned when it had the outcome; 0 when it never had one
 * @param outcome what it was told
 * @param failure the failure in words; empty when there was none
 * @param answer the answer; null when there was none
 */
record Op(
        long id,
        String caller,
        String address,
        Kind kind,
        long expected,
        long invoked,
        long deadline,
        long returned,
        Outcome outcome,
        String failure,
        @Nullable Answer answer) {

    /** What is asked. */
    enum Kind {
        /** The value of a register. */
        READ,
        /** Sets a register to the op's id. */
        WRITE,
        /** Sets a register to the op's id if it holds the expected value. */
        CAS,
        /** Counts up in memory. */
        COUNT,
        /** Appends the op's id to a durable list. */
        APPEND,
        /** The durable list. */
        LIST,
        /** Ends the activation. */
        RECYCLE
    }

    /** What the caller was told. */
    enum Outcome {
        /** Nothing, so far. */
        PENDING,
        /** An answer. */
        OK,
        /** That no handler was entered. */
        NEVER_EXECUTED,
        /** That it may have been executed, or not. */
        UNKNOWN,
        /** What nobody should be told here: a raw failure, or that an address does not exist. */
        WRONG
    }

    /** Whether an answer came. */
    boolean isAnswered() {
        return answer != null && outcome == Outcome.OK;
    }

    /** The same op with what its caller was told. */
    Op ended(long at, Outcome newOutcome, String newFailure, @Nullable Answer newAnswer) {
        return new Op(id, caller, address, kind, expected, invoked, deadline, at, newOutcome, newFailure, newAnswer);
    }

    /** The same with all times counted from the origin. */
    Op from(long origin) {
        return new Op(
                id,
                caller,
                address,
                kind,
                expected,
                invoked - origin,
                deadline,
                returned == 0 ? 0 : returned - origin,
                outcome,
                failure,
                answer == null ? null : answer.from(origin));
    }
}
