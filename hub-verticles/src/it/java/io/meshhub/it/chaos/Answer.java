package io.meshhub.it.chaos;

import java.util.List;

/**
 * What a hub of the harness answers.
 *
 * @param node where it lives
 * @param activation which life of the address answered
 * @param started when its handler was entered
 * @param ended when its handler was done
 * @param value what a register holds, or held before; the count of a counter
 * @param done whether a change was made
 * @param list what a list holds
 */
record Answer(String node, long activation, long started, long ended, long value, boolean done, List<Long> list) {

    /** The same with all times counted from the origin. */
    Answer from(long origin) {
        return new Answer(node, activation, started - origin, ended - origin, value, done, list);
    }
}
