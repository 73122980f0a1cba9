package io.meshhub.hub.store;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeRecord;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/**
 * A node as it is kept: like a {@link NodeRecord}, with the content as JSON text.
 *
 * @param changedAt in whole milliseconds
 */
record NodeRow(
        MeshAddress address,
        String nodeType,
        String name,
        String content,
        long version,
        boolean deleted,
        Instant changedAt) {

    /** The record, with a content of its own. */
    NodeRecord toRecord() {
        return toRecord(new JsonObject(content));
    }

    /** What a query sees of it. */
    QueryNode toQueryNode() {
        return new QueryNode(address, nodeType, name, new JsonObject(content), version);
    }

    /** The record with this content, which says the same as the text. */
    NodeRecord toRecord(JsonObject decoded) {
        return new NodeRecord(address, nodeType, name, decoded, version, deleted, changedAt);
    }
}
