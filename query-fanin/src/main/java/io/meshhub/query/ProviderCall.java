package io.meshhub.query;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One query at one provider: says what is asked, and takes what the provider tells. Safe from any thread, and none of it
 * throws; what one thread tells stays in its order.
 */
public interface ProviderCall {

    /** What is asked for. */
    Query query();

    /** Whose grants decide what is told; empty for a caller of the mesh itself. */
    Optional<String> principal();

    /** How many of the nodes that match are wanted, the first ones by the query's order; nothing is skipped here. */
    int wanted();

    /** The time that is left for the first result. */
    Duration remaining();

    /** Whether nobody listens any more. */
    boolean isOver();

    /** The call has come to where the provider runs; said only where that is elsewhere. */
    default void reached() {}

    /** It has its thread or connection: its own time begins. Only the first one counts. */
    void started();

    /**
     * The first result.
     *
     * @param nodes those that match, in any order
     * @param cut whether there are more than were wanted, which are all behind these in the query's order
     */
    void first(List<QueryNode> nodes, boolean cut);

    /** A node has come to match; where it is known already, it is updated. */
    void added(QueryNode node);

    /** A node is in another version; one that no longer matches is thereby removed. */
    void updated(QueryNode node);

    /** A node no longer matches, or is gone. */
    void removed(MeshAddress path);

    /** What was told may not hold: something was missed. This call ends, and the provider is opened again. */
    void reset();

    /** Nothing more will be told. What was told stays; without a first result there is nothing. */
    void complete();

    /** It cannot go on. Before the first result a failure to reach something may lead to another call. */
    void fail(Throwable cause);
}
