package io.meshhub.routing.router;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Two nodes in one process, whose frames travel as bytes. All shards belong to {@link #owner} under {@link #EPOCH}, so a
 * message of {@link #caller} goes to another node and one of the owner stays.
 */
final class TwoNodes implements AutoCloseable {

    static final long EPOCH = 10;
    static final int LOOPS = 2;

    // An ask and its answer take up to four.
    private static final int ROUNDS = 12;

    static final MeshAddress ADDRESS = MeshAddress.of("orders/42");

    final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(3 * LOOPS));
    final ManualClock clock = new ManualClock();
    final ManualPacer pacer = new ManualPacer(clock);
    final WireCodec wire = new WireCodec();
    final TestNode caller;
    final TestNode owner;

    TwoNodes() {
        this(RouterOptions.of(BudgetLadder.ofDefaults()));
    }

    TwoNodes(RouterOptions options) {
        vertx.eventBus().registerDefaultCodec(Frame.class, wire);
        Set<EventLoop> taken = new HashSet<>();
        this.caller = node("a", taken, options);
        this.owner = node("b", taken, options);
        caller.membership.join(owner.info);
        owner.membership.join(caller.info);
        caller.shards.setAll(owner.incarnation(), EPOCH);
        owner.shards.setAll(owner.incarnation(), EPOCH);
    }

    private TestNode node(String name, Set<EventLoop> taken, RouterOptions options) {
        MeshLoops loops = Await.value(MeshLoops.create(vertx, LOOPS, taken::contains));
        for (int i = 0; i < loops.size(); i++) {
            taken.add(loops.get(i).context().nettyEventLoop());
        }
        return new TestNode(name, vertx, loops, clock, pacer, options);
    }

    static int shard() {
        return ADDRESS.shard();
    }

    ShardRow row(NodeInfo node, long epoch, ShardRow.Via via) {
        return FakeShards.owned(shard(), node.incarnation(), epoch, via);
    }

    /** Both nodes see the row of the address. */
    void both(ShardRow row) {
        caller.shards.set(row);
        owner.shards.set(row);
    }

    void advance(Duration by) {
        pacer.advance(by);
    }

    /** Moves the time in small steps, so that answers come in between, until the deadline of a call is over. */
    void advanceInSteps(Duration step, int steps) {
        for (int i = 0; i < steps; i++) {
            settle();
            pacer.advance(step);
        }
        settle();
    }

    /** Waits until all that has been sent so far has been answered, also what is asked again at once: rounds through every loop. */
    void settle() {
        for (int round = 0; round < ROUNDS; round++) {
            turn(caller);
            turn(owner);
        }
    }

    private static void turn(TestNode node) {
        turn(node.busContext);
        for (int i = 0; i < node.loops.size(); i++) {
            turn(node.loops.get(i).context());
        }
    }

    private static void turn(io.vertx.core.Context context) {
        io.vertx.core.Promise<Void> done = io.vertx.core.Promise.promise();
        context.runOnContext(turn -> done.complete());
        Await.value(done.future());
    }

    /** Nothing waits any more on either node: no message in flight, no rest, no timer. */
    boolean isIdle() {
        return caller.mesh.inFlight() == 0
                && owner.mesh.inFlight() == 0
                && caller.mesh.resting() == 0
                && owner.mesh.resting() == 0
                && pacer.pending() == 0;
    }

    @Override
    public void close() {
        Await.value(vertx.close());
    }
}
