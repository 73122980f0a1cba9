package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.it.ToParent;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** The process of a node, with hubs at {@code slow} that end when they are told to, or never. */
public final class SlowNode {

    private SlowNode() {}

    /** The arguments of the command line, after a file whose existence lets a held message go. */
    public static void main(String[] args) {
        Path go = Path.of(args[0]);
        String[] rest = java.util.Arrays.copyOfRange(args, 1, args.length);
        int code = Main.commandLine(
                        settings -> new HostedNode(settings, MeshHub.builder().hub("slow", () -> new Slow(go))),
                        SettingsSources.ofProcess(),
                        Signals::to,
                        Runtime.getRuntime()::halt)
                .execute(rest);
        // As the process of the jar does, whose own exit is out of reach here.
        Runtime.getRuntime().halt(code);
    }

    private static final class Slow extends HubVerticle {

        private final Path go;

        Slow(Path go) {
            this.go = go;
        }

        @Override
        protected void configure(HubSetup setup) {
            setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
            setup.on("hold", MeshBody.class, body -> {
                Promise<String> held = Promise.promise();
                vertx.setPeriodic(20, id -> {
                    if (Files.exists(go)) {
                        vertx.cancelTimer(id);
                        held.complete("let go");
                    }
                });
                ToParent.say("HELD");
                return held.future();
            });
            setup.on("block", MeshBody.class, body -> {
                ToParent.say("BLOCKED");
                while (!Files.exists(go)) {
                    LockSupport.parkNanos(10_000_000);
                }
                return Future.succeededFuture("let go");
            });
        }
    }
}
