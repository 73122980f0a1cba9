package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.sync.SyncStream;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Streams, and raw consumers beside them, that a benchmark has a node open by a message to {@link #place}. Those that are
 * counted tell the benchmark of each number that all of them have seen.
 */
final class BenchStreams {

    private final MeshHub hub;
    private final String node;
    private final List<SyncStream<JsonObject>> streams = new ArrayList<>();

    private BenchStreams(MeshHub hub, String node) {
        this.hub = hub;
        this.node = node;
    }

    /** The event-bus address at which a node takes orders. */
    static String place(String node) {
        return "bench.streams." + node;
    }

    static Future<Void> serve(MeshHub hub, String node) {
        BenchStreams streams = new BenchStreams(hub, node);
        return hub.vertx()
                .eventBus()
                .<JsonObject>consumer(place(node), streams::ordered)
                .completion();
    }

    /** An order for streams of addresses: the answer comes when each has its first value. */
    static JsonObject follow(List<MeshAddress> addresses) {
        return new JsonObject()
                .put(
                        "follow",
                        new JsonArray(
                                addresses.stream().map(MeshAddress::toString).toList()));
    }

    /** An order for so many streams of one address, or raw consumers of one event-bus address, that tell what they saw. */
    static JsonObject count(String what, String address, int count, String tell) {
        return new JsonObject()
                .put("count", what)
                .put("address", address)
                .put("streams", count)
                .put("tell", tell);
    }

    private void ordered(Message<JsonObject> order) {
        JsonObject body = order.body();
        Future<?> done =
                switch (body.getString("count", "follow")) {
                    case "follow" -> follow(body.getJsonArray("follow"));
                    case "sync" -> countStreams(body);
                    default -> countConsumers(body);
                };
        done.onSuccess(opened -> order.reply("opened")).onFailure(e -> order.fail(1, e.toString()));
    }

    private Future<?> follow(JsonArray addresses) {
        List<Future<?>> first = new ArrayList<>();
        addresses.forEach(address -> first.add(open(String.valueOf(address)).first()));
        return Future.all(first);
    }

    private SyncStream<JsonObject> open(String address) {
        SyncStream<JsonObject> stream =
                hub.sync().watch(MeshAddress.of(address)).onChange(change -> {});
        streams.add(stream);
        return stream;
    }

    private Future<?> countStreams(JsonObject order) {
        Count count = new Count(order);
        List<Future<?>> first = new ArrayList<>();
        for (int i = 0; i < count.of; i++) {
            SyncStream<JsonObject> stream = open(order.getString("address"));
            stream.onChange(change -> count.saw(change.value().orElseThrow()));
            first.add(stream.first());
        }
        return Future.all(first);
    }

    private Future<?> countConsumers(JsonObject order) {
        Count count = new Count(order);
        List<Future<?>> registered = new ArrayList<>();
        for (int i = 0; i < count.of; i++) {
            registered.add(hub.vertx()
                    .eventBus()
                    .<JsonObject>consumer(order.getString("address"), message -> count.saw(message.body()))
                    .completion());
        }
        return Future.all(registered);
    }

    /** Counts on one context: all that one order opened are called there. */
    private final class Count {
        private final int of;
        private final String tell;
        private final Map<Long, Integer> seen = new HashMap<>();

        Count(JsonObject order) {
            of = order.getInteger("streams");
            tell = order.getString("tell");
        }

        void saw(JsonObject value) {
            long number = value.getLong("n");
            if (seen.merge(number, 1, Integer::sum) == of) {
                seen.remove(number);
                hub.vertx()
                        .eventBus()
                        .send(tell, new JsonObject().put("node", node).put("n", number));
            }
        }
    }
}
