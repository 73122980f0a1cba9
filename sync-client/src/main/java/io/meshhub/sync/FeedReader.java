package io.meshhub.sync;

import io.meshhub.routing.spi.NodeChange;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.FeedOutbox;
import io.meshhub.sync.protocol.FeedSequences;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what other processes tell of the partitions in which something is watched, or of {@link FeedNews#EVERY} one: one
 * consumer for each, which is gone with the last stream. Touched only on the client's context.
 */
final class FeedReader {

    private static final Logger LOG = LoggerFactory.getLogger(SyncClient.class);

    private final Context context;
    private final String self;
    private final Consumer<NodeChange> changes;
    private final Consumer<String> missed;
    private final Map<String, Partition> watched = new HashMap<>();

    /**
     * A reader of a process.
     *
     * @param self the incarnation of this process, whose own changes are heard without the bus
     * @param changes takes each change once
     * @param missed takes a partition of which something may not have been heard
     */
    FeedReader(Context context, String self, Consumer<NodeChange> changes, Consumer<String> missed) {
        this.context = context;
        this.self = self;
        this.changes = changes;
        this.missed = missed;
    }

    /** The stream wants news of the partition. */
    void watch(String partition, Object stream) {
        watched.computeIfAbsent(partition, name -> new Partition(name).register())
                .streams
                .add(stream);
    }

    /**
     * When the news of a partition that is watched are heard.
     *
     * @return completes on the context, after the partition was said to be missed until then
     */
    Future<Void> heard(String partition) {
        Partition known = watched.get(partition);
        return known == null
                ? Future.failedFuture(new IllegalStateException("partition '" + partition + "' is not watched"))
                : known.heard.future();
    }

    /** The stream wants no news of the partition any more; idempotent. */
    void unwatch(String partition, Object stream) {
        Partition known = watched.get(partition);
        if (known != null && known.streams.remove(stream) && known.streams.isEmpty()) {
            watched.remove(partition);
            known.unregister();
        }
    }

    /**
     * A node joined, or was dropped with what it had not told yet.
     *
     * @param incarnations those that are there
     */
    void membersAre(Collection<String> incarnations) {
        watched.values().forEach(partition -> {
            partition.sequences.replaceAll((name, heard) -> heard.retain(incarnations));
            missed.accept(partition.name);
        });
    }

    /** Hears nothing any more. */
    Future<Void> close() {
        List<Future<Void>> gone = new ArrayList<>();
        watched.values().forEach(partition -> gone.add(partition.unregister()));
        watched.clear();
        return Future.join(gone).mapEmpty();
    }

    /** One that is watched. */
    private final class Partition {

        private final String name;
        private final Set<Object> streams = new HashSet<>();
        private final Promise<Void> heard = Promise.promise();
        // By partition: one alone, unless every one is watched.
        private final Map<String, FeedSequences> sequences = new HashMap<>();
        private boolean closed;
        private @Nullable MessageConsumer<JsonObject> consumer;

        Partition(String name) {
            this.name = name;
        }

        // In a turn of its own: the consumer belongs to the context that is current when it is made.
        Partition register() {
            context.runOnContext(turn -> {
                MessageConsumer<JsonObject> made = context.owner().eventBus().consumer(FeedNews.place(name));
                consumer = made;
                made.handler(this::arrived);
                // What was written until now was told to nobody here.
                made.completion()
                        .onSuccess(registered -> context.runOnContext(later -> {
                            if (!closed) {
                                missed.accept(name);
                            }
                            heard.tryComplete();
                        }))
                        .onFailure(e -> {
                            LOG.warn(
                                    "News of partition {} are not heard, and dormant streams in it wake only when members change: {}",
                                    name,
                                    e.toString());
                            context.runOnContext(later -> heard.tryFail(e));
                        });
            });
            return this;
        }

        Future<Void> unregister() {
            closed = true;
            Promise<Void> gone = Promise.promise();
            context.runOnContext(turn -> {
                MessageConsumer<JsonObject> made = consumer;
                (made == null ? Future.<Void>succeededFuture() : made.unregister()).onComplete(gone);
            });
            return gone.future();
        }

        private void arrived(Message<JsonObject> message) {
            if (closed) {
                return;
            }
            FeedNews news;
            try {
                news = FeedNews.read(message.body());
            } catch (RuntimeException e) {
                LOG.warn("News of partition {} could not be read: {}", name, e.toString());
                missed.accept(name);
                return;
            }
            if (news.from().equals(self)) {
                return;
            }
            if (sequences.size() >= FeedOutbox.PARTITIONS && !sequences.containsKey(news.partition())) {
                // Those that tell again count as not heard before.
                sequences.clear();
            }
            FeedSequences.Step step =
                    sequences.getOrDefault(news.partition(), FeedSequences.NONE).on(news);
            sequences.put(news.partition(), step.sequences());
            step.fresh().forEach(changes);
            if (step.missed()) {
                missed.accept(name);
            }
        }
    }
}
