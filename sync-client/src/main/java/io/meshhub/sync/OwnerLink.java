package io.meshhub.sync;

import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.KeepAlive;
import io.meshhub.sync.protocol.LatchEvent;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The beats from this process to the owners of another one. Touched only on the client's context. */
final class OwnerLink {

    private final SyncClient client;
    private final String place;
    private final KeepAlive keepAlive = new KeepAlive();
    private final Map<String, Upstream> streams = new HashMap<>();
    private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
    private OptionalLong armedFor = OptionalLong.empty();
    private volatile OptionalLong answered = OptionalLong.empty();

    OwnerLink(SyncClient client, String place) {
        this.client = client;
        this.place = place;
    }

    void add(Upstream stream, Duration interval) {
        streams.put(stream.id(), stream);
        keepAlive.add(stream.id(), interval, client.now());
        arm();
    }

    void remove(Upstream stream) {
        if (streams.remove(stream.id(), stream)) {
            keepAlive.remove(stream.id());
            arm();
        }
        if (streams.isEmpty()) {
            client.linkIsIdle(place, this);
        }
    }

    /** When the node last answered a beat, or that time when it is later. */
    long answeredAfter(long time) {
        OptionalLong last = answered;
        return last.isPresent() && last.getAsLong() - time > 0 ? last.getAsLong() : time;
    }

    private void arm() {
        OptionalLong due = keepAlive.due();
        if (due.equals(armedFor)) {
            return;
        }
        timer.cancel();
        armedFor = due;
        timer = due.isEmpty()
                ? Pacer.Cancellable.NONE
                : client.after(Duration.ofNanos(due.getAsLong() - client.now()), this::beat);
    }

    private void beat() {
        armedFor = OptionalLong.empty();
        Set<String> ids = keepAlive.beat(client.now());
        Map<String, Beat.Entry> entries = new HashMap<>();
        List<Upstream> lost = new ArrayList<>();
        for (String id : ids) {
            Upstream stream = streams.get(id);
            if (stream == null) {
                continue;
            }
            if (stream.ownerProcess().filter(client::isGone).isPresent()) {
                // It went while this process was not looking, as one does that comes back from an expulsion.
                lost.add(stream);
            } else {
                stream.beat().ifPresent(entry -> entries.put(id, entry));
            }
        }
        client.nodeLost(lost);
        arm();
        if (entries.isEmpty()) {
            return;
        }
        client.count("sync.beats");
        long sent = client.now();
        client.ask(place, new Beat(List.copyOf(entries.values())).toJson(), keepAlive.answerBound())
                .onComplete((answer, cause) -> client.execute(() -> {
                    if (answer == null) {
                        unanswered(entries, sent, String.valueOf(cause.getMessage()));
                    } else {
                        answered(entries, sent, answer.body());
                    }
                }));
    }

    // Silence, and whatever else is no answer, ends nothing: the next beat is sent in its time. But whether the values
    // are current is not known until then.
    private void unanswered(Map<String, Beat.Entry> entries, long sent, String why) {
        client.count("sync.beats.silent");
        entries.forEach((id, entry) -> unheard(id, entry, sent, why));
    }

    private void unheard(String id, Beat.Entry entry, long sent, String why) {
        Upstream stream = streams.get(id);
        if (stream != null) {
            stream.unheard(entry, sent, why, keepAlive.due());
        }
    }

    private void answered(Map<String, Beat.Entry> entries, long sent, JsonObject answer) {
        answered = OptionalLong.of(client.now());
        Map<String, Beat.Status> statuses = Beat.readAnswer(answer);
        // What is said of a former owner is no news of the present one.
        statuses.keySet().removeIf(id -> !isFollowed(id, entries.get(id)));
        Map<String, Beat.Status> news = keepAlive.answered(statuses);
        // All streams of a latch are one sign to it.
        Map<SharedLatch, Beat.Status> signs = new LinkedHashMap<>();
        entries.forEach((id, entry) -> {
            Upstream stream = streams.get(id);
            Beat.Status status = news.get(id);
            if (stream == null) {
                return;
            }
            if (status == null) {
                stream.alive(entry);
            } else if (status == Beat.Status.SILENT) {
                unheard(id, entry, sent, "its node answered, and it did not");
            } else {
                stream.lost("Hub " + entry.address() + " (" + entry.activation() + ") no longer knows of the stream");
                signs.merge(stream.latch(), status, (one, other) -> one == other ? one : Beat.Status.UNKNOWN_HERE);
            }
        });
        signs.forEach((latch, status) -> {
            if (status == Beat.Status.NOT_FOUND) {
                latch.missing(NotFound.noNode(latch.key().address(), client.node()));
            } else {
                latch.on(new LatchEvent.UnknownHere(client.now()));
            }
        });
        arm();
    }

    private boolean isFollowed(String id, Beat.@Nullable Entry entry) {
        Upstream stream = streams.get(id);
        return stream != null && entry != null && stream.isOf(entry);
    }

    /** Beats no more. */
    void close() {
        timer.cancel();
    }
}
