package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code meshhub recycle}: ends the activation of an address; the next message makes a new one. */
@Command(
        name = "recycle",
        description = "End the activation of an address in good order; the next message makes a new one.",
        footer = {"", "Example:", "  meshhub recycle iso/CH && meshhub ping iso/CH"})
final class RecycleCommand extends NodeCommand {

    @Override
    int run(MeshHttp node) throws CallFailure {
        String query = MeshHttp.query(List.of(Map.entry("address", address().toString())));
        JsonObject answer = node.call("POST", "/api/v1/recycle" + query);
        answer.put("address", address().toString()).put("recycled", true);
        print(answer, address() + " recycled");
        return ExitCodes.OK;
    }
}
