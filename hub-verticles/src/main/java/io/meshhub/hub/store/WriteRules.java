package io.meshhub.hub.store;

import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.StaleFenceException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a write, given the row and the fence that stand: the same in every store, and pure.
 *
 * <p>The fence is asked first, then whether there is anything to delete, then the expected version, then whether
 * anything changes. A refused write leaves everything as it is, the fence included; one that is taken, even if it
 * changes nothing, raises a lower fence to its own.
 */
final class WriteRules {

    private static final String NO_CONTENT = "{}";

    private WriteRules() {}

    /** What becomes of a write. */
    sealed interface Decision {

        /** The word for it in metrics. */
        String word();
    }

    /** A new version is to be stored. */
    record Written(NodeRow row, NodeRecord record, NodeChange.Kind kind) implements Decision {
        @Override
        public String word() {
            return "written";
        }
    }

    /** The row that stands says the same. */
    record Unchanged(NodeRecord record) implements Decision {
        @Override
        public String word() {
            return "unchanged";
        }
    }

    /** Nothing is to be stored. */
    record Refused(RuntimeException reason, String word) implements Decision {}

    /** Decides. */
    static Decision decide(EncodedWrite encoded, @Nullable NodeRow stored, @Nullable StoredFence held, Instant now) {
        NodeWrite write = encoded.write();
        if (held != null && !StoredFence.passes(write.fence(), held)) {
            return new Refused(new StaleFenceException(write.fence(), held.epoch()), "stale");
        }
        String content = encoded.content();
        NodeRow live = stored == null || stored.deleted() ? null : stored;
        Instant changedAt = now.truncatedTo(ChronoUnit.MILLIS);
        if (content != null) {
            return store(write, content, stored, live, changedAt);
        }
        return live == null
                ? new Refused(NotFound.noNode(write.address(), null), "not-found")
                : delete(write, live, changedAt);
    }

    private static Decision delete(NodeWrite write, NodeRow live, Instant changedAt) {
        if (isUnexpected(write, live.version())) {
            return conflict(write, live.version());
        }
        NodeRow tombstone = new NodeRow(
                write.address(), live.nodeType(), live.name(), NO_CONTENT, live.version() + 1, true, changedAt);
        return new Written(tombstone, tombstone.toRecord(), NodeChange.Kind.DELETED);
    }

    private static Decision store(
            NodeWrite write, String content, @Nullable NodeRow stored, @Nullable NodeRow live, Instant changedAt) {
        long current = live == null ? 0 : live.version();
        if (isUnexpected(write, current)) {
            return conflict(write, current);
        }
        // Read back before it is stored: what no reader could read must not get in.
        JsonObject decoded;
        try {
            decoded = new JsonObject(content);
        } catch (DecodeException e) {
            return new Refused(
                    Rejected.message(write.address(), "its content cannot be read back: " + e.getMessage()),
                    "rejected");
        }
        if (live != null && saysTheSame(live, write, content, decoded)) {
            return new Unchanged(live.toRecord());
        }
        long version = stored == null ? 1 : stored.version() + 1;
        NodeRow row = new NodeRow(write.address(), write.nodeType(), write.name(), content, version, false, changedAt);
        return new Written(
                row, row.toRecord(decoded), live == null ? NodeChange.Kind.CREATED : NodeChange.Kind.UPDATED);
    }

    private static boolean isUnexpected(NodeWrite write, long current) {
        return write.expectedVersion() != NodeWrite.ANY_VERSION && write.expectedVersion() != current;
    }

    private static Decision conflict(NodeWrite write, long current) {
        return new Refused(Conflict.at(write.address(), null, write.expectedVersion(), current), "conflict");
    }

    private static boolean saysTheSame(NodeRow live, NodeWrite write, String content, JsonObject decoded) {
        return live.nodeType().equals(write.nodeType())
                && live.name().equals(write.name())
                && (live.content().equals(content) || JsonValues.equal(new JsonObject(live.content()), decoded));
    }
}
