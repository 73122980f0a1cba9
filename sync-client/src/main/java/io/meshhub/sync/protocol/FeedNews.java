package io.meshhub.sync.protocol;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeChange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What one process tells of the nodes of one partition that it changed: a message of the change feed between nodes.
 *
 * <p>It is published to {@link #place} of the partition after the changes are durable, in the order of their commits.
 * Whoever wants to follow registers a consumer there, takes the messages through {@link FeedSequences}, and looks the
 * versions up for itself where that says that something was missed.
 *
 * @param from the incarnation of the process that wrote
 * @param changes at least one; their sequences are those of the sender in this partition, each one more than the one
 *     before
 */
public record FeedNews(String from, List<NodeChange> changes) {

    /** In the place of a partition: all of them. No partition has that name. */
    public static final String EVERY = "*";

    private static final String PREFIX = "__mesh.feed.";
    private static final String FROM = "from";
    private static final String FIRST = "first";
    private static final String CHANGES = "changes";

    public FeedNews {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("changes = [] must name at least one");
        }
        changes = List.copyOf(changes);
    }

    /** The event-bus address at which the changes of a partition, or of {@link #EVERY} one, are told. */
    public static String place(String partition) {
        return PREFIX + partition;
    }

    /** The partition of all the changes. */
    public String partition() {
        return changes.get(0).address().partition();
    }

    /** The sequence of the first change. */
    public long first() {
        return changes.get(0).sequence();
    }

    /** The sequence of the last change. */
    public long last() {
        return changes.get(changes.size() - 1).sequence();
    }

    /** As it travels. */
    public JsonObject toJson() {
        JsonArray rows = new JsonArray();
        for (NodeChange change : changes) {
            rows.add(new JsonArray()
                    .add(change.kind().name())
                    .add(change.address().toString())
                    .add(change.version()));
        }
        return new JsonObject().put(FROM, from).put(FIRST, first()).put(CHANGES, rows);
    }

    /**
     * Reads what travelled.
     *
     * @throws RuntimeException when it is something else
     */
    public static FeedNews read(JsonObject json) {
        long first = json.getLong(FIRST);
        JsonArray rows = json.getJsonArray(CHANGES);
        List<NodeChange> changes = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            JsonArray row = rows.getJsonArray(i);
            changes.add(new NodeChange(
                    first + i,
                    NodeChange.Kind.valueOf(row.getString(0)),
                    MeshAddress.of(row.getString(1)),
                    row.getLong(2)));
        }
        return new FeedNews(json.getString(FROM), changes);
    }
}
