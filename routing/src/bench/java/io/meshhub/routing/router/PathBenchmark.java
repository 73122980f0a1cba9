package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeCodec;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.WireReader;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What each step of a message's path costs by itself: parsing, look-up, envelope, the decision to ride out. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PathBenchmark {

    private final FakeShards shards = new FakeShards();
    private final MeshAddress address = MeshAddress.of("orders/42");
    private final Envelope envelope = new Envelope(
            address,
            "message",
            MeshBody.of(Buffer.buffer(new byte[100])),
            Verb.REQUEST,
            null,
            25_000,
            0,
            null,
            null,
            null,
            1000);
    private final Buffer wire = Buffer.buffer();
    private final Ride.Terms terms =
            new Ride.Terms(address, "a", 0, Duration.ofSeconds(25).toNanos(), Duration.ofMillis(500), true, false);
    private final Ride.Event refused = new Ride.Event.Failed(Unavailable.notSent(address, "b", "moving"), 1000);
    private int next;

    /** Fills the table. */
    public PathBenchmark() {
        shards.setAll("a-1", 1000);
        EnvelopeCodec.write(wire, envelope);
    }

    @Benchmark
    public MeshAddress parseAddress() {
        next = (next + 1) & 1023;
        return MeshAddress.of("orders/" + next);
    }

    @Benchmark
    public ShardRow lookUpOwner() {
        return shards.row(address.shard());
    }

    @Benchmark
    public Buffer writeEnvelope() {
        Buffer out = Buffer.buffer(256);
        EnvelopeCodec.write(out, envelope);
        return out;
    }

    @Benchmark
    public Envelope readEnvelope() {
        return EnvelopeCodec.read(new WireReader(wire, 0));
    }

    @Benchmark
    public Object decideAfterRefusal() {
        return Ride.FIRST_ASK.on(refused, terms);
    }
}
