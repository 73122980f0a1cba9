package io.meshhub.query.remote;

import io.vertx.core.json.JsonObject;

/**
 * A provider tells that it is there.
 *
 * @param name its name on its node
 * @param source whose queries it answers
 * @param node the name of its node
 * @param incarnation of its process; empty where it is none of the mesh
 * @param place the event-bus address at which it is opened
 */
record Announcement(String name, String source, String node, String incarnation, String place) {

    static Announcement read(JsonObject json) {
        return new Announcement(
                json.getString("name", ""),
                json.getString("source", ""),
                json.getString("node", ""),
                json.getString("incarnation", ""),
                json.getString("place", ""));
    }

    JsonObject toJson(String say) {
        return new JsonObject()
                .put("say", say)
                .put("name", name)
                .put("source", source)
                .put("node", node)
                .put("incarnation", incarnation)
                .put("place", place);
    }

    /** Its name in the fan-ins of others, which several nodes may have one of. */
    String fullName() {
        return name + "@" + node;
    }
}
