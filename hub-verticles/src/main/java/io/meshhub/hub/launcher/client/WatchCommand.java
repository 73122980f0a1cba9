package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meshhub watch}: prints a line for each change of what an address publishes, and for each state of the stream. */
@Command(
        name = "watch",
        description = "Follow an address: one line per change, and per state of the stream.",
        footer = {
            "",
            "It goes on until the address is final or was never there, and connects again when the node is gone.",
            "",
            "Examples:",
            "  meshhub watch iso/CH",
            "  meshhub watch iso/CH --view /content/name --changes 1",
            "  meshhub watch iso/CH --json | jq .data"
        })
final class WatchCommand extends NodeCommand {

    private static final long RECONNECT_AFTER_MS = 1000;

    // A node writes a comment every 15 s where it has nothing else to say.
    private static final Duration SILENCE = Duration.ofSeconds(45);

    @Option(
            names = "--view",
            paramLabel = "POINTER",
            defaultValue = "",
            description = "Follow only a part of it, named by a JSON pointer such as /content/name.")
    private String view = "";

    @Option(
            names = "--changes",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "End after so many values, the first one included; 0 goes on (default: ${DEFAULT-VALUE}).")
    private int changes;

    @Override
    int run(MeshHttp node) throws CallFailure {
        if (changes < 0) {
            throw usage("--changes = " + changes + " must be >= 0");
        }
        WatchPrinter printer = new WatchPrinter(out(), json(), changes);
        String path = path() + MeshHttp.query(view.isEmpty() ? List.of() : List.of(Map.entry("view", view)));
        boolean connected = false;
        while (!printer.isOver()) {
            Map<String, String> headers = new HashMap<>();
            headers.put("Accept", "text/event-stream, application/problem+json");
            printer.lastEventId().ifPresent(id -> headers.put("Last-Event-ID", id));
            String why;
            try {
                node.lines(path, headers, SILENCE, printer::line);
                why = "the node ended the stream";
            } catch (CallFailure failure) {
                // What cannot be had at first is a mistake, and a later refusal is an answer; a node may be gone for a
                // while.
                boolean refused = failure.wasAnswered() && failure.exitCode() != ExitCodes.UNAVAILABLE;
                if (!connected || refused) {
                    throw failure;
                }
                why = failure.getMessage();
            }
            connected = true;
            if (!printer.isOver()) {
                printer.reconnecting(new JsonObject().put("why", why).put("inMs", RECONNECT_AFTER_MS));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RECONNECT_AFTER_MS));
            }
        }
        return printer.exitCode();
    }
}
