package io.meshhub.hub.launcher.client;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meshhub import}: puts the nodes of a file of JSON lines. */
@Command(
        name = "import",
        description = "Put the nodes of a file of JSON lines: {\"path\", \"nodeType\", \"name\", \"content\"}.",
        footer = {
            "",
            "A bad line is named with its number and the reason, and the others go in; the exit code is then 1. Nodes that",
            "are there already and the same stay as they are: run it again after an interruption to complete it.",
            "",
            "The import of a file is an activity at PARTITION/_Activity/import-FINGERPRINT, which 'meshhub watch' follows. A",
            "second import of the same file waits for the end of the first and exits as that one ended.",
            "",
            "Examples:",
            "  meshhub import conf/samples/iso.jsonl",
            "  zcat nodes.jsonl.gz | meshhub import - --in-flight 16"
        })
final class ImportCommand extends ClientCommand {

    /** The most bytes of a line: {@value}. */
    static final int MAX_LINE_BYTES = 16 << 20;

    private static final int MAX_REPORTED = 100;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file; - is standard input.")
    private String file = "-";

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            defaultValue = "" + ImportRun.DEFAULT_WINDOW,
            description = "Nodes in flight at a time (default: ${DEFAULT-VALUE}).")
    private int inFlight;

    @Option(
            names = "--ride-out",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a refused line is tried again (default: ${DEFAULT-VALUE}).")
    private int rideOutSeconds;

    @Override
    int run(MeshHttp node) throws CallFailure {
        if (inFlight < 1 || inFlight > 1024) {
            throw usage("--in-flight = " + inFlight + " must be between 1 and 1024");
        }
        if (rideOutSeconds < 0 || rideOutSeconds > 3600) {
            throw usage("--ride-out = " + rideOutSeconds + " must be between 0 and 3600");
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(action -> {
            Thread thread = new Thread(action, "meshhub-import");
            thread.setDaemon(true);
            return thread;
        });
        try (ImportLines lines = new ImportLines(open(), MAX_LINE_BYTES)) {
            ImportRetry retry = new ImportRetry(Duration.ofSeconds(rideOutSeconds));
            Optional<ImportActivity> activity = ImportFingerprint.of(file, MAX_LINE_BYTES)
                    .map(read -> new ImportActivity(node, read, retry, pacer(timer), MeshClock.system()));
            ImportProgress progress = new ImportProgress(err(), ImportProgress.onTerminal(), size());
            if (activity.isPresent()) {
                ImportActivity.Begun begun;
                try {
                    begun = activity.get().begin(progress::line);
                } catch (CallFailure e) {
                    return run(node, lines, timer, retry, progress, Optional.empty(), Optional.of(e));
                }
                if (begun instanceof ImportActivity.Begun.Others others) {
                    print(
                            others.activity(),
                            "Imported by another one, " + file + ": " + ImportActivity.said(others.activity()));
                    return others.exitCode();
                }
                if (begun instanceof ImportActivity.Begun.Unwatched) {
                    activity = Optional.empty();
                }
            }
            return run(node, lines, timer, retry, progress, activity, Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.FAILED;
        } catch (IOException e) {
            err().println("meshhub: '" + file + "' cannot be read to its end: " + e.getMessage());
            return ExitCodes.FAILED;
        } finally {
            timer.shutdownNow();
        }
    }

    private InputStream open() throws IOException {
        if (file.equals("-")) {
            return System.in;
        }
        if (!Files.isReadable(Path.of(file)) || Files.isDirectory(Path.of(file))) {
            throw usage("'" + file + "' is no file that can be read");
        }
        return Files.newInputStream(Path.of(file));
    }

    private int run(
            MeshHttp node,
            ImportLines lines,
            ScheduledExecutorService timer,
            ImportRetry retry,
            ImportProgress progress,
            Optional<ImportActivity> activity,
            Optional<CallFailure> refused)
            throws InterruptedException, IOException {
        MeshClock clock = MeshClock.system();
        long start = clock.nanoTime();
        List<ImportLine.Bad> reported = Collections.synchronizedList(new ArrayList<>());
        ImportRun run = new ImportRun(
                lines,
                line -> Future.fromCompletionStage(node.start(
                        "PUT", MeshHttp.path(line.address()), JSON, line.body().getBytes())),
                node::failure,
                retry,
                pacer(timer),
                clock,
                bad -> {
                    progress.line(bad.toString());
                    if (reported.size() < MAX_REPORTED) {
                        reported.add(bad);
                    }
                },
                inFlight);
        refused.ifPresent(run::stop);
        Thread interrupted = new Thread(
                () -> progress.line("Interrupted after " + run.tally().lines() + " lines: " + run.tally()
                        + ". Run the same import again to complete it; what is in stays as it is"));
        Runtime.getRuntime().addShutdownHook(interrupted);
        long pace = progress.pace().toMillis();
        ScheduledFuture<?> shown = timer.scheduleWithFixedDelay(
                () -> progress.show(run.tally(), lines.bytesRead()), pace, pace, TimeUnit.MILLISECONDS);
        AtomicReference<ImportActivity.@Nullable Stop> stopped = new AtomicReference<>();
        activity.ifPresent(told -> tellProgress(timer, told, run, stopped));
        try {
            run.run();
            if (activity.isPresent()) {
                tellEnd(activity.get(), run, stopped.get(), progress);
            }
        } finally {
            shown.cancel(false);
            removeHook(interrupted);
        }
        return end(run, progress, reported, Duration.ofNanos(clock.nanoTime() - start));
    }

    private static void tellProgress(
            ScheduledExecutorService timer,
            ImportActivity activity,
            ImportRun run,
            AtomicReference<ImportActivity.@Nullable Stop> stopped) {
        long pace = ImportActivity.PACE.toMillis();
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> activity.progress(run.tally(), stop -> {
                    stopped.compareAndSet(null, stop);
                    run.stop(stop.failure());
                }),
                pace,
                pace,
                TimeUnit.MILLISECONDS);
    }

    // What is in is in: an end that cannot be told is told to people, and the next import of the file takes over.
    private static void tellEnd(
            ImportActivity activity, ImportRun run, ImportActivity.@Nullable Stop stop, ImportProgress progress)
            throws InterruptedException {
        if (stop != null && !stop.cancelled()) {
            return;
        }
        boolean whole = run.gaveUp().isEmpty() && run.tally().failed() == 0;
        try {
            activity.end(stop != null ? "CANCELLED" : whole ? "SUCCEEDED" : "FAILED", run.tally());
        } catch (CallFailure e) {
            progress.line("The end of this import could not be told to " + activity.address() + ": " + e.getMessage());
        }
    }

    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends already, and the hook says how far the import came.
        }
    }

    private static Pacer pacer(ScheduledExecutorService timer) {
        return (delay, action) -> {
            ScheduledFuture<?> scheduled = timer.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        };
    }

    private long size() throws IOException {
        return file.equals("-") ? 0 : Files.size(Path.of(file));
    }

    private int end(ImportRun run, ImportProgress progress, List<ImportLine.Bad> reported, Duration elapsed) {
        ImportTally tally = run.tally();
        run.gaveUp()
                .ifPresent(failure -> progress.line("meshhub: gave up after line " + tally.lines() + ": "
                        + failure.getMessage() + ". Run the same import again to complete it"));
        String seconds = String.format("%.1f", elapsed.toMillis() / 1000.0);
        progress.clear();
        if (!json()) {
            out().println("Imported " + tally.lines() + " lines from " + file + " in " + seconds + " s: " + tally);
        } else {
            JsonArray bad = new JsonArray();
            reported.forEach(line -> bad.add(line.toJson()));
            JsonObject summary =
                    tally.toJson().put("elapsedMs", elapsed.toMillis()).put("bad", bad);
            run.gaveUp().ifPresent(failure -> summary.put("problem", failure.problem()));
            out().println(summary.encode());
        }
        return run.gaveUp().map(CallFailure::exitCode).orElse(tally.failed() > 0 ? ExitCodes.FAILED : ExitCodes.OK);
    }
}
