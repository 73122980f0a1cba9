package io.meshhub.hub.launcher.client;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One import: reads lines, puts their nodes with a bounded number in flight, and counts how each line ended.
 *
 * <p>Lines with the same path are put one after the other, so that the last one wins as in the file. A put of what is
 * there already changes nothing: a second run of the same file, or one after an interruption, completes the first.
 */
final class ImportRun {

    /** Puts one node. */
    @FunctionalInterface
    interface Sender {
        /** The node's answer; fails with a {@link CallFailure}, perhaps wrapped. */
        Future<JsonObject> put(ImportLine.Node node);
    }

    /** Lines in flight at a time: {@value}. */
    static final int DEFAULT_WINDOW = 64;

    private final ImportLines lines;
    private final Sender sender;
    private final Unwrapper unwrap;
    private final ImportRetry retry;
    private final Pacer pacer;
    private final MeshClock clock;
    private final Consumer<ImportLine.Bad> faults;
    private final int windowSize;
    private final Semaphore window;
    private final Map<MeshAddress, Future<?>> busy = new ConcurrentHashMap<>();
    private final AtomicReference<ImportTally> tally = new AtomicReference<>(ImportTally.NONE);
    private final AtomicReference<@Nullable CallFailure> gaveUp = new AtomicReference<>();

    /** Finds the failure of a call, whatever it is wrapped in. */
    @FunctionalInterface
    interface Unwrapper {
        CallFailure of(Throwable thrown);
    }

    ImportRun(
            ImportLines lines,
            Sender sender,
            Unwrapper unwrap,
            ImportRetry retry,
            Pacer pacer,
            MeshClock clock,
            Consumer<ImportLine.Bad> faults,
            int windowSize) {
        this.lines = lines;
        this.sender = sender;
        this.unwrap = unwrap;
        this.retry = retry;
        this.pacer = pacer;
        this.clock = clock;
        this.faults = faults;
        this.windowSize = windowSize;
        this.window = new Semaphore(windowSize);
    }

    /** The counts so far; from any thread. */
    ImportTally tally() {
        return Objects.requireNonNull(tally.get());
    }

    /** Why the run ended before the end of the file: no node could be reached within the bound, or it was stopped. */
    Optional<CallFailure> gaveUp() {
        return Optional.ofNullable(gaveUp.get());
    }

    /** Ends the run before the end of the file; what is in flight is waited for. From any thread. */
    void stop(CallFailure why) {
        gaveUp.compareAndSet(null, why);
    }

    /** Runs to the end of the file, or until no node can be reached; returns when nothing is in flight any more. */
    void run() throws IOException, InterruptedException {
        for (ImportLines.Line line = lines.next(); line != null && gaveUp.get() == null; line = lines.next()) {
            count(ImportTally::read);
            ImportLine parsed = ImportLine.parse(line);
            if (parsed instanceof ImportLine.Bad bad) {
                fail(bad);
            } else if (parsed instanceof ImportLine.Node node) {
                window.acquire();
                begin(node);
            }
        }
        window.acquire(windowSize);
        window.release(windowSize);
    }

    private void begin(ImportLine.Node node) {
        Promise<Void> done = Promise.promise();
        Future<?> earlier = busy.put(node.address(), done.future());
        done.future().onComplete(ended -> {
            busy.remove(node.address(), done.future());
            window.release();
        });
        long start = clock.nanoTime();
        if (earlier == null) {
            attempt(node, 1, start, done);
        } else {
            earlier.onComplete(ended -> attempt(node, 1, clock.nanoTime(), done));
        }
    }

    private void attempt(ImportLine.Node node, int attempts, long start, Promise<Void> done) {
        CallFailure over = gaveUp.get();
        if (over != null) {
            end(node, over, done);
            return;
        }
        put(node)
                .onSuccess(answer -> {
                    count(tallied -> tallied.put(PutCommand.outcome(answer)));
                    done.complete();
                })
                .onFailure(thrown -> {
                    CallFailure failure = unwrap.of(thrown);
                    Duration elapsed = Duration.ofNanos(clock.nanoTime() - start);
                    Optional<Duration> pause = retry.pause(failure, attempts, elapsed);
                    if (pause.isPresent()) {
                        count(ImportTally::retry);
                        pacer.after(pause.get(), () -> attempt(node, attempts + 1, start, done));
                        return;
                    }
                    if (!failure.wasAnswered()) {
                        gaveUp.compareAndSet(null, failure);
                    }
                    end(node, failure, done);
                });
    }

    // A call that cannot even begin must end its line like any other, or the window would never be free again.
    private Future<JsonObject> put(ImportLine.Node node) {
        try {
            return sender.put(node);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private void end(ImportLine.Node node, CallFailure failure, Promise<Void> done) {
        fail(new ImportLine.Bad(node.line(), 0, node.address() + ": " + failure.getMessage()));
        done.complete();
    }

    private void fail(ImportLine.Bad bad) {
        count(ImportTally::fail);
        faults.accept(bad);
    }

    private void count(UnaryOperator<ImportTally> change) {
        tally.updateAndGet(change);
    }
}
