package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.launcher.client.ClientCommands;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.spi.EntryGate;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The sweep: every route, command and event-bus entry of a node with security enforced, with callers of each kind, gives the
 * table of the page. {@code -Dreference.write=true} writes the table anew.
 */
@Timeout(180)
class EveryEntryAsksWhoComesTest {

    private static final Path PAGE =
            Path.of("").toAbsolutePath().getParent().resolve("docs/architecture/access-control.md");
    private static final String BEGIN = "<!-- the sweep: written by EveryEntryAsksWhoComesTest -->\n";
    private static final String END = "<!-- the end of the sweep -->\n";
    private static final int SILENCE_MS = 300;

    @TempDir
    static Path directory;

    private static EnforcedNode node;
    private static Map<String, @Nullable String> callers;

    private final HttpClient http = HttpClient.newHttpClient();

    @Command(name = "meshhub")
    private static final class Root {}

    /** A request of a route: its path as the router knows it, and what is asked. */
    private record Row(String route, String method, String uri, Map<String, String> headers, String body) {

        static Row of(String route, String method, String uri) {
            return new Row(route, method, uri, Map.of(), "");
        }

        Row with(Map<String, String> newHeaders, String newBody) {
            return new Row(route, method, uri, newHeaders, newBody);
        }
    }

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private static final List<Row> ROUTES = List.of(
            Row.of("/health/started", "GET", "/health/started"),
            Row.of("/health/ready", "GET", "/health/ready"),
            Row.of("/health/live", "GET", "/health/live"),
            Row.of("/metrics", "GET", "/metrics"),
            Row.of("/api/v1/node", "GET", "/api/v1/node"),
            Row.of("/api/v1/members", "GET", "/api/v1/members"),
            Row.of("/api/v1/ping", "GET", "/api/v1/ping?address=echo/1"),
            Row.of("/api/v1/recycle", "POST", "/api/v1/recycle?address=echo/1"),
            Row.of(
                    "/api/v1/access/explain",
                    "GET",
                    "/api/v1/access/explain?principal=ann&permission=read&address=sweep/a"),
            Row.of("/query", "GET", "/query?q=path:sweep%20scope:children"),
            Row.of("/query", "GET", "/query?q=name:x*"),
            Row.of("/query", "GET", "/query?q=path:sweep").with(Map.of("Accept", "text/event-stream"), ""),
            Row.of("/mesh", "GET", "/mesh?children"),
            Row.of("/mesh/*", "GET", "/mesh/sweep/a"),
            Row.of("/mesh/*", "GET", "/mesh/sweep?children"),
            Row.of("/mesh/*", "GET", "/mesh/sweep/a").with(Map.of("Accept", "text/event-stream"), ""),
            Row.of("/mesh/*", "GET", "/mesh/sweep/missing"),
            Row.of("/mesh/*", "PUT", "/mesh/sweep/a")
                    .with(JSON, "{\"nodeType\":\"thing\",\"name\":\"a\",\"content\":{\"n\":1}}"),
            Row.of("/mesh/*", "PATCH", "/mesh/sweep/a").with(JSON, "{\"content\":{\"n\":2}}"),
            Row.of("/mesh/*", "DELETE", "/mesh/sweep/gone"),
            Row.of("/mesh/*", "POST", "/mesh/echo/1").with(Map.of("Mesh-Type", "who"), ""),
            Row.of("no route", "GET", "/nothing"));

    private static final Map<String, List<String>> COMMANDS = commands();

    private static Map<String, List<String>> commands() {
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("import", List.of("import", "FILE"));
        commands.put("get", List.of("get", "sweep/a"));
        commands.put("put", List.of("put", "sweep/a", "NODE", "--type", "thing"));
        commands.put("patch", List.of("patch", "sweep/a", "PATCH"));
        commands.put("delete", List.of("delete", "sweep/gone"));
        commands.put("ls", List.of("ls", "sweep"));
        commands.put("query", List.of("query", "path:sweep", "scope:children"));
        commands.put("watch", List.of("watch", "sweep/a", "--changes", "1"));
        commands.put("ping", List.of("ping", "echo/1"));
        commands.put("recycle", List.of("recycle", "echo/1"));
        commands.put("members", List.of("members"));
        commands.put("access", List.of("access", "explain", "ann", "read", "sweep/a", "--role", "viewer"));
        return commands;
    }

    @BeforeAll
    static void start() throws IOException {
        node = new EnforcedNode(directory);
        callers = new LinkedHashMap<>();
        callers.put("nobody", null);
        callers.put("wrong token", "nobody-has-this");
        callers.put("expired JWT", node.jwt("admin", Instant.now().minusSeconds(60)));
        callers.put("viewer", EnforcedNode.token("viewer"));
        callers.put("editor", EnforcedNode.token("editor"));
        callers.put("operator", node.jwt("operator", Instant.now().plusSeconds(600)));
        callers.put("admin", EnforcedNode.token("admin"));
        Files.writeString(directory.resolve("node.json"), "{\"n\":1}");
        Files.writeString(directory.resolve("patch.json"), "{\"content\":{\"n\":2}}");
        Files.writeString(
                directory.resolve("import.jsonl"),
                "{\"path\":\"sweep/i\",\"nodeType\":\"thing\",\"name\":\"i\",\"content\":{\"n\":1}}\n");
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static void prepare() {
        node.put("sweep/a");
        node.put("sweep/gone");
    }

    private static String line(String entry, Function<@Nullable String, String> ask) {
        List<String> cells = new ArrayList<>();
        callers.forEach((name, token) -> {
            prepare();
            cells.add(ask.apply(token));
        });
        return "| " + entry + " | " + String.join(" | ", cells) + " |\n";
    }

    private String table() {
        StringBuilder table = new StringBuilder();
        table.append("| entry | ").append(String.join(" | ", callers.keySet())).append(" |\n");
        table.append("|---".repeat(callers.size() + 1)).append("|\n");
        for (Row row : ROUTES) {
            String what = row.headers().containsKey("Accept") ? " as events" : "";
            table.append(line("`" + row.method() + " " + row.uri().replace("%20", " ") + "`" + what, token -> {
                String status = status(row, row.method(), token);
                if (row.method().equals("GET") && what.isEmpty()) {
                    assertThat(status(row, "HEAD", token))
                            .as("HEAD %s", row.uri())
                            .isEqualTo(status);
                }
                return status;
            }));
        }
        COMMANDS.forEach((name, arguments) ->
                table.append(line("`meshhub " + shown(arguments) + "`", token -> run(arguments, token))));
        entries().forEach((name, ask) -> table.append(line(name, ask)));
        return table.toString();
    }

    private String status(Row row, String method, @Nullable String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node.url() + row.uri()))
                .method(
                        method,
                        row.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(row.body()));
        row.headers().forEach(request::header);
        // What a client only claims has no effect.
        request.header("mesh-principal", "root admin");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() == 401) {
                    assertThat(response.headers().firstValue("WWW-Authenticate"))
                            .hasValue(token == null ? "Bearer" : "Bearer error=\"invalid_token\"");
                    String told = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(told).doesNotContain(String.valueOf(token));
                }
                return Integer.toString(response.statusCode());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String shown(List<String> arguments) {
        return String.join(" ", arguments);
    }

    private static String run(List<String> arguments, @Nullable String token) {
        List<String> all = new ArrayList<>();
        for (String argument : arguments) {
            all.add(
                    switch (argument) {
                        case "FILE" -> directory.resolve("import.jsonl").toString();
                        case "PATCH" -> directory.resolve("patch.json").toString();
                        case "NODE" -> directory.resolve("node.json").toString();
                        default -> argument;
                    });
        }
        all.addAll(List.of("--url", node.url()));
        if (token != null) {
            all.addAll(List.of("--token", token));
        }
        StringWriter out = new StringWriter();
        int code = commandLine(out).execute(all.toArray(String[]::new));
        assertThat(out.toString()).doesNotContain("the-token-of");
        if (code == 0) {
            return "exit 0";
        }
        // Not just any failure: the one that the gate says.
        boolean forbidden = out.toString().contains("lacks permission");
        boolean unauthorized = out.toString().contains("closed to callers without a principal")
                || out.toString().contains("Nobody has this token")
                || out.toString().contains("The token has expired");
        assertThat(forbidden).as("%s said: %s", arguments, out).isNotEqualTo(unauthorized);
        return "exit " + code + (forbidden ? ", forbidden" : ", unauthorized");
    }

    private static CommandLine commandLine(StringWriter out) {
        CommandLine commandLine = new CommandLine(new Root());
        ClientCommands.addTo(commandLine);
        return commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    }

    private static Map<String, Function<@Nullable String, String>> entries() {
        EventBus bus = node.hub.vertx().eventBus();
        Map<String, Function<@Nullable String, String>> entries = new LinkedHashMap<>();
        entries.put("`mesh.route`, type `get`", token -> code(bus.request("mesh.route", null, routed("get", token))));
        entries.put(
                "`mesh.route`, type `who`", token -> code(bus.request("mesh.route", null, at("echo/1", "who", token))));
        entries.put(
                "`mesh.route`, type `mesh.recycle`",
                token -> code(bus.request("mesh.route", null, at("echo/1", "mesh.recycle", token))));
        entries.put(
                "`mesh.query`",
                token -> code(bus.request(
                        "mesh.query",
                        new JsonObject().put("q", "path:sweep"),
                        authorized(new DeliveryOptions(), token))));
        entries.put(
                "`mesh.recycle` as an address",
                token -> code(bus.request("mesh.recycle", null, at("echo/1", "mesh.recycle", token))));
        String inbound = "__mesh.node." + node.hub.membership().self().incarnation() + ".0";
        entries.put(
                "a node's inbound address, in plain JSON",
                token -> code(bus.request(
                        inbound,
                        new JsonObject().put("mesh-to", "sweep/a").put("mesh-type", "get"),
                        routed("get", token).setSendTimeout(SILENCE_MS))));
        return entries;
    }

    private static DeliveryOptions routed(String type, @Nullable String token) {
        return at("sweep/a", type, token);
    }

    private static DeliveryOptions at(String to, String type, @Nullable String token) {
        DeliveryOptions options = new DeliveryOptions()
                .addHeader(EnvelopeHeaders.TO, to)
                .addHeader(EnvelopeHeaders.TYPE, type)
                .addHeader(EnvelopeHeaders.PRINCIPAL, "root admin");
        return authorized(options, token);
    }

    private static DeliveryOptions authorized(DeliveryOptions options, @Nullable String token) {
        return token == null ? options : options.addHeader(EntryGate.AUTHORIZATION, "Bearer " + token);
    }

    private static String code(Future<?> answer) {
        try {
            answer.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            return "ok";
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ReplyException failure) {
                if (failure.failureType() == ReplyFailure.NO_HANDLERS) {
                    return "no such address";
                }
                return failure.failureType() == ReplyFailure.TIMEOUT
                        ? "no answer"
                        : Integer.toString(failure.failureCode());
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theSweepGivesTheTableOfThePage() throws IOException {
        String table = table();
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertThat(begin).as("the page has a place for the table").isGreaterThan(BEGIN.length());
        if (Boolean.getBoolean("reference.write")) {
            page = page.substring(0, begin) + "\n" + table + "\n" + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(begin, end).strip())
                .as("written anew by -Dreference.write=true")
                .isEqualTo(table.strip());
    }

    @Test
    void everyRouteHasARow() {
        TreeSet<String> served = new TreeSet<>();
        for (Route route : node.edge.routes()) {
            Object methods = route.metadata() == null ? null : route.metadata().get(Routes.METHODS);
            if (methods instanceof List<?> known) {
                known.forEach(method -> served.add(method + " " + path(route)));
            } else if (route.getPath() != null) {
                assertThat(path(route))
                        .as("a route that says not what it takes")
                        .startsWith("/mesh/");
            }
        }
        TreeSet<String> rows = new TreeSet<>();
        for (Row row : ROUTES) {
            rows.add(row.method() + " " + row.route());
            if (row.method().equals("GET")) {
                rows.add("HEAD " + row.route());
            }
        }
        rows.removeIf(row -> row.endsWith("no route"));
        assertThat(served).isEqualTo(rows);
    }

    private static String path(Route route) {
        String path = String.valueOf(route.getPath());
        return path.endsWith("/") ? path + "*" : path;
    }

    @Test
    void everyCommandHasARow() {
        assertThat(COMMANDS.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        commandLine(new StringWriter()).getSubcommands().keySet());
    }
}
