package io.meshhub.sync.protocol;

import io.meshhub.routing.spi.NodeChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives the changes of one process their sequences in their partitions, and gathers them until they are sent. Not safe
 * for several threads.
 *
 * <p>Bounds: of a partition at most {@link #LARGEST} changes wait; at one more those that wait are dropped, which the
 * receivers see as a gap. The sequences of at most {@link #PARTITIONS} partitions are kept, those changed last; a
 * partition beyond goes on with a higher sequence, which is a gap as well.
 */
public final class FeedOutbox {

    /** The most changes in one message. */
    public static final int LARGEST = 256;

    /** The most partitions of which the sequence is kept. */
    public static final int PARTITIONS = 4096;

    /** How often the last change of a partition is told again: {@value} times. */
    public static final int REPEATS = 3;

    private final String from;
    private final Map<String, Long> sequences = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, List<NodeChange>> waiting = new LinkedHashMap<>();

    private final Map<String, Repeat> repeats = new LinkedHashMap<>();

    private record Repeat(NodeChange last, int left) {}

    /** An outbox of the process with that incarnation. */
    public FeedOutbox(String from) {
        this.from = from;
    }

    /**
     * Takes a change of the process.
     *
     * @return how many changes were dropped for it
     */
    public int offer(NodeChange change) {
        String partition = change.address().partition();
        Long last = sequences.get(partition);
        // The sequence of all changes is never below that of a partition, so that no number is given twice.
        long next = last == null ? change.sequence() : last + 1;
        sequences.put(partition, next);
        if (sequences.size() > PARTITIONS) {
            sequences.remove(sequences.keySet().iterator().next());
        }
        List<NodeChange> changes = waiting.computeIfAbsent(partition, absent -> new ArrayList<>());
        int dropped = 0;
        if (changes.size() == LARGEST || (!changes.isEmpty() && lastOf(changes).sequence() + 1 != next)) {
            dropped = changes.size();
            changes.clear();
        }
        changes.add(new NodeChange(next, change.kind(), change.address(), change.version()));
        return dropped;
    }

    private static NodeChange lastOf(List<NodeChange> changes) {
        return changes.get(changes.size() - 1);
    }

    /** What waits, by partition; then nothing waits. */
    public Map<String, FeedNews> take() {
        Map<String, FeedNews> news = new LinkedHashMap<>();
        waiting.forEach((partition, changes) -> {
            FeedNews told = new FeedNews(from, changes);
            news.put(partition, told);
            repeats.remove(partition);
            repeats.put(partition, new Repeat(lastOf(told.changes()), REPEATS));
        });
        waiting.clear();
        while (repeats.size() > PARTITIONS) {
            repeats.remove(repeats.keySet().iterator().next());
        }
        return news;
    }

    /**
     * The last change of each partition of which something was told lately: who has heard it sees nothing new, and who has
     * not sees that. Without it a last message that is lost would be missed by nobody until the next change.
     *
     * @return by partition; each {@link #REPEATS} times
     */
    public Map<String, FeedNews> again() {
        Map<String, FeedNews> news = new LinkedHashMap<>();
        repeats.forEach((partition, repeat) -> news.put(partition, new FeedNews(from, List.of(repeat.last()))));
        repeats.replaceAll((partition, repeat) -> new Repeat(repeat.last(), repeat.left() - 1));
        repeats.values().removeIf(repeat -> repeat.left() == 0);
        return news;
    }

    /** Whether something is to be told again. */
    public boolean hasRepeats() {
        return !repeats.isEmpty();
    }
}
