package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.NodeWrite;
import io.vertx.core.json.JsonObject;

/**
 * The version that a caller expects to change.
 *
 * @param version 0 when no node may exist; {@link NodeWrite#ANY_VERSION} when the caller does not say
 */
record Expected(long version) {

    private static final String FIELD = "ifVersion";

    /**
     * Takes the expectation out of a message.
     *
     * @throws Rejected when it is no whole number of at least 0
     */
    static Expected take(MeshAddress address, JsonObject message) {
        if (!message.containsKey(FIELD)) {
            return new Expected(NodeWrite.ANY_VERSION);
        }
        Object given = message.remove(FIELD);
        boolean whole = given instanceof Long || given instanceof Integer;
        if (!whole || ((Number) given).longValue() < 0) {
            throw Rejected.message(address, "'" + FIELD + "' = " + given + " must be a whole number >= 0");
        }
        return new Expected(((Number) given).longValue());
    }

    /**
     * Compares with the version that stands; 0 when nothing does.
     *
     * @throws Conflict carrying the version that stands
     */
    void check(MeshAddress address, String node, long current) {
        if (version != NodeWrite.ANY_VERSION && version != current) {
            throw Conflict.at(address, node, version, current);
        }
    }
}
