package io.meshhub.cluster;

import io.meshhub.cluster.lease.Beat;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks over the event bus, and answers there: one clustered address per incarnation, on the loop that carries the bus's
 * connections, where no hub can block it. What is asked is answered on the control thread.
 */
final class BusBeats implements PeerBeats {

    private static final Logger LOG = LoggerFactory.getLogger(BusBeats.class);

    /** How long an answer is waited for: two rounds. */
    static final Duration BOUND = Quorum.ROUND.multipliedBy(2);

    private static final String ADDRESS = "__mesh.control.";
    private static final String SHARDS = "shards";

    private final EventBus bus;
    private final Context context;
    private final Control control;
    private volatile @Nullable Answers answers;
    private volatile @Nullable MessageConsumer<JsonObject> listener;

    BusBeats(EventBus bus, Context context, Control control) {
        this.bus = bus;
        this.context = context;
        this.control = control;
    }

    /**
     * Begins to answer at the address of that incarnation; what is asked before {@link #answering} gets no answer.
     *
     * @return completes when the address is known to the cluster
     */
    Future<Void> listen(String incarnation) {
        Promise<Void> listening = Promise.promise();
        context.runOnContext(turn -> {
            MessageConsumer<JsonObject> consumer = bus.consumer(ADDRESS + incarnation, this::asked);
            listener = consumer;
            consumer.completion().onComplete(listening);
        });
        return listening.future();
    }

    void answering(Answers newAnswers) {
        answers = newAnswers;
    }

    /** Answers nothing any more. */
    void close() {
        closed().onFailure(e -> LOG.debug("The address of the control could not be taken back: {}", e.toString()));
    }

    /** The same; completes when the address is taken back. */
    Future<Void> closed() {
        answers = null;
        MessageConsumer<JsonObject> registered = listener;
        return registered == null ? Future.succeededFuture() : registered.unregister();
    }

    private void asked(Message<JsonObject> message) {
        control.execute(() -> {
            Answers now = answers;
            if (now == null) {
                return;
            }
            try {
                JsonObject answer = answer(now, message.body());
                // From the bus's own loop too: this may be the first that is ever sent to that peer.
                context.runOnContext(turn -> message.reply(answer));
            } catch (ClassCastException | IllegalArgumentException | NullPointerException e) {
                LOG.warn("A question to this node's control cannot be read and gets no answer: {}", e.toString());
            }
        });
    }

    private static JsonObject answer(Answers answers, JsonObject question) {
        if (question.containsKey(SHARDS)) {
            Set<Integer> shards = new LinkedHashSet<>();
            question.getJsonArray(SHARDS).forEach(shard -> shards.add((Integer) shard));
            Remembered remembered = answers.remembered(shards);
            JsonArray rows = new JsonArray();
            remembered.rows().forEach(row -> rows.add(toJson(row)));
            return new JsonObject().put("lossOpen", remembered.lossOpen()).put("rows", rows);
        }
        Beat.Answer answer = answers.on(new Beat(
                question.getString("from"),
                question.getString("name"),
                question.getLong("round"),
                strings(question.getJsonArray("lost"))));
        return new JsonObject()
                .put("from", answer.from())
                .put("name", answer.name())
                .put("round", answer.round())
                .put("acknowledged", answer.acknowledged())
                .put("standing", answer.standing().name())
                .put("without", new JsonArray(new ArrayList<>(answer.without())))
                .put("heard", new JsonArray(new ArrayList<>(answer.heard())));
    }

    private static Set<String> strings(JsonArray array) {
        Set<String> strings = new LinkedHashSet<>();
        array.forEach(string -> strings.add((String) string));
        return strings;
    }

    private static JsonObject toJson(ShardRow row) {
        return new JsonObject()
                .put("shard", row.shard())
                .put("owner", row.owner())
                .put("epoch", row.epoch())
                .put("via", row.via().name())
                .put("state", row.state().name())
                .put("next", row.next());
    }

    private static ShardRow row(JsonObject json) {
        return new ShardRow(
                json.getInteger("shard"),
                json.getString("owner"),
                json.getLong("epoch"),
                ShardRow.Via.valueOf(json.getString("via")),
                ShardRow.State.valueOf(json.getString("state")),
                json.getString("next"));
    }

    @Override
    public Future<Beat.Answer> beat(NodeInfo peer, Beat beat) {
        JsonObject question = new JsonObject()
                .put("from", beat.from())
                .put("name", beat.name())
                .put("round", beat.round())
                .put("lost", new JsonArray(new ArrayList<>(beat.lost())));
        return ask(peer, question)
                .map(answer -> new Beat.Answer(
                        answer.getString("from"),
                        answer.getString("name"),
                        answer.getLong("round"),
                        answer.getBoolean("acknowledged"),
                        Beat.Standing.valueOf(answer.getString("standing")),
                        strings(answer.getJsonArray("without")),
                        strings(answer.getJsonArray("heard"))));
    }

    @Override
    public Future<Remembered> remembered(NodeInfo peer, Set<Integer> shards) {
        JsonObject question = new JsonObject().put(SHARDS, new JsonArray(new ArrayList<>(shards)));
        return ask(peer, question).map(answer -> {
            List<ShardRow> rows = new ArrayList<>();
            answer.getJsonArray("rows").forEach(row -> rows.add(row((JsonObject) row)));
            return new Remembered(answer.getBoolean("lossOpen"), rows);
        });
    }

    // From the bus's own loop: whoever sends first decides where the connection to the peer lives.
    private Future<JsonObject> ask(NodeInfo peer, JsonObject question) {
        Promise<JsonObject> promise = Promise.promise();
        context.runOnContext(turn -> bus.<JsonObject>request(
                        ADDRESS + peer.incarnation(), question, new DeliveryOptions().setSendTimeout(BOUND.toMillis()))
                .onComplete(done -> control.execute(() -> {
                    if (done.succeeded()) {
                        promise.complete(done.result().body());
                    } else {
                        promise.fail(done.cause());
                    }
                })));
        return promise.future();
    }
}
