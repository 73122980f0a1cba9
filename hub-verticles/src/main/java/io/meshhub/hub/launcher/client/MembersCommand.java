package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code meshhub members}: lists the nodes of the cluster as one of them sees it. */
@Command(
        name = "members",
        description = "List the nodes of the cluster, as the asked one sees it (* marks it).",
        footer = {"", "Example:", "  meshhub members --url http://127.0.0.1:8081"})
final class MembersCommand extends ClientCommand {

    // What each column shows; a column that no node has is left out.
    private static final Map<String, String> OPTIONAL = Map.of("shards", "SHARDS", "version", "VERSION");

    @Override
    int run(MeshHttp node) throws CallFailure {
        JsonObject answer = node.call("GET", "/api/v1/members");
        JsonArray nodes = answer.getJsonArray("nodes", new JsonArray());
        print(answer, table(nodes));
        return ExitCodes.OK;
    }

    private static String table(JsonArray nodes) {
        Stream<String> optional = OPTIONAL.keySet().stream()
                .sorted()
                .filter(name -> objects(nodes).anyMatch(node -> node.containsKey(name)));
        String[] more = optional.toArray(String[]::new);
        TextTable table = new TextTable();
        table.row(Stream.concat(
                        Stream.of("NAME", "STATE", "ROLE", "LOOPS", "INCARNATION"),
                        Stream.of(more).map(OPTIONAL::get))
                .toArray(String[]::new));
        objects(nodes).forEach(node -> {
            String mark = Boolean.TRUE.equals(node.getValue("self")) ? "*" : "";
            Stream<String> first = Stream.of(
                    node.getString("name", "?") + mark,
                    text(node, "state"),
                    text(node, "role"),
                    text(node, "loops"),
                    text(node, "incarnation"));
            table.row(Stream.concat(first, Stream.of(more).map(name -> text(node, name)))
                    .toArray(String[]::new));
        });
        return table.toString();
    }

    private static Stream<JsonObject> objects(JsonArray nodes) {
        return nodes.stream().filter(JsonObject.class::isInstance).map(JsonObject.class::cast);
    }

    private static String text(JsonObject node, String field) {
        Object value = node.getValue(field);
        return value == null ? "-" : value.toString();
    }
}
