package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import picocli.CommandLine.Command;

/** {@code meshhub get}: prints the document at an address. */
@Command(
        name = "get",
        description = "Print the document at an address.",
        footer = {"", "Examples:", "  meshhub get iso/CH", "  meshhub get iso/CH --json | jq .content"})
final class GetCommand extends NodeCommand {

    @Override
    int run(MeshHttp node) throws CallFailure {
        JsonObject document = node.call("GET", path());
        print(document, document.encodePrettily());
        return ExitCodes.OK;
    }
}
