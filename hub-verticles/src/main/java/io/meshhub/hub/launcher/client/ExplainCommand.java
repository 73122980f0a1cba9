package io.meshhub.hub.launcher.client;

import io.meshhub.hub.access.Permission;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code meshhub access explain}: whether somebody may do something, and the rule that decides. */
@Command(
        name = "explain",
        description =
                "Say whether a principal has a permission at an address, and by which rule, or who did not answer;"
                        + " for operators of the node. The exit code is 0 for granted, 1 for denied, and 4 where it could not be"
                        + " established.",
        footer = {
            "",
            "Examples:",
            "  meshhub access explain ann update acme/projects/1",
            "  meshhub access explain ann update acme/projects/1 --role editor --json | jq .steps"
        })
final class ExplainCommand extends ClientCommand {

    @Parameters(index = "0", paramLabel = "PRINCIPAL", description = "The name of who would ask.")
    private String principal = "";

    @Parameters(
            index = "1",
            paramLabel = "PERMISSION",
            converter = PermissionConverter.class,
            description = "read, create, update, delete, execute, operate or admin.")
    private @Nullable Permission permission;

    @Parameters(
            index = "2",
            paramLabel = "ADDRESS",
            converter = AddressConverter.class,
            description = "The address, such as iso/CH.")
    private @Nullable MeshAddress address;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "A role that his credentials give him; once for each (default: none).")
    private List<String> roles = List.of();

    @Override
    int run(MeshHttp node) throws CallFailure {
        if (permission == null || address == null) {
            throw usage("PERMISSION and ADDRESS must be given");
        }
        String query = MeshHttp.query(List.of(
                Map.entry("principal", principal),
                Map.entry("permission", permission.word()),
                Map.entry("address", address.toString()),
                Map.entry("roles", String.join(" ", roles))));
        JsonObject answer = node.call("GET", "/api/v1/access/explain" + query);
        print(answer, text(answer));
        return switch (answer.getString("decision", "")) {
            case "granted" -> ExitCodes.OK;
            case "denied" -> ExitCodes.FAILED;
            // Nothing else is a yes.
            default -> ExitCodes.UNAVAILABLE;
        };
    }

    private static String text(JsonObject answer) {
        TextTable head = new TextTable();
        for (String field : List.of("principal", "roles", "permission", "asked", "address", "decision", "reason")) {
            row(head, field, answer.getValue(field));
        }
        row(head, "providers", answer.getValue("providers"));
        JsonArray steps = answer.getJsonArray("steps", new JsonArray());
        if (steps.isEmpty()) {
            return head.toString();
        }
        TextTable table = new TextTable();
        table.row("PLACE", "FINDING", "RULE", "NODE");
        for (int i = 0; i < steps.size(); i++) {
            JsonObject step = steps.getJsonObject(i);
            String origin = step.getString("origin");
            table.row(
                    step.getString("place", "-"),
                    step.getString("finding", "-"),
                    step.getString("rule", "-"),
                    origin == null ? "-" : origin + ", version " + step.getValue("version"));
        }
        return head + System.lineSeparator() + System.lineSeparator() + table;
    }

    private static void row(TextTable table, String field, @Nullable Object value) {
        if (value instanceof JsonArray all) {
            List<String> texts = all.stream().map(String::valueOf).toList();
            table.row(field, texts.isEmpty() ? "none" : String.join(", ", texts));
        } else if (value != null) {
            table.row(field, String.valueOf(value));
        }
    }

    /** Reads the word of a permission. */
    static final class PermissionConverter implements ITypeConverter<Permission> {
        @Override
        public Permission convert(String text) {
            return Permission.of(text)
                    .orElseThrow(() -> new TypeConversionException("must be one of " + Permission.words()));
        }
    }
}
