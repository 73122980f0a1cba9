package io.meshhub.sync;

import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.FeedOutbox;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * Tells the other processes of a cluster what this one wrote; see {@link FeedNews}.
 *
 * <p>The first change is told at once. Those of the next {@link #GATHERS} are told together, so that a partition costs a
 * few messages in a second however much is written to it. The last of them is told again after each {@link #REPEATS}, a few
 * times, so that one that was lost is missed also where nothing more is written. They go to those who watch the partition, and to those who
 * watch every one; where nobody does nothing is sent, and the cluster is asked for that as seldom. Safe from any thread.
 */
public final class FeedPublisher {

    /** How long changes gather after a message: 50 ms. */
    public static final Duration GATHERS = Duration.ofMillis(50);

    /** How long after a message its last change is told again, in case it was lost: 5 s. */
    public static final Duration REPEATS = Duration.ofSeconds(5);

    private final Context context;
    private final Pacer pacer;
    private final MeshMetrics metrics;
    private final FeedOutbox outbox;
    private ChangeFeed.Subscription source = () -> {};
    private boolean gathering;
    private boolean repeating;
    private boolean stopped;
    private Pacer.Cancellable repeat = Pacer.Cancellable.NONE;

    private FeedPublisher(Context context, String incarnation, Pacer pacer, MeshMetrics metrics) {
        this.context = context;
        this.pacer = pacer;
        this.metrics = metrics;
        this.outbox = new FeedOutbox(incarnation);
    }

    /**
     * Tells of all changes that the feed announces from now on.
     *
     * @param context a context on the loop that carries the connections of the bus
     * @param incarnation of this process
     * @param feed the changes that this process makes, each after it is durable
     */
    public static FeedPublisher start(
            Context context, String incarnation, ChangeFeed feed, Pacer pacer, MeshMetrics metrics) {
        FeedPublisher publisher = new FeedPublisher(context, incarnation, pacer, metrics);
        publisher.source = feed.subscribe(publisher::changed);
        return publisher;
    }

    // On the thread of the writer, which is to be kept for nothing but a turn in the queue.
    private synchronized void changed(NodeChange change) {
        int dropped = outbox.offer(change);
        for (int i = 0; i < dropped; i++) {
            metrics.count("feed.dropped");
        }
        if (!gathering) {
            gathering = true;
            context.runOnContext(turn -> send());
        }
    }

    private void send() {
        if (publish()) {
            pacer.after(GATHERS, () -> context.runOnContext(turn -> send()));
        }
    }

    private synchronized boolean publish() {
        var news = outbox.take();
        gathering = !news.isEmpty();
        news.forEach((partition, changes) -> {
            metrics.count("feed.sent");
            tell(partition, changes);
        });
        repeatLater();
        return gathering;
    }

    private void tell(String partition, FeedNews news) {
        EventBus bus = context.owner().eventBus();
        JsonObject told = news.toJson();
        bus.publish(FeedNews.place(partition), told);
        bus.publish(FeedNews.place(FeedNews.EVERY), told);
    }

    private void repeatLater() {
        if (!repeating && !stopped && outbox.hasRepeats()) {
            repeating = true;
            repeat = pacer.after(REPEATS, () -> context.runOnContext(turn -> repeat()));
        }
    }

    private synchronized void repeat() {
        repeating = false;
        if (stopped) {
            return;
        }
        outbox.again().forEach((partition, last) -> {
            metrics.count("feed.repeated");
            tell(partition, last);
        });
        repeatLater();
    }

    private synchronized void repeatNoMore() {
        stopped = true;
        repeat.cancel();
    }

    /** Tells what still waits, and nothing any more. */
    public Future<Void> stop() {
        source.cancel();
        Promise<Void> told = Promise.promise();
        context.runOnContext(turn -> {
            publish();
            repeatNoMore();
            told.complete();
        });
        return told.future();
    }
}
