package io.meshhub.hub.launcher.client;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meshhub ls}: lists the nodes below an address, page by page. */
@Command(
        name = "ls",
        description = "List the nodes below an address; without one, the partitions. With --json one node a line.",
        footer = {
            "",
            "Examples:",
            "  meshhub ls iso",
            "  meshhub ls iso/CH --scope descendants",
            "  meshhub ls iso --json | jq -r .name"
        })
final class LsCommand extends ClientCommand {

    private static final int PAGE = 1000;

    /** How far below the address. */
    enum Scope {
        /** Its direct children. */
        CHILDREN,
        /** All below it. */
        DESCENDANTS;

        /** The name as it is typed and sent. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ADDRESS",
            converter = AddressConverter.class,
            description = "The address, such as iso.")
    private @Nullable MeshAddress address;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            defaultValue = "children",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Scope scope = Scope.CHILDREN;

    @Override
    int run(MeshHttp node) throws CallFailure {
        String path = address == null ? "/mesh" : MeshHttp.path(address);
        @Nullable String after = null;
        long shown = 0;
        do {
            JsonObject page = node.call("GET", path + MeshHttp.query(parameters(after)));
            JsonArray nodes = page.getJsonArray("nodes", new JsonArray());
            print(nodes);
            shown += nodes.size();
            String next = page.getString("next");
            if (next != null && next.equals(after)) {
                throw CallFailure.unreadable("The listing does not advance past '" + after + "'");
            }
            after = next;
        } while (after != null);
        if (shown == 0 && !json()) {
            err().println("Nothing lies below " + (address == null ? "the root" : address.toString()));
        }
        return ExitCodes.OK;
    }

    private List<Map.Entry<String, String>> parameters(@Nullable String after) {
        List<Map.Entry<String, String>> parameters = new ArrayList<>();
        parameters.add(Map.entry("scope", scope.toString()));
        parameters.add(Map.entry("limit", Integer.toString(PAGE)));
        if (after != null) {
            parameters.add(Map.entry("after", after));
        }
        return parameters;
    }

    private void print(JsonArray nodes) {
        TextTable table = new TextTable();
        for (Object entry : nodes) {
            if (!(entry instanceof JsonObject node)) {
                continue;
            }
            if (json()) {
                out().println(node.encode());
            } else {
                table.row(
                        node.getString("path", ""),
                        node.getString("nodeType", ""),
                        node.containsKey("version") ? "v" + node.getValue("version") : "",
                        node.getString("name", ""));
            }
        }
        if (!json() && !nodes.isEmpty()) {
            out().println(table);
        }
    }
}
