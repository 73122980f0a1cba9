package io.meshhub.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * A closed loop of requests on one context: a fixed number is outstanding, and each answer asks the next. Latency at more
 * than one outstanding is therefore queueing, and is compared only with the other side of the same run.
 */
final class Load {

    /**
     * What one window saw.
     *
     * @param bytesEach allocated in this process for each request, by all threads; not a number where it is not known
     */
    record Window(
            double perSecond, double p50Micros, double p99Micros, double p999Micros, double bytesEach, long failures) {

        /** The median of each figure by itself; failures are summed up. */
        static Window median(List<Window> windows) {
            return new Window(
                    median(windows, Window::perSecond),
                    median(windows, Window::p50Micros),
                    median(windows, Window::p99Micros),
                    median(windows, Window::p999Micros),
                    median(windows, Window::bytesEach),
                    windows.stream().mapToLong(Window::failures).sum());
        }

        private static double median(List<Window> windows, ToDoubleFunction<Window> figure) {
            return Report.median(windows.stream().map(figure::applyAsDouble).toList());
        }

        JsonObject json() {
            return new JsonObject()
                    .put("perSecond", perSecond)
                    .put("p50Micros", p50Micros)
                    .put("p99Micros", p99Micros)
                    .put("p999Micros", p999Micros)
                    .put("bytesEach", Double.isNaN(bytesEach) ? null : bytesEach)
                    .put("failures", failures);
        }
    }

    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    private final Context context;
    private final IntFunction<Future<?>> request;
    private final int outstanding;
    private final Histogram histogram = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private final Promise<Window> promise = Promise.promise();
    private long started;
    private long ends;
    private long allocated;
    private int next;
    private int running;
    private long failures;

    private Load(Context context, IntFunction<Future<?>> request, int outstanding) {
        this.context = context;
        this.request = request;
        this.outstanding = outstanding;
    }

    /** Runs one window. */
    static Future<Window> run(Context context, IntFunction<Future<?>> request, int outstanding, long millis) {
        Load load = new Load(context, request, outstanding);
        context.runOnContext(turn -> load.start(millis));
        return load.promise.future();
    }

    private void start(long millis) {
        allocated = allocated();
        started = System.nanoTime();
        ends = started + TimeUnit.MILLISECONDS.toNanos(millis);
        running = outstanding;
        for (int i = 0; i < outstanding; i++) {
            ask();
        }
    }

    private void ask() {
        long sent = System.nanoTime();
        request.apply(next++).onComplete(done -> {
            long now = System.nanoTime();
            if (done.succeeded()) {
                histogram.recordValue(now - sent);
            } else {
                failures++;
            }
            if (now < ends) {
                // A turn of its own: an answer that is there at once must not deepen the stack.
                context.runOnContext(turn -> ask());
            } else if (--running == 0) {
                finish(now);
            }
        });
    }

    /** Bytes that all threads of this process have allocated so far. */
    private static long allocated() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    private void finish(long now) {
        double bytes = allocated() - allocated;
        promise.complete(new Window(
                histogram.getTotalCount() * 1e9 / (now - started),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getValueAtPercentile(99.9) / 1e3,
                bytes / Math.max(1, histogram.getTotalCount()),
                failures));
    }
}
