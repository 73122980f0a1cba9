package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code meshhub recycle}: ends the activation of an address; the next message makes a new one. */
@Command(
        name = "recycle",
        description = "End the activation of an address in good order; the next message makes a new one.",
        footer = {
            "",
            "Examples:",
            "  meshhub recycle iso/CH && meshhub ping iso/CH",
            "  meshhub recycle iso/CH --park",
            "  meshhub recycle iso/CH --release"
        })
final class RecycleCommand extends NodeCommand {

    /** What is done beside a plain recycle; one of both at most. */
    private static final class Holding {
        @Option(
                names = "--park",
                description = "Hold the address at DEAD: it refuses until it is released. For tests and demos; the"
                        + " address's node must allow it (hub.allow-park).")
        private boolean park;

        @Option(names = "--release", description = "Let a parked address go.")
        private boolean release;
    }

    @ArgGroup
    private @Nullable Holding holding;

    @Override
    int run(MeshHttp node) throws CallFailure {
        Holding held = holding;
        boolean park = held != null && held.park;
        boolean release = held != null && held.release;
        String done = park ? "parked" : release ? "released" : "recycled";
        List<Map.Entry<String, String>> query = new ArrayList<>();
        query.add(Map.entry("address", address().toString()));
        if (park || release) {
            query.add(Map.entry(park ? "park" : "release", "true"));
        }
        JsonObject answer = node.call("POST", "/api/v1/recycle" + MeshHttp.query(query));
        answer.put("address", address().toString()).put(done, true);
        print(answer, address() + " " + done);
        return ExitCodes.OK;
    }
}
