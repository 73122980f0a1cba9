package io.meshhub.it.chaos;

import java.util.List;
import java.util.Map;

/**
 * All that is known of a run.
 *
 * @param ops what the callers saw
 * @param executions which handlers were entered
 * @param freezes when which process stood still
 * @param faults when something was broken, whatever it was
 * @param killed when which process was killed
 * @param ends which processes ended by themselves
 */
record History(
        List<Op> ops,
        List<Execution> executions,
        List<Span> freezes,
        List<Span> faults,
        Map<String, Long> killed,
        List<End> ends) {}
