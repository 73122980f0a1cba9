package io.meshhub.hub.activity;

import io.vertx.core.json.JsonObject;

/**
 * How far an activity is; none is negative.
 *
 * @param done the lines that were read
 * @param created nodes that were not there before
 * @param updated nodes that were there and changed
 * @param unchanged nodes that were there and the same
 * @param failed lines that are not in
 */
record ActivityCounts(long done, long created, long updated, long unchanged, long failed) {

    static final ActivityCounts NONE = new ActivityCounts(0, 0, 0, 0, 0);

    ActivityCounts {
        if (done < 0 || created < 0 || updated < 0 || unchanged < 0 || failed < 0) {
            throw new IllegalArgumentException("a count is negative (done=" + done + ", created=" + created
                    + ", updated=" + updated + ", unchanged=" + unchanged + ", failed=" + failed + ")");
        }
    }

    /** The larger of each: what comes late takes nothing back. */
    ActivityCounts atLeast(ActivityCounts other) {
        return new ActivityCounts(
                Math.max(done, other.done),
                Math.max(created, other.created),
                Math.max(updated, other.updated),
                Math.max(unchanged, other.unchanged),
                Math.max(failed, other.failed));
    }

    static ActivityCounts read(JsonObject json) {
        return new ActivityCounts(
                count(json, "done"),
                count(json, "created"),
                count(json, "updated"),
                count(json, "unchanged"),
                count(json, "failed"));
    }

    private static long count(JsonObject json, String field) {
        Object value = json.getValue(field, 0);
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException("'" + field + "' must be a whole number");
    }

    JsonObject toJson() {
        return new JsonObject()
                .put("done", done)
                .put("created", created)
                .put("updated", updated)
                .put("unchanged", unchanged)
                .put("failed", failed);
    }
}
