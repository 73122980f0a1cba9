package io.meshhub.it.chaos;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What became of the addresses of a node while it was killed, frozen or cut off.
 *
 * @param history of the run
 * @param name the node
 * @param from when it was lost, at the earliest
 * @param to when it was there again
 * @param owned the addresses that it was the last to serve before
 * @param again the first handler that another node entered for each of those meanwhile
 */
record Loss(History history, String name, long from, long to, Set<String> owned, Map<String, Execution> again) {

    static Loss of(History history, String name, Span span) {
        List<Execution> sorted = history.executions().stream()
                .sorted(Comparator.comparingLong(Execution::started))
                .toList();
        Map<String, Execution> last = new HashMap<>();
        sorted.stream()
                .filter(execution -> execution.started() <= span.from())
                .forEach(execution -> last.put(execution.address(), execution));
        Set<String> owned = new HashSet<>();
        last.forEach((address, execution) -> {
            if (isOf(name, execution.process())) {
                owned.add(address);
            }
        });
        Map<String, Execution> again = new HashMap<>();
        sorted.stream()
                .filter(execution -> execution.started() > span.from() && execution.started() < span.to())
                .filter(execution -> owned.contains(execution.address()) && !isOf(name, execution.process()))
                .forEach(execution -> again.putIfAbsent(execution.address(), execution));
        return new Loss(history, name, span.from(), span.to(), Set.copyOf(owned), Map.copyOf(again));
    }

    private static boolean isOf(String name, String process) {
        return process.startsWith(name + ".");
    }

    /** When another node served the first of them. */
    long firstAgain() {
        return again.values().stream().mapToLong(Execution::started).min().orElseThrow();
    }

    /** When other nodes had served all of them that they served at all. */
    long lastAgain() {
        return again.values().stream().mapToLong(Execution::started).max().orElseThrow();
    }

    /** Under which activation another node served it first. */
    long taken(String address) {
        Execution execution = again.get(address);
        return execution == null ? 0 : execution.activation();
    }

    /** What the rest was told of these addresses, from that time on until one of them was served elsewhere. */
    Stream<Op> askedInVain(long since) {
        return history.ops().stream()
                .filter(op -> owned.contains(op.address()) && !isOf(name, op.caller()))
                .filter(op -> op.invoked() > since && op.returned() > 0 && op.returned() < firstAgain());
    }

    /** What this node's own callers were told between these times. */
    Stream<Op> askedByItself(long since, long until) {
        return history.ops().stream()
                .filter(op -> isOf(name, op.caller()))
                .filter(op -> op.invoked() > since && op.returned() > 0 && op.returned() < until);
    }

    /** The handlers that this node entered between these times. */
    Stream<Execution> entered(long since, long until) {
        return history.executions().stream()
                .filter(execution -> isOf(name, execution.process()))
                .filter(execution -> execution.started() > since && execution.started() < until);
    }
}
