package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;

/**
 * What an import has done so far.
 *
 * @param lines the lines read, blank ones too
 * @param created nodes that were not there before
 * @param updated nodes that were there and changed
 * @param unchanged nodes that were there and the same
 * @param failed lines that are not in: bad ones and refused ones
 * @param retries how often a line was sent again
 */
record ImportTally(long lines, long created, long updated, long unchanged, long failed, long retries) {

    static final ImportTally NONE = new ImportTally(0, 0, 0, 0, 0, 0);

    ImportTally read() {
        return new ImportTally(lines + 1, created, updated, unchanged, failed, retries);
    }

    ImportTally put(String outcome) {
        return switch (outcome) {
            case "created" -> new ImportTally(lines, created + 1, updated, unchanged, failed, retries);
            case "unchanged" -> new ImportTally(lines, created, updated, unchanged + 1, failed, retries);
            default -> new ImportTally(lines, created, updated + 1, unchanged, failed, retries);
        };
    }

    ImportTally fail() {
        return new ImportTally(lines, created, updated, unchanged, failed + 1, retries);
    }

    ImportTally retry() {
        return new ImportTally(lines, created, updated, unchanged, failed, retries + 1);
    }

    /** The counts as they stand in progress and summary. */
    @Override
    public String toString() {
        return created + " created, " + updated + " updated, " + unchanged + " unchanged, " + failed + " failed";
    }

    JsonObject toJson() {
        return new JsonObject()
                .put("lines", lines)
                .put("created", created)
                .put("updated", updated)
                .put("unchanged", unchanged)
                .put("failed", failed)
                .put("retries", retries);
    }
}
