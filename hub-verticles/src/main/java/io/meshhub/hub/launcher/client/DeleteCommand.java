package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meshhub delete}: deletes the node at an address. */
@Command(
        name = "delete",
        description = "Delete the node at an address. A tombstone keeps its version.",
        footer = {"", "Examples:", "  meshhub delete iso/XX", "  meshhub delete iso/XX --if-version 3"})
final class DeleteCommand extends NodeCommand {

    @Option(
            names = "--if-version",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Only if the current version is N.")
    private long ifVersion;

    @Override
    int run(MeshHttp node) throws CallFailure {
        Map<String, String> headers = ifVersion < 0 ? Map.of() : Map.of("If-Match", "\"" + ifVersion + "\"");
        JsonObject answer = node.call("DELETE", path(), headers, new byte[0]);
        answer.put("path", address().toString()).put("deleted", true);
        print(answer, address() + " deleted");
        return ExitCodes.OK;
    }
}
