package io.meshhub.query.remote;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The words of the protocol; any verticle can speak it. */
final class Wire {

    /** Where providers are announced, to all. */
    static final String ANNOUNCEMENTS = "mesh.query.providers";

    /** The most rows of a first result in one message. */
    static final int ROWS = 256;

    /** About the most characters of the rows in one message, unless one row alone has more. */
    static final long WEIGHT = 256 * 1024;

    private Wire() {}

    /** Where the rows end that go into one message with that row. */
    static int rows(List<QueryNode> all, int from) {
        int until = from;
        long weight = 0;
        while (until < all.size() && until - from < ROWS && (until == from || weight < WEIGHT)) {
            weight += all.get(until).weight();
            until++;
        }
        return until;
    }

    static JsonObject node(QueryNode node) {
        return node.toJson();
    }

    static QueryNode node(JsonObject json) {
        return new QueryNode(
                MeshAddress.of(json.getString("path")),
                json.getString("nodeType", ""),
                json.getString("name", ""),
                json.getJsonObject("content", new JsonObject()),
                json.getLong("version", 0L));
    }

    static JsonArray nodes(List<QueryNode> nodes) {
        JsonArray array = new JsonArray();
        nodes.forEach(node -> array.add(node(node)));
        return array;
    }

    static List<QueryNode> nodes(JsonArray array) {
        List<QueryNode> nodes = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            nodes.add(node(array.getJsonObject(i)));
        }
        return nodes;
    }
}
