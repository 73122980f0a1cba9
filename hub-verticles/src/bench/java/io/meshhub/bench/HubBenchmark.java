package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message and an activation in one process, beside what plain Vert.x needs for the like: the time of one of 1,000 that
 * are asked for together, and what it allocates.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HubBenchmark {

    private static final int TOGETHER = 1000;
    private static final Buffer BODY = Buffer.buffer(new byte[100]);

    private MeshHub hub;
    private Vertx vertx;
    private Context caller;
    private List<MeshAddress> live;
    private long cold;

    /** Starts a node of one process, whose hubs are the echoes of the cluster benchmarks. */
    @Setup
    public void start() {
        hub = MeshHub.builder().hub("echo", BenchNode.Echo::new).start().await();
        vertx = hub.vertx();
        caller = ((VertxInternal) vertx).createEventLoopContext();
        live = IntStream.range(0, 16).mapToObj(i -> MeshAddress.of("echo/" + i)).toList();
        vertx.eventBus().consumer("raw", message -> message.reply(message.body()));
    }

    @TearDown
    public void stop() {
        hub.stop(Duration.ofSeconds(30)).await();
    }

    private void together(IntFunction<Future<?>> action) {
        Promise<Void> done = Promise.promise();
        caller.runOnContext(turn -> Future.all(
                        IntStream.range(0, TOGETHER).<Future<?>>mapToObj(action).toList())
                .<Void>mapEmpty()
                .onComplete(done));
        done.future().await();
    }

    private Future<?> ask(MeshAddress address) {
        return hub.mesh().call(address, BODY, MeshOptions.DEFAULT).answer();
    }

    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public void requestToALiveHub() {
        together(i -> ask(live.get(i & 15)));
    }

    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public void rawRequest() {
        together(i -> vertx.eventBus().request("raw", BODY));
    }

    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public void wakeAndEndAHub() {
        together(i -> {
            MeshAddress address = MeshAddress.of("echo/cold" + cold++);
            return ask(address).compose(answer -> hub.mesh().recycle(address));
        });
    }

    @Benchmark
    @OperationsPerInvocation(TOGETHER)
    public void deployAndUndeployAVerticle() {
        together(i -> vertx.deployVerticle(new Bare(), new DeploymentOptions()).compose(vertx::undeploy));
    }

    private static final class Bare extends AbstractVerticle {}
}
