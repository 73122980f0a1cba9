package io.meshhub.testkit;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings the nodes of a test to rest, and says what would not. */
final class Leftovers {

    // Longer than every watchdog and back-off of hubs by default.
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<Node> nodes;
    private final @Nullable MeshTime time;
    private final Duration grace;
    private final List<String> found = new ArrayList<>();

    Leftovers(List<Node> nodes, @Nullable MeshTime time, Duration grace) {
        this.nodes = nodes.stream().filter(Node::isUp).toList();
        this.time = time;
        this.grace = grace;
    }

    /** Ends what the test used; what is left then, for people. */
    List<String> find() {
        pass(Duration.ZERO);
        lookFor(Node::unanswered);
        List<Future<Void>> ends = nodes.stream().map(Node::endHubs).toList();
        lookFor(Node::hubs);
        pass(LONG);
        Future.join(ends).onComplete(ended -> {});
        lookForRegistered();
        if (time != null) {
            time.armed().forEach((what, count) -> found.add(count + " timers of the mesh, set in " + what));
        }
        nodes.forEach(Node::rest);
        return found;
    }

    private void pass(Duration duration) {
        if (time != null) {
            time.advance(duration);
        }
    }

    private void lookFor(Function<Node, List<String>> look) {
        for (Node node : nodes) {
            Supplier<List<String>> left = () -> look.apply(node);
            if (!Patience.until(grace, () -> left.get().isEmpty())) {
                note(node, left.get());
            }
        }
    }

    // Something passing that comes after this moment is none of the test's.
    private void lookForRegistered() {
        for (Node node : nodes) {
            Map<Object, String> left = node.registeredSince();
            Patience.until(grace, () -> {
                left.keySet().retainAll(node.registeredSince().keySet());
                return left.isEmpty();
            });
            note(node, left.values());
        }
    }

    private void note(Node node, Iterable<String> left) {
        left.forEach(what ->
                found.add(what + ", node=" + node.hub().membership().self().name()));
    }
}
