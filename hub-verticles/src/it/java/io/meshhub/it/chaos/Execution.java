package io.meshhub.it.chaos;

/**
 * One entry of a handler, as the hub's process noted it: also of those whose answer nobody ever saw.
 *
 * @param op whose request it was
 * @param process the process, with the number of its start
 * @param address the hub's address
 * @param activation the hub's activation
 * @param started when
 */
record Execution(long op, String process, String address, long activation, long started) {

    /** The same with its time counted from the origin. */
    Execution from(long origin) {
        return new Execution(op, process, address, activation, started - origin);
    }
}
