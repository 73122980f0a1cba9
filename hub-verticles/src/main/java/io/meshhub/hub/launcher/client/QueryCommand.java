package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meshhub query}: prints the nodes that a query finds, once or as they change. */
@Command(
        name = "query",
        description =
                "Find nodes: by path and scope, nodeType, name, content.* and words. With --json one node a line, with"
                        + " --watch one change.",
        footer = {
            "",
            "A provider that does not answer ends it with its name and exit code 5; a part of a result is never shown.",
            "",
            "Examples:",
            "  meshhub query 'nodeType:subdivision path:iso/CH scope:children sort:name'",
            "  meshhub query 'nodeType:country name:Sw* sort:name limit:5' --json | jq -r .path",
            "  meshhub query 'path:iso scope:children' --watch",
            "  meshhub query 'from:activations runLevel:STARTED'"
        })
final class QueryCommand extends ClientCommand {

    // A node writes a comment every 15 s where it has nothing else to say.
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private static final int BAD_REQUEST = 400;

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "QUERY",
            description = "The query; several words are joined by blanks. An empty one finds all nodes.")
    private List<String> words = List.of();

    @Option(names = "--watch", description = "Go on, and print a line for each change, until the query ends.")
    private boolean watch;

    @Override
    int run(MeshHttp node) throws CallFailure {
        String query = String.join(" ", words);
        String path = "/query" + MeshHttp.query(List.of(Map.entry("q", query)));
        try {
            return watch ? follow(node, path) : page(node.call("GET", path));
        } catch (CallFailure failure) {
            Integer position = failure.problem().getInteger("position");
            if (failure.problem().getInteger("status", 0) != BAD_REQUEST || position == null) {
                throw failure;
            }
            report(failure);
            err().println("  " + query.replaceAll("\\p{Cntrl}", " "));
            err().println("  " + " ".repeat(position) + "^");
            return ExitCodes.USAGE;
        }
    }

    private int page(JsonObject page) {
        JsonArray nodes = page.getJsonArray("nodes", new JsonArray());
        TextTable table = new TextTable();
        for (Object entry : nodes) {
            if (entry instanceof JsonObject found && json()) {
                out().println(found.encode());
            } else if (entry instanceof JsonObject found) {
                table.row(found.getString("path", ""), found.getString("nodeType", ""), found.getString("name", ""));
            }
        }
        if (!json() && !nodes.isEmpty()) {
            out().println(table);
        }
        if (!json() && nodes.isEmpty()) {
            err().println("Nothing is found");
        }
        return ExitCodes.OK;
    }

    private int follow(MeshHttp node, String path) throws CallFailure {
        QueryPrinter printer = new QueryPrinter(out(), json());
        node.lines(path, Map.of("Accept", "text/event-stream, application/problem+json"), SILENCE, printer::line);
        JsonObject end = printer.end();
        if (end == null) {
            throw CallFailure.unanswered(
                    "The node ended the stream without a word; what has changed since is not known",
                    ExitCodes.UNAVAILABLE);
        }
        err().println("meshhub: " + end.getString("detail", end.getString("title", "the query ended")));
        return ExitCodes.ofStatus(end.getInteger("status", 0));
    }
}
