package io.meshhub.bench;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshBody;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;

/** A node whose hubs answer with what they were sent, and with raw consumers that do the same. */
final class EchoNode {

    /** Raw consumers, spread over the event loops. */
    static final int RAW = 4;

    private EchoNode() {}

    static final class Echo extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on("message", MeshBody.class, Future::succeededFuture);
        }
    }

    /** Arguments: node name, cluster name, own Hazelcast port, seed. */
    public static void main(String[] args) {
        start(args[0], args[1], Integer.parseInt(args[2]), args[3])
                .onSuccess(hub -> System.out.println("UP"))
                .onFailure(failure -> {
                    System.out.println("FAILED " + failure);
                    Runtime.getRuntime().halt(1);
                });
    }

    static Future<MeshHub> start(String node, String cluster, int port, String seed) {
        ClusterOptions options = ClusterOptions.builder(node)
                .clusterName(cluster)
                .seeds(List.of(seed))
                .hazelcast("127.0.0.1", port, 1)
                .bus("127.0.0.1", 0)
                .build();
        return MeshHub.builder()
                .cluster(options)
                .hub("echo", Echo::new)
                .start()
                .compose(hub -> raw(hub.vertx(), node).map(hub));
    }

    private static Future<Void> raw(Vertx vertx, String node) {
        List<Future<Void>> registered = new ArrayList<>();
        for (int i = 0; i < RAW; i++) {
            String address = "raw." + node + "." + i;
            registered.add(Future.future(promise -> {
                Context context = ((io.vertx.core.internal.VertxInternal) vertx).createEventLoopContext();
                context.runOnContext(turn -> {
                    MessageConsumer<Object> consumer =
                            vertx.eventBus().consumer(address, message -> message.reply(message.body()));
                    consumer.completion().onComplete(promise);
                });
            }));
        }
        return Future.all(registered).mapEmpty();
    }
}
