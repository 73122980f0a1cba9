package io.meshhub.routing.router;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The hub loops of a node: distinct event loops, each with one host verticle, on which inbound messages arrive and
 * activations live. The loops that carry bus connections are not among them.
 */
public final class MeshLoops {

    // deployVerticle hands loops out round robin; a few turns more than there are loops meets each of them.
    private static final int TURNS = 4;

    // A frame names a loop in one byte.
    private static final int MAX_LOOPS = 255;

    private final List<Loop> loops;

    private MeshLoops(List<Loop> loops) {
        this.loops = List.copyOf(loops);
    }

    /** One hub loop: the context of its host verticle, and the id under which that is deployed. */
    public record Loop(ContextInternal context, String deploymentId) {}

    private static final class Host extends VerticleBase {

        ContextInternal internal() {
            return (ContextInternal) context;
        }
    }

    /**
     * Deploys one host verticle to each event loop that is not reserved.
     *
     * @param wanted the most hub loops to take; at least 1
     * @param reserved the loops that carry bus connections; when every loop is reserved, reserved ones are taken
     */
    public static Future<MeshLoops> create(Vertx vertx, int wanted, Predicate<EventLoop> reserved) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted = " + wanted + " must be >= 1");
        }
        VertxInternal internal = (VertxInternal) vertx;
        Set<EventLoop> all = new HashSet<>();
        internal.nettyEventLoopGroup().forEach(loop -> all.add((EventLoop) loop));
        boolean onlyReserved = all.stream().allMatch(reserved);
        Promise<MeshLoops> promise = Promise.promise();
        Search search = new Search(
                vertx, Math.min(wanted, MAX_LOOPS), loop -> !onlyReserved && reserved.test(loop), all.size() * TURNS);
        search.next(promise);
        return promise.future();
    }

    private static final class Search {
        private final Vertx vertx;
        private final int wanted;
        private final Predicate<EventLoop> reserved;
        private final List<Loop> found = new ArrayList<>();
        private final Set<EventLoop> taken = new HashSet<>();
        private int turns;

        Search(Vertx vertx, int wanted, Predicate<EventLoop> reserved, int turns) {
            this.vertx = vertx;
            this.wanted = wanted;
            this.reserved = reserved;
            this.turns = turns;
        }

        void next(Promise<MeshLoops> promise) {
            if (turns == 0 && found.isEmpty()) {
                promise.fail(new IllegalStateException("no event loop was left for the hubs"));
                return;
            }
            if (found.size() == wanted || turns == 0) {
                promise.complete(new MeshLoops(found));
                return;
            }
            turns--;
            Host host = new Host();
            vertx.deployVerticle(host).compose(id -> keepOrUndeploy(host, id)).onComplete(done -> {
                if (done.failed()) {
                    promise.fail(done.cause());
                } else {
                    next(promise);
                }
            });
        }

        private Future<Void> keepOrUndeploy(Host host, String id) {
            EventLoop loop = host.internal().nettyEventLoop();
            if (reserved.test(loop) || !taken.add(loop)) {
                return vertx.undeploy(id);
            }
            found.add(new Loop(host.internal(), id));
            return Future.succeededFuture();
        }
    }

    /** How many hub loops there are; at least 1. */
    public int size() {
        return loops.size();
    }

    /** The hub loop of that number, from 0 to {@link #size()} - 1. */
    public Loop get(int index) {
        return loops.get(index);
    }

    /** The number of the hub loop on which the given context runs, or -1 when it runs on none. */
    public int indexOf(Context context) {
        EventLoop loop = ((ContextInternal) context).nettyEventLoop();
        for (int i = 0; i < loops.size(); i++) {
            if (loops.get(i).context().nettyEventLoop() == loop) {
                return i;
            }
        }
        return -1;
    }
}
