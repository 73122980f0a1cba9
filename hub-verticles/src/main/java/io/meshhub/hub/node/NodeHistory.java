package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.sync.protocol.JsonMerge;
import io.meshhub.sync.protocol.JsonPatcher;
import io.meshhub.sync.protocol.JsonTrees;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The latest versions of a node that is followed, so that a change to one of them can be made to the one of now. */
final class NodeHistory {

    /** The most versions of one node. */
    static final int MAX_VERSIONS = 8;

    /** The most bytes of all versions of one node, but for the latest, which is kept whatever its size: 1 MiB. */
    static final long MAX_BYTES = 1024 * 1024;

    private final Deque<Past> versions = new ArrayDeque<>(1);
    private long bytes;

    /** A version, and about how many bytes it holds. */
    private record Past(NodeRecord record, long bytes) {}

    /** This one is of the past now. */
    void add(NodeRecord record) {
        Past past = new Past(record, record.name().length() + JsonSize.of(record.content()));
        versions.addLast(past);
        bytes += past.bytes();
        while (versions.size() > MAX_VERSIONS || (bytes > MAX_BYTES && versions.size() > 1)) {
            bytes -= versions.removeFirst().bytes();
        }
    }

    /** How many versions are remembered. */
    int size() {
        return versions.size();
    }

    /**
     * What a change of another version makes of the node as it is now.
     *
     * @throws Conflict when both changed the same, or the other version is no longer known
     * @throws Rejected when the change does not fit the version that it was made to, or leaves no node
     */
    NodeDocument rebase(MeshAddress address, String node, NodeRecord now, Update update) {
        Object current = tree(now);
        if (update.version() == now.version()) {
            return document(address, apply(address, current, update));
        }
        Object base = versions.stream()
                .map(Past::record)
                .filter(record -> record.version() == update.version())
                .findFirst()
                .map(NodeHistory::tree)
                .orElseThrow(() -> Conflict.at(address, node, update.version(), now.version()));
        JsonMerge.Merged merged = JsonMerge.of(base, current, apply(address, base, update))
                .orElseThrow(() -> Conflict.at(address, node, update.version(), now.version()));
        return document(address, merged.tree());
    }

    private static Object tree(NodeRecord record) {
        JsonObject json = new NodeDocument(record.nodeType(), record.name(), record.content()).toJson();
        Object tree = JsonTrees.of(json);
        return tree == null ? json : tree;
    }

    private static Object apply(MeshAddress address, Object tree, Update update) {
        try {
            Object changed = JsonPatcher.apply(tree, update.operations());
            if (changed != null) {
                return changed;
            }
        } catch (IllegalArgumentException e) {
            throw Rejected.message(address, String.valueOf(e.getMessage()));
        }
        throw Rejected.message(address, "the update leaves nothing");
    }

    private static NodeDocument document(MeshAddress address, @Nullable Object tree) {
        if (JsonTrees.toJson(tree) instanceof JsonObject object) {
            return NodeDocument.of(address, object);
        }
        throw Rejected.message(address, "the update leaves no object");
    }
}
