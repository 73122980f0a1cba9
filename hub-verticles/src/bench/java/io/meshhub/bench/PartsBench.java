package io.meshhub.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs all JMH benchmarks of the project, with what each operation allocates. */
public final class PartsBench {

    private PartsBench() {}

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        Options options = new OptionsBuilder()
                .include("io\\.meshhub\\..*Benchmark")
                .addProfiler(GCProfiler.class)
                .jvmArgsAppend("-Djava.util.concurrent.ForkJoinPool.common.parallelism=4")
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> runs = new Runner(options).run();
        JsonArray results = new JsonArray();
        Report.line("%-30s %12s %12s %14s", "one of", "ns", "+- ns", "bytes");
        for (RunResult run : runs) {
            String name = run.getParams().getBenchmark();
            String what = name.substring(name.lastIndexOf('.') + 1);
            Result<?> time = run.getPrimaryResult();
            Result<?> bytes = run.getSecondaryResults().get("gc.alloc.rate.norm");
            double allocated = bytes == null ? Double.NaN : bytes.getScore();
            Report.line("%-30s %12.1f %12.1f %14.1f", what, time.getScore(), time.getScoreError(), allocated);
            results.add(new JsonObject()
                    .put("operation", what)
                    .put("nanos", time.getScore())
                    .put("errorNanos", time.getScoreError())
                    .put("allocatedBytes", allocated)
                    .put("unit", TimeUnit.NANOSECONDS.name()));
        }
        Report.write(results);
    }
}
