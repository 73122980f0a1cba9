package io.meshhub.hub.access.policy;

import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryResult;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a live query, for one who decides something from them: he has all, or none. A state machine without a
 * clock; not safe for several threads.
 *
 * <p>Whole is only an answer of every provider. One that completed without a word did not say that it has none, and one
 * that left took nodes along of which nobody knows; both break it, like a stall and a fault.
 */
public final class NodeMirror {

    /** What is known after a frame. */
    public sealed interface Seen {

        /**
         * All nodes.
         *
         * @param nodes as they are now; changed by the next frame
         */
        record Whole(Collection<QueryNode> nodes) implements Seen {}

        /**
         * Not all: the query is to be closed.
         *
         * @param providers those to blame, as far as somebody is
         */
        record Broken(List<String> providers, String why) implements Seen {
            public Broken {
                providers = List.copyOf(providers);
            }
        }
    }

    private final Map<MeshAddress, QueryNode> nodes = new HashMap<>();

    /** Takes in a frame. */
    public Seen on(QueryFrame frame) {
        if (frame instanceof QueryFrame.Ended ended) {
            return new Seen.Broken(
                    blamed(ended.cause()),
                    String.valueOf(ended.cause().failure().getMessage()));
        }
        if (frame instanceof QueryFrame.Initial initial) {
            if (!initial.silent().isEmpty()) {
                return new Seen.Broken(
                        initial.silent(), "providers " + initial.silent() + " completed without a first result");
            }
            nodes.clear();
            put(initial.nodes());
        } else if (frame instanceof QueryFrame.Reset reset) {
            if (!reset.gone().isEmpty()) {
                return new Seen.Broken(reset.gone(), "providers " + reset.gone() + " left");
            }
            nodes.clear();
            put(reset.nodes());
        } else if (frame instanceof QueryFrame.Added added) {
            put(added.nodes());
        } else if (frame instanceof QueryFrame.Updated updated) {
            put(updated.nodes());
        } else if (frame instanceof QueryFrame.Removed removed) {
            removed.paths().forEach(nodes::remove);
        }
        return new Seen.Whole(nodes.values());
    }

    private void put(List<QueryNode> told) {
        told.forEach(node -> nodes.put(node.path(), node));
    }

    private static List<String> blamed(QueryResult.Ended cause) {
        return cause instanceof QueryResult.Stalled stalled
                ? stalled.failure().providers()
                : ((QueryResult.Failed) cause).providers();
    }
}
