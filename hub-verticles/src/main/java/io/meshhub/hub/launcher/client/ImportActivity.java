package io.meshhub.hub.launcher.client;

import io.meshhub.hub.activity.Activities;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The activity of one import, as the importer drives it: one import of a file at a time in the whole mesh, whose progress
 * others can follow. Who comes second waits for the end of the first, and takes over when that one falls silent.
 */
final class ImportActivity {

    /** How often progress is told, and the end of another's import is asked for: 1 s. */
    static final Duration PACE = Duration.ofSeconds(1);

    private final MeshHttp node;
    private final ImportFingerprint file;
    private final ImportRetry retry;
    private final Pacer pacer;
    private final MeshClock clock;
    private final String worker;
    private final AtomicBoolean telling = new AtomicBoolean();

    /** How the import of this file goes on. */
    sealed interface Begun {

        /** This importer does it. */
        record Mine() implements Begun {}

        /** This mesh keeps no activities, and so nobody can be in the way. */
        record Unwatched() implements Begun {}

        /** Another one did it; the activity as it ended. */
        record Others(JsonObject activity) implements Begun {

            int exitCode() {
                return activity.getString("actualStatus", "").equals("SUCCEEDED") ? ExitCodes.OK : ExitCodes.FAILED;
            }
        }
    }

    ImportActivity(MeshHttp node, ImportFingerprint file, ImportRetry retry, Pacer pacer, MeshClock clock) {
        this.node = node;
        this.file = file;
        this.retry = retry;
        this.pacer = pacer;
        this.clock = clock;
        this.worker = "import-" + ProcessHandle.current().pid() + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }

    MeshAddress address() {
        return file.activity();
    }

    /** Begins, or waits for the end of who has begun before. */
    Begun begin(Consumer<String> say) throws CallFailure, InterruptedException {
        long joined = 0;
        while (true) {
            JsonObject activity;
            try {
                activity =
                        tell(Activities.BEGIN, body().put("total", file.lines()).put("joined", joined));
            } catch (CallFailure e) {
                if (e.wasAnswered() && e.exitCode() == ExitCodes.NOT_FOUND) {
                    say.accept("This mesh keeps no activities: nobody can follow this import at " + address());
                    return new Begun.Unwatched();
                }
                throw e;
            }
            switch (activity.getString("answer", "")) {
                case "JOINED" -> {
                    if (joined == 0) {
                        say.accept("The import of this file runs already: " + said(activity)
                                + ". Waiting for its end; follow it with 'meshhub watch " + address() + "'");
                    }
                    joined = activity.getLong("run", 1L);
                    pause(PACE);
                }
                case "ENDED" -> {
                    return new Begun.Others(activity);
                }
                case "TAKEN_OVER" -> {
                    say.accept("Whoever imported this file has fallen silent: this import takes over (run "
                            + activity.getValue("run") + ")");
                    return new Begun.Mine();
                }
                case "STARTED" -> {
                    return new Begun.Mine();
                }
                default -> throw CallFailure.unreadable("The answer of " + address() + " is no activity: " + activity);
            }
        }
    }

    /** An activity as people read it. */
    static String said(JsonObject activity) {
        return "run " + activity.getValue("run") + " of " + activity.getValue("worker") + " is "
                + activity.getValue("actualStatus") + ", " + activity.getValue("done") + " of "
                + activity.getValue("total") + " lines, " + activity.getValue("created") + " created, "
                + activity.getValue("updated") + " updated, " + activity.getValue("unchanged") + " unchanged, "
                + activity.getValue("failed") + " failed";
    }

    /**
     * Says how far the import is; one call at a time, and one that fails is made up for by the next.
     *
     * @param stop takes why the import must not go on: it was taken over, or somebody asked for its end
     */
    void progress(ImportTally tally, Consumer<Stop> stop) {
        if (!telling.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<?> unused = start(Activities.PROGRESS, counts(tally)).whenComplete((activity, thrown) -> {
            telling.set(false);
            if (thrown == null) {
                if (activity.getString("requestedStatus", "").equals("CANCEL")) {
                    stop.accept(new Stop(true, CallFailure.ended("Somebody asked for the end of " + address())));
                }
                return;
            }
            CallFailure failure = node.failure(thrown);
            if (failure.problem().getInteger("status", 0) == CONFLICT) {
                stop.accept(new Stop(false, failure));
            }
        });
    }

    private static final int CONFLICT = 409;

    /**
     * Why an import must not go on.
     *
     * @param cancelled whether somebody asked for its end; if not, another importer has taken over
     */
    record Stop(boolean cancelled, CallFailure failure) {}

    /** Says how the import ended. */
    void end(String outcome, ImportTally tally) throws CallFailure, InterruptedException {
        tell(Activities.END, counts(tally).put("outcome", outcome));
    }

    // What is told may be told again, and so every failure that passes is ridden out like that of a line.
    private JsonObject tell(String type, JsonObject body) throws CallFailure, InterruptedException {
        long start = clock.nanoTime();
        for (int attempts = 1; ; attempts++) {
            try {
                return node.call("POST", MeshHttp.path(address()), headers(type), bytes(body));
            } catch (CallFailure e) {
                Optional<Duration> pause = retry.pause(e, attempts, Duration.ofNanos(clock.nanoTime() - start));
                if (pause.isEmpty()) {
                    throw e;
                }
                pause(pause.get());
            }
        }
    }

    private void pause(Duration time) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        pacer.after(time, over::countDown);
        over.await();
    }

    private CompletableFuture<JsonObject> start(String type, JsonObject body) {
        return node.start("POST", MeshHttp.path(address()), headers(type), bytes(body));
    }

    private static Map<String, String> headers(String type) {
        return Map.of("Content-Type", "application/json", "Mesh-Type", type);
    }

    private static byte[] bytes(JsonObject body) {
        return body.toBuffer().getBytes();
    }

    private JsonObject counts(ImportTally tally) {
        return body().put("done", tally.lines())
                .put("created", tally.created())
                .put("updated", tally.updated())
                .put("unchanged", tally.unchanged())
                .put("failed", tally.failed());
    }

    private JsonObject body() {
        return new JsonObject().put("worker", worker);
    }
}
