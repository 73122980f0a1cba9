package io.meshhub.routing.router;

import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.atomic.AtomicBoolean;

/** One node: a router between fakes. */
final class TestNode {

    final NodeInfo info;
    final FakeMembership membership;
    final FakeShards shards = new FakeShards();
    final RecordingActivator activator = new RecordingActivator();
    final CountingMetrics metrics = new CountingMetrics();
    final AtomicBoolean lease = new AtomicBoolean(true);
    final MeshLoops loops;
    final ContextInternal busContext;
    final Parts parts;
    final MeshRouter mesh;

    TestNode(String name, Vertx vertx, MeshLoops loops, ManualClock clock, ManualPacer pacer, RouterOptions options) {
        this.info = FakeMembership.up(name, loops.size());
        this.membership = new FakeMembership(info);
        this.loops = loops;
        this.busContext = ((VertxInternal) vertx).createEventLoopContext();
        this.parts = new Parts(
                vertx, busContext, loops, membership, shards, nanoTime -> lease.get(), clock, pacer, metrics, options);
        this.mesh = Await.value(MeshRouter.start(parts));
        mesh.activator(activator);
    }

    String incarnation() {
        return info.incarnation();
    }
}
