package io.meshhub.it.chaos;

import java.util.Arrays;

/**
 * One end of a process that the run did not make: of a node that was up, of one whose start failed, or of one that was told
 * to stop and did not end in good order.
 *
 * @param process the process, with the number of its start
 * @param begun when it was started; the time of its end where it had been up
 * @param at when its end was seen
 * @param exit its exit code
 * @param wasUp whether it had been up
 * @param last the last line that it printed
 */
record End(String process, long begun, long at, int exit, boolean wasUp, String last) {

    /** The same with all times counted from the origin. */
    End from(long origin) {
        return new End(process, begun - origin, at - origin, exit, wasUp, last);
    }

    /** Whether the span is one in which this very node was down: that says nothing of what else was broken. */
    boolean isDownTime(Span span) {
        return span.whom().equals(process.substring(0, process.indexOf('.')))
                && Arrays.stream(Fault.Kind.values())
                        .noneMatch(kind -> kind.isCut() && kind.name().equals(span.what()));
    }

    @Override
    public String toString() {
        return process + " ended by itself with exit code " + exit + (wasUp ? " after it was up" : " in its start")
                + ": " + last;
    }
}
