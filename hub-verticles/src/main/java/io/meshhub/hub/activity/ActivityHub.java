package io.meshhub.hub.activity;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.activity.Activity.Answer;
import io.meshhub.hub.activity.Activity.Step;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.sync.HubState;
import io.meshhub.hub.sync.Snapshot;
import io.meshhub.hub.sync.StateSource;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.StaleFenceException;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One activity: a node in the store, so that it survives its owner, whose changes {@link Activity} decides. They are made
 * one after the other, and are durable before they are told to anybody. Who follows one that ended gets a final frame.
 */
final class ActivityHub extends HubVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(ActivityHub.class);

    private static final Pattern IMPORT = Pattern.compile("import-[0-9a-f]{12}");
    private static final String NODE_TYPE = Activities.SATELLITE;
    private static final int MAX_WORKER_LENGTH = 200;

    private final NodeStore store;
    private final Duration lease;

    /** What the store holds, as far as it is known; null when it has to be asked. */
    private @Nullable Held held;

    private @Nullable HubState state;

    /** The change before the next one. */
    private Future<?> last = Future.succeededFuture();

    /** Whether somebody was told that the state is final: a new run then needs a new life of this hub. */
    private boolean isFinal;

    /** What the store holds; version 0 for no node. */
    private record Held(long version, Optional<Activity> activity) {}

    ActivityHub(NodeStore store, Duration lease) {
        this.store = store;
        this.lease = lease;
    }

    @Override
    protected void configure(HubSetup setup) {
        state = setup.state(new Published());
        setup.awakeWhile(() -> held != null
                && held.activity()
                        .filter(activity -> activity.status() == ActivityStatus.RUNNING)
                        .isPresent());
        setup.every(lease.dividedBy(5), this::tick);
        setup.on(NodeHubs.GET, MeshBody.class, body -> guarded(() -> load().map(this::document)));
        setup.on(Activities.BEGIN, JsonObject.class, this::begin);
        setup.on(Activities.PROGRESS, JsonObject.class, body -> guarded(() -> told(progress(body))));
        setup.on(Activities.END, JsonObject.class, body -> guarded(() -> told(end(body))));
        setup.on(Activities.CANCEL, MeshBody.class, body -> guarded(() -> told(new ActivityEvent.Cancel())));
    }

    /** The node, as followers see it. */
    private final class Published implements StateSource {

        @Override
        public Optional<Snapshot> snapshot() {
            Held now = held;
            return now == null || now.activity().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Snapshot(node(now.activity().get()), now.version()));
        }

        @Override
        public Future<?> admit() {
            return guarded(() -> load().map(now -> {
                if (existing(now).status().isEnded()) {
                    makeFinal();
                }
                return now;
            }));
        }
    }

    private void makeFinal() {
        HubState own = state;
        if (own != null && !isFinal) {
            isFinal = true;
            own.complete();
        }
    }

    private Future<JsonObject> begin(JsonObject body) {
        return guarded(() -> {
            List<String> segments = hub().address().segments();
            if (segments.size() != 3 || !IMPORT.matcher(segments.get(2)).matches()) {
                throw Rejected.message(
                        hub().address(),
                        "an activity is at <partition>/" + Activities.SATELLITE + "/import-<12 hex digits>");
            }
            String worker = worker(body);
            long total = number(body, "total");
            long joined = number(body, "joined");
            return change(() -> new ActivityEvent.Begin(worker, total, joined, now()));
        });
    }

    private ActivityEvent progress(JsonObject body) {
        return new ActivityEvent.Progress(worker(body), counts(body), now());
    }

    private ActivityEvent end(JsonObject body) {
        try {
            return new ActivityEvent.End(
                    worker(body), ActivityStatus.valueOf(String.valueOf(body.getValue("outcome"))), counts(body));
        } catch (IllegalArgumentException e) {
            throw Rejected.message(hub().address(), "'outcome' must be SUCCEEDED, FAILED or CANCELLED");
        }
    }

    private ActivityCounts counts(JsonObject body) {
        try {
            return ActivityCounts.read(body);
        } catch (IllegalArgumentException e) {
            throw Rejected.message(hub().address(), String.valueOf(e.getMessage()));
        }
    }

    private String worker(JsonObject body) {
        if (body.getValue("worker") instanceof String worker
                && !worker.isBlank()
                && worker.length() <= MAX_WORKER_LENGTH) {
            return worker;
        }
        throw Rejected.message(hub().address(), "'worker' must be a text of 1 to " + MAX_WORKER_LENGTH + " characters");
    }

    private long number(JsonObject body, String field) {
        Object value = body.getValue(field, 0);
        if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            if (number >= 0) {
                return number;
            }
        }
        throw Rejected.message(hub().address(), "'" + field + "' must be a whole number, 0 or more");
    }

    private Future<JsonObject> told(ActivityEvent event) {
        return change(() -> event);
    }

    private void tick() {
        Held now = held;
        if (now != null
                && now.activity()
                        .filter(activity -> activity.status() == ActivityStatus.RUNNING)
                        .isPresent()) {
            guarded(() -> change(() -> new ActivityEvent.Tick(now())))
                    .onFailure(e -> LOG.debug("Activity {} could not be looked at: {}", hub().address(), e.toString()));
        }
    }

    // The next one is decided by what the one before it left.
    private Future<JsonObject> change(Supplier<ActivityEvent> event) {
        Future<JsonObject> next =
                last.otherwiseEmpty().compose(done -> load()).compose(now -> change(now, event.get()));
        last = next;
        return next;
    }

    private Future<JsonObject> change(Held now, ActivityEvent event) {
        Step step = Activity.on(now.activity(), event, lease);
        if (step.next().isEmpty()) {
            return Future.failedFuture(NotFound.noNode(hub().address(), hub().node()));
        }
        Activity next = step.next().get();
        if (step.answer() == Answer.REFUSED) {
            return Future.failedFuture(refusal(next, now.version()));
        }
        boolean same = now.activity()
                .filter(before -> before.toJson().equals(next.toJson()))
                .isPresent();
        if (same) {
            // Who spoke is no part of the content.
            held = new Held(now.version(), step.next());
            return Future.succeededFuture(answer(step.answer(), next));
        }
        if (isFinal) {
            hub().dispose("a new run begins");
            return Future.failedFuture(shuttingDown("a new run begins"));
        }
        return onHub(store.write(write(next, now.version()))).transform((record, cause) -> {
            if (cause != null) {
                // Whether it was written is not known, or what was known is wrong.
                held = null;
                return Future.failedFuture(cause);
            }
            held = new Held(record.version(), step.next());
            published(now, next, step.answer());
            return Future.succeededFuture(answer(step.answer(), next));
        });
    }

    private void published(Held before, Activity next, Answer answer) {
        ActivityStatus earlier = before.activity().map(Activity::status).orElse(ActivityStatus.SILENT);
        if (earlier != next.status() || answer == Answer.TAKEN_OVER) {
            LOG.info(
                    "Activity {} is {} (run={}, worker={}, done={} of {}, failed={}{})",
                    hub().address(),
                    next.status(),
                    next.run(),
                    next.worker(),
                    next.counts().done(),
                    next.total(),
                    next.counts().failed(),
                    answer == Answer.TAKEN_OVER ? ", taken over" : "");
        }
        HubState own = state;
        if (own != null) {
            own.changed();
            if (next.status().isEnded() && own.followers() > 0) {
                makeFinal();
            }
        }
    }

    private Conflict refusal(Activity now, long version) {
        return new Conflict(
                "Activity '" + hub().address() + "' is not of this worker any more (run " + now.run() + " of "
                        + now.worker() + " is " + now.status() + "); nothing was noted",
                FailureDetail.about(hub().address()).on(hub().node()),
                version);
    }

    private NodeWrite write(Activity next, long version) {
        return new NodeWrite(
                hub().address(),
                NODE_TYPE,
                hub().address().name(),
                next.toJson(),
                version,
                hub().activation(),
                hub().fence());
    }

    private Future<Held> load() {
        Held known = held;
        if (known != null) {
            return Future.succeededFuture(known);
        }
        return onHub(store.read(hub().address())).map(read -> {
            Held now = held;
            if (now == null) {
                now = read.filter(record -> !record.deleted()).map(this::held).orElse(new Held(0, Optional.empty()));
                held = now;
            }
            return now;
        });
    }

    private Held held(NodeRecord record) {
        try {
            return new Held(record.version(), Optional.of(Activity.read(record.content(), now())));
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "Node {} is no activity, and the next run writes over it (version={}): {}",
                    hub().address(),
                    record.version(),
                    e.getMessage());
            return new Held(record.version(), Optional.empty());
        }
    }

    private Activity existing(Held now) {
        return now.activity().orElseThrow(() -> NotFound.noNode(hub().address(), hub().node()));
    }

    private JsonObject document(Held now) {
        return node(existing(now)).put("path", hub().address().toString()).put("version", now.version());
    }

    private JsonObject node(Activity activity) {
        return new JsonObject()
                .put("nodeType", NODE_TYPE)
                .put("name", hub().address().name())
                .put("content", activity.toJson());
    }

    private static JsonObject answer(Answer answer, Activity activity) {
        return activity.toJson().put("answer", answer.name());
    }

    private long now() {
        return hub().clock().nanoTime();
    }

    private <T> Future<T> guarded(Supplier<Future<T>> action) {
        Future<T> result;
        try {
            result = action.get();
        } catch (Rejected e) {
            result = Future.failedFuture(e);
        }
        return result.recover(this::refuse);
    }

    private <T> Future<T> refuse(Throwable cause) {
        if (cause instanceof StaleFenceException stale) {
            LOG.info("Hub {} ends: {} (node={})", hub().address(), stale.getMessage(), hub().node());
            hub().dispose("its shard was taken by a later owner");
            return Future.failedFuture(shuttingDown("its shard was taken by a later owner"));
        }
        if (cause instanceof StoreException) {
            LOG.warn("The store failed for hub {}: {} (node={})", hub().address(), cause.getMessage(), hub().node());
            return Future.failedFuture(Unavailable.sent(hub().address(), hub().node(), "the store failed"));
        }
        return Future.failedFuture(cause);
    }

    private ShuttingDown shuttingDown(String why) {
        return new ShuttingDown(
                "Hub " + hub().address() + " is shutting down (runLevel=" + hub().level() + ", "
                        + ActivationTag.render(hub().activation()) + ", node=" + hub().node() + "): " + why
                        + "; nothing was written",
                FailureDetail.about(hub().address())
                        .of(hub().activation(), hub().level())
                        .on(hub().node())
                        .enter());
    }

    // The store answers on a thread of its own; the fields of a hub belong to its context.
    private <T> Future<T> onHub(Future<T> answer) {
        if (answer.isComplete()) {
            return answer;
        }
        Promise<T> here = Promise.promise();
        answer.onComplete((value, cause) -> context.runOnContext(nothing -> here.complete(value, cause)));
        return here.future();
    }
}
