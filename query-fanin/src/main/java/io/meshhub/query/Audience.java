package io.meshhub.query;

import io.meshhub.query.language.QueryNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Those who wait for the beginning of a result, and those who follow it. What one of them does while it is told, or the
 * end of the place where it listens, costs the others nothing.
 */
final class Audience {

    private final Supplier<List<QueryNode>> shown;
    private final Set<Subscriber> waiting = new LinkedHashSet<>();
    private final Set<Subscriber> following = new LinkedHashSet<>();

    /**
     * Nobody so far.
     *
     * @param shown what those who follow have been told, all in all
     */
    Audience(Supplier<List<QueryNode>> shown) {
        this.shown = shown;
    }

    /** Somebody waits for the beginning. */
    void add(Subscriber subscriber) {
        waiting.add(subscriber);
    }

    boolean isWaiting(Subscriber subscriber) {
        return waiting.contains(subscriber);
    }

    boolean isAnyWaiting() {
        return !waiting.isEmpty();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && following.isEmpty();
    }

    /** Forgets one. Whether it was here. */
    boolean remove(Subscriber subscriber) {
        return waiting.remove(subscriber) || following.remove(subscriber);
    }

    /** Tells the beginning to all who wait for it; those who asked once are then gone. */
    void begin(QueryFrame.Initial first) {
        List<Subscriber> all = List.copyOf(waiting);
        waiting.clear();
        for (Subscriber subscriber : all) {
            if (!subscriber.isOnce()) {
                following.add(subscriber);
            }
            subscriber.begin(first);
            if (subscriber.isOnce()) {
                subscriber.gone();
            }
        }
    }

    /** Tells all who follow. */
    void tell(QueryFrame frame) {
        following.forEach(subscriber -> subscriber.tell(frame, shown));
    }

    /** Tells all the end, whereafter nobody is here. */
    void end(QueryFrame.Ended end) {
        List<Subscriber> first = List.copyOf(following);
        List<Subscriber> then = List.copyOf(waiting);
        following.clear();
        waiting.clear();
        first.forEach(subscriber -> subscriber.end(end));
        then.forEach(subscriber -> subscriber.end(end));
    }
}
