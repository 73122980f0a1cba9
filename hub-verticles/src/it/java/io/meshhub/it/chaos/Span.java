package io.meshhub.it.chaos;

/**
 * A stretch of time in which something was done to a process or to its links.
 *
 * @param whom the process, with the number of its start, or the link
 * @param what what was done
 * @param from when it began
 * @param to when it was over
 */
public record Span(String whom, String what, long from, long to) {

    /** Whether it has a moment of that stretch. */
    public boolean overlaps(long begin, long end) {
        return from <= end && begin <= to;
    }
}
