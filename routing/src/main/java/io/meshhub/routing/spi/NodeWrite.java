package io.meshhub.routing.spi;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * One change of a node, under the fence of its shard.
 *
 * @param address the node
 * @param nodeType what it is; ignored by a deletion
 * @param name for people; ignored by a deletion
 * @param content the whole new document; null deletes the node and leaves a tombstone
 * @param expectedVersion the version that must stand; 0: none may exist; {@link #ANY_VERSION}: whatever stands
 * @param activation the activation that writes
 * @param fence its right to write
 */
public record NodeWrite(
        MeshAddress address,
        String nodeType,
        String name,
        @Nullable JsonObject content,
        long expectedVersion,
        ActivationId activation,
        ShardFence fence) {

    /** Whatever version stands, or none. */
    public static final long ANY_VERSION = -1;

    /** Whether the write deletes the node. */
    public boolean isDelete() {
        return content == null;
    }
}
