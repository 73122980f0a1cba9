package plainpeer;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;

/**
 * A Vert.x program that knows nothing of the mesh: it joins the cluster as a lite member and asks through {@code
 * mesh.route}. Each argument after the cluster's is {@code ADDRESS TYPE}; it prints one line for each answer.
 */
public final class PlainPeer extends AbstractVerticle {

    private static String[] arguments = {};

    /** Arguments: cluster name, Hazelcast seed (host:port), own Hazelcast port, then pairs of address and type. */
    public static void main(String[] args) {
        arguments = args;
        Config config = new Config();
        config.setClusterName(args[0]);
        config.setLiteMember(true);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(Integer.parseInt(args[2]));
        network.setPortAutoIncrement(true);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true).addMember(args[1]);
        Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
                .withClusterManager(new HazelcastClusterManager(config))
                .buildClustered()
                .compose(vertx -> vertx.deployVerticle(new PlainPeer()))
                .onFailure(failure -> {
                    System.out.println("START FAILED " + failure);
                    Runtime.getRuntime().halt(1);
                })
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Override
    public void start() {
        ask(3);
    }

    private void ask(int index) {
        if (index + 1 >= arguments.length) {
            System.out.println("DONE");
            vertx.close().onComplete(closed -> Runtime.getRuntime().halt(0));
            return;
        }
        DeliveryOptions options = new DeliveryOptions()
                .addHeader("mesh-to", arguments[index])
                .addHeader("mesh-type", arguments[index + 1]);
        vertx.eventBus().request("mesh.route", new JsonObject(), options).onComplete(reply -> {
            if (reply.succeeded()) {
                Object body = reply.result().body();
                System.out.println("REPLY " + (body instanceof JsonObject json ? json.encode() : String.valueOf(body)));
            } else if (reply.cause() instanceof ReplyException failure) {
                System.out.println("FAILURE " + failure.getClass().getName() + " " + failure.failureType() + " "
                        + failure.failureCode() + " " + failure.getMessage());
            } else {
                System.out.println("FAILURE " + reply.cause());
            }
            ask(index + 2);
        });
    }
}
