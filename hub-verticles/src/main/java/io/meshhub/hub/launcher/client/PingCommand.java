package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code meshhub ping}: asks the activation of an address how it is; wakes it if it sleeps. */
@Command(
        name = "ping",
        description = "Ask the activation of an address how it is; it wakes if it sleeps.",
        footer = {"", "Example:", "  meshhub ping iso/CH"})
final class PingCommand extends NodeCommand {

    @Override
    int run(MeshHttp node) throws CallFailure {
        String query = MeshHttp.query(List.of(Map.entry("address", address().toString())));
        JsonObject answer = node.call("GET", "/api/v1/ping" + query);
        print(answer, text(answer));
        return ExitCodes.OK;
    }

    private String text(JsonObject answer) {
        TextTable table = new TextTable();
        table.row("address", address().toString());
        answer.forEach(field -> table.row(field.getKey(), String.valueOf(field.getValue())));
        return table.toString();
    }
}
