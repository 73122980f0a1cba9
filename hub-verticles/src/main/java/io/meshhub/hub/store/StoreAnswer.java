package io.meshhub.hub.store;

import io.meshhub.query.language.QueryNode;
import java.time.Duration;
import java.util.List;

/**
 * What a store found.
 *
 * @param nodes in the order of the query
 * @param cut whether more nodes belong to the result, and were left out because the answer was full
 * @param waited how long the question waited for a thread
 * @param ran how long it then took
 */
public record StoreAnswer(List<QueryNode> nodes, boolean cut, Duration waited, Duration ran) {

    public StoreAnswer {
        nodes = List.copyOf(nodes);
    }
}
