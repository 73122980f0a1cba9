package io.meshhub.hub;

import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does once while it joins: in a mesh of its own, a hub wakes, answers and ends. Without it the first shards
 * that are given to a node whose process has just begun are away for as long as it takes to load and link that path, a
 * quarter of a second on a small machine.
 */
final class Rehearsal {

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);
    private static final MeshAddress STAGE = MeshAddress.of("rehearsal/1");
    private static final String LINE = "line";
    private static final Duration BOUND = Duration.ofSeconds(5);

    private Rehearsal() {}

    private static final class Actor extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on(LINE, MeshBody.class, Future::succeededFuture);
        }
    }

    /** Never fails: a node that could not rehearse is slower at first, and no worse. */
    static Future<Void> perform() {
        return play().<Void>mapEmpty().recover(cause -> {
            LOG.debug("The rehearsal failed; the first messages will take longer", cause);
            return Future.succeededFuture();
        });
    }

    /** The same, waited for no longer than its message, its start and its end may take together. */
    static Future<Void> within(Pacer pacer, Future<Void> rehearsed) {
        if (rehearsed.isComplete()) {
            return rehearsed;
        }
        Promise<Void> first = Promise.promise();
        Pacer.Cancellable bound = pacer.after(BOUND.multipliedBy(3), () -> {
            if (first.tryComplete()) {
                LOG.debug("The rehearsal is not over yet; the node goes on without it");
            }
        });
        rehearsed.onComplete(done -> {
            bound.cancel();
            first.tryComplete();
        });
        return first.future();
    }

    /** What the hub answered, once all of it has ended. */
    static Future<String> play() {
        return MeshHub.builder()
                .name("rehearsal")
                .vertxOptions(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1))
                .hub("rehearsal", Actor::new)
                .unannounced()
                .start()
                .compose(hub -> {
                    // Of no context of the Vert.x that closes under it.
                    Promise<String> played = Promise.promise();
                    play(hub)
                            .onComplete((answer, cause) ->
                                    hub.stop(BOUND).onComplete(stopped -> played.complete(answer, cause)));
                    return played.future();
                });
    }

    private static Future<String> play(MeshHub hub) {
        Mesh mesh = hub.mesh();
        return mesh.call(STAGE, "a line", MeshOptions.DEFAULT.withType(LINE).withDeadline(BOUND))
                .answer()
                .compose(answer -> mesh.recycle(STAGE)
                        .map(again -> answer.body().as(String.class).orElse("nothing")));
    }
}
