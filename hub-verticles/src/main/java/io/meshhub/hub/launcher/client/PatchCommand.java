package io.meshhub.hub.launcher.client;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meshhub patch}: changes a part of the document at an address. */
@Command(
        name = "patch",
        description = "Change a part of the document at an address, by JSON Merge Patch or JSON Patch.",
        footer = {
            "",
            "Examples:",
            "  echo '{\"content\":{\"capital\":\"Bern\"}}' | meshhub patch iso/CH",
            "  meshhub patch iso/CH ops.json --json-patch --if-version 3"
        })
final class PatchCommand extends NodeCommand {

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The patch; - is standard input (default).")
    private String file = "-";

    @Option(names = "--json-patch", description = "The input is a JSON Patch (RFC 6902), not a merge patch (RFC 7396).")
    private boolean jsonPatch;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            defaultValue = "-1",
            description = "Only if the current version is N.")
    private long ifVersion;

    @Override
    int run(MeshHttp node) throws CallFailure {
        byte[] patch = read(file);
        check(patch);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", jsonPatch ? "application/json-patch+json" : "application/merge-patch+json");
        if (ifVersion >= 0) {
            headers.put("If-Match", "\"" + ifVersion + "\"");
        }
        JsonObject answer = node.call("PATCH", path(), headers, patch);
        print(answer, address() + " " + PutCommand.outcome(answer) + ", version " + answer.getValue("version"));
        return ExitCodes.OK;
    }

    private void check(byte[] patch) {
        Object json;
        try {
            json = Json.decodeValue(Buffer.buffer(patch));
        } catch (DecodeException e) {
            throw usage("'" + file + "' is no JSON");
        }
        if (jsonPatch != json instanceof JsonArray) {
            throw usage("'" + file + "' must be "
                    + (jsonPatch
                            ? "an array of operations"
                            : "a merge patch; --json-patch takes an array of operations"));
        }
    }
}
