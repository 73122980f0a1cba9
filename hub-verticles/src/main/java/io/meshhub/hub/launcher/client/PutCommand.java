package io.meshhub.hub.launcher.client;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meshhub put}: writes the document at an address. */
@Command(
        name = "put",
        description = "Write the document at an address: {\"nodeType\", \"name\", \"content\"}.",
        footer = {
            "",
            "Examples:",
            "  meshhub put iso/XX country.json",
            "  echo '{\"capital\":\"Bern\"}' | meshhub put iso/XX --type country --name Examplia",
            "  meshhub get iso/CH | meshhub put iso/CH --if-version 3",
            "",
            "With --type the input is the content alone. A path and a version in the input, as get prints them, are",
            "not sent; the path must be the address."
        })
final class PutCommand extends NodeCommand {

    static final class Expectation {
        @Option(names = "--if-version", paramLabel = "N", description = "Only if the current version is N.")
        private long ifVersion;

        @Option(names = "--if-absent", description = "Only if nothing is there.")
        private boolean ifAbsent;

        Map<String, String> headers() {
            return ifAbsent ? Map.of("If-None-Match", "*") : Map.of("If-Match", "\"" + ifVersion + "\"");
        }
    }

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The document; - is standard input (default).")
    private String file = "-";

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "",
            description = "The node type; the input is the content alone.")
    private String nodeType = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The name for people; with --type (default: the last segment).")
    private String name = "";

    @ArgGroup
    private Expectation[] expectation = {};

    @Override
    int run(MeshHttp node) throws CallFailure {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        for (Expectation expected : expectation) {
            headers.putAll(expected.headers());
        }
        byte[] body = document(parse(read(file))).toBuffer().getBytes();
        JsonObject answer = node.call("PUT", path(), headers, body);
        print(answer, address() + " " + outcome(answer) + ", version " + answer.getValue("version"));
        return ExitCodes.OK;
    }

    private JsonObject parse(byte[] bytes) {
        try {
            return new JsonObject(Buffer.buffer(bytes));
        } catch (DecodeException | ClassCastException e) {
            throw usage("'" + file + "' is no JSON object");
        }
    }

    private JsonObject document(JsonObject input) {
        if (!nodeType.isEmpty()) {
            return new JsonObject()
                    .put("nodeType", nodeType)
                    .put("name", name.isEmpty() ? address().name() : name)
                    .put("content", input);
        }
        if (!name.isEmpty()) {
            throw usage("--name needs --type; without it the input names the node");
        }
        Object path = input.getValue("path");
        if (path != null && !path.equals(address().toString())) {
            throw usage("the input is of '" + path + "' and not of '" + address() + "'");
        }
        input.remove("path");
        input.remove("version");
        return input;
    }

    static String outcome(JsonObject answer) {
        if (Boolean.TRUE.equals(answer.getValue("created"))) {
            return "created";
        }
        return Boolean.FALSE.equals(answer.getValue("changed")) ? "unchanged" : "updated";
    }
}
