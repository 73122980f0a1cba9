package io.meshhub.hub.asking;

import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryResult;
import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Results of queries as JSON. */
public final class QueryJson {

    private QueryJson() {}

    /** A page: the canonical query, its nodes in order, who had none to give, and how many providers there are. */
    public static JsonObject page(Query query, QueryResult.Complete result) {
        return result(query, result.nodes(), result.silent(), result.counts());
    }

    /** The first frame of a live query, in the form of a page. */
    public static JsonObject initial(Query query, QueryFrame.Initial frame) {
        return result(query, frame.nodes(), frame.silent(), frame.counts());
    }

    private static JsonObject result(Query query, List<QueryNode> nodes, List<String> silent, ProviderCounts counts) {
        return new JsonObject()
                .put("query", query.text())
                .put("nodes", nodes(nodes))
                .put("silent", new JsonArray(silent))
                .put(
                        "providers",
                        new JsonObject()
                                .put("asked", counts.providers())
                                .put("answered", counts.answered())
                                .put("empty", counts.empty())
                                .put("failed", counts.failed())
                                .put("stalled", counts.stalled()));
    }

    /** Nodes, each as its document. */
    public static JsonArray nodes(List<QueryNode> nodes) {
        JsonArray array = new JsonArray();
        nodes.forEach(node -> array.add(node.toJson()));
        return array;
    }
}
