package io.meshhub.hub.node;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.sync.HubState;
import io.meshhub.hub.sync.Snapshot;
import io.meshhub.hub.sync.StateSource;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshAddress;
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
import io.meshhub.sync.protocol.Author;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node: a versioned JSON document, kept in memory while its hub is awake and durable before a change is
 * acknowledged.
 *
 * <p>Changes are exclusive, so each is made to what the one before it left. A hub that cannot say what the store holds,
 * since the store failed, asks it again with the next message.
 */
final class NodeHub extends HubVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(NodeHub.class);

    // One repetition, with what the store holds, heals a change by somebody who writes to the store directly.
    private static final int WRITE_ATTEMPTS = 2;

    private final NodeStore store;

    /** What the store holds, as far as it is known; null when it has to be asked. */
    private @Nullable Held held;

    private int unknowns;
    private @Nullable HubState state;

    /** Only while somebody follows: a million nodes lie idle. */
    private @Nullable NodeHistory history;

    /** Which stream makes a change, and to which version. */
    private record By(Author author, long version) {}

    /** What the store holds; a tombstone, and a node that never was, are nothing. */
    private record Held(Optional<NodeRecord> record) {

        static Held of(Optional<NodeRecord> read) {
            return new Held(read.filter(record -> !record.deleted()));
        }

        long version() {
            return record.map(NodeRecord::version).orElse(0L);
        }
    }

    /** How a change is made to what is held. */
    @FunctionalInterface
    private interface Change {

        /** The document to be written; null deletes. */
        @Nullable
        NodeDocument of(Held held);
    }

    NodeHub(NodeStore store) {
        this.store = store;
    }

    @Override
    protected void configure(HubSetup setup) {
        setup.init(this::begin);
        state = setup.state(new Published());
        setup.on(NodeHubs.GET, MeshBody.class, body -> get());
        setup.on(NodeHubs.PUT, JsonObject.class, this::put).exclusive();
        setup.on(NodeHubs.PATCH, JsonObject.class, this::patch).exclusive();
        setup.on(NodeHubs.DELETE, MeshBody.class, this::delete).exclusive();
        setup.on(Update.TYPE, JsonObject.class, this::update).exclusive();
    }

    /** The document of the node, as followers see it. */
    private final class Published implements StateSource {

        @Override
        public Optional<Snapshot> snapshot() {
            Held now = held;
            return now == null
                    ? Optional.empty()
                    : now.record().map(record -> new Snapshot(document(record).toJson(), record.version()));
        }

        @Override
        public Future<?> admit() {
            return guarded(() -> load().map(NodeHub.this::existing));
        }
    }

    private static NodeDocument document(NodeRecord record) {
        return new NodeDocument(record.nodeType(), record.name(), record.content());
    }

    // Followers hear of a change when it is durable.
    private void published(Held before, @Nullable By by) {
        Held now = held;
        HubState own = state;
        if (own == null || now == null) {
            return;
        }
        if (own.followers() == 0) {
            history = null;
        } else if (before.version() != now.version()) {
            before.record().ifPresent(record -> ownHistory().add(record));
        }
        if (now.record().isPresent()) {
            if (by != null && by.version() == before.version()) {
                own.changed(by.author());
            } else {
                own.changed();
            }
        } else {
            own.fail(NotFound.noNode(address(), hub().node()));
        }
    }

    // A store that fails now does not fail the start: each message is told so, as long as it lasts.
    private Future<Void> begin() {
        return load().<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<Held> load() {
        Held known = held;
        if (known != null) {
            return Future.succeededFuture(known);
        }
        int asked = unknowns;
        return onHub(store.read(address())).map(read -> {
            // A change that came in between knows better, and one whose outcome is not known makes the read worthless.
            Held now = held == null ? Held.of(read) : held;
            if (asked == unknowns) {
                held = now;
                learnt(now);
            }
            return now;
        });
    }

    // What became of a write whose outcome was not known is news to followers as well.
    private void learnt(Held now) {
        HubState own = state;
        if (own == null || own.followers() == 0) {
            return;
        }
        if (now.record().isPresent()) {
            own.changed();
        } else {
            own.fail(NotFound.noNode(address(), hub().node()));
        }
    }

    private void relearn() {
        HubState own = state;
        if (own != null && own.followers() > 0) {
            load().onFailure(e -> LOG.warn(
                    "What the store holds of hub {} is not known, and its followers may see a former state: {}",
                    address(),
                    e.toString()));
        }
    }

    private Future<JsonObject> get() {
        // It does not end a hub without a node: a put that is on its way may be about to make one.
        return guarded(() -> load().map(now -> existing(now).toJson()));
    }

    private Future<JsonObject> put(JsonObject message) {
        return attempt(() -> {
            JsonObject fields = message.copy();
            Expected expected = Expected.take(address(), fields);
            NodeDocument document = NodeDocument.of(address(), fields);
            return change(expected, now -> document, 1)
                    .map(written -> written.after()
                            .toJson()
                            .put("created", written.created())
                            .put("changed", written.changed()));
        });
    }

    private Future<JsonObject> patch(JsonObject message) {
        return attempt(() -> {
            Expected expected = Expected.take(address(), message.copy());
            if (!(message.getValue("format") instanceof String format)) {
                throw Rejected.message(
                        address(),
                        "'format' is missing: it must be " + NodePatch.MERGE + " or " + NodePatch.OPERATIONS);
            }
            Object patch = message.getValue("patch");
            return change(expected, now -> patched(existing(now), format, patch), 1)
                    .map(written -> written.after().toJson().put("changed", written.changed()));
        });
    }

    private NodeHistory ownHistory() {
        NodeHistory own = history;
        if (own == null) {
            own = new NodeHistory();
            history = own;
        }
        return own;
    }

    private Future<JsonObject> update(JsonObject message) {
        return attempt(() -> {
            Update update;
            try {
                update = Update.read(message);
            } catch (IllegalArgumentException e) {
                throw Rejected.message(address(), String.valueOf(e.getMessage()));
            }
            Expected any = Expected.take(address(), new JsonObject());
            By by = new By(update.author(), update.version());
            Change rebased = now -> ownHistory().rebase(address(), hub().node(), existing(now), update);
            return change(any, rebased, 1, by).map(written -> {
                NodeRecord after = written.after();
                boolean asSent = after.version() == update.version() + (written.changed() ? 1 : 0);
                return new Update.Done(
                                after.version(), asSent ? null : document(after).toJson())
                        .toJson();
            });
        });
    }

    private NodeDocument patched(NodeRecord record, String format, @Nullable Object patch) {
        return NodePatch.apply(address(), document(record), format, patch);
    }

    private Future<Void> delete(MeshBody body) {
        return attempt(() -> {
            JsonObject message = body.isNull() ? new JsonObject() : readObject(body);
            Expected expected = Expected.take(address(), message);
            if (!message.isEmpty()) {
                throw Rejected.message(address(), "a deletion takes no fields " + message.fieldNames());
            }
            Change deletion = now -> {
                existing(now);
                return null;
            };
            return change(expected, deletion, 1).<Void>mapEmpty();
        });
    }

    private JsonObject readObject(MeshBody body) {
        try {
            return body.as(JsonObject.class).orElseGet(JsonObject::new).copy();
        } catch (IllegalArgumentException e) {
            throw Rejected.message(address(), String.valueOf(e.getMessage()));
        }
    }

    /** Whatever comes of a message: an address without a node keeps no hub awake, and failures are told as they are. */
    private <T> Future<T> attempt(Supplier<Future<T>> action) {
        return guarded(action).onComplete((value, cause) -> {
            Held now = held;
            if (now != null && now.record().isEmpty()) {
                hub().dispose("no node is there");
            }
        });
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

    /** What stands after a change; what was there already and says the same is not changed. */
    private record Written(NodeRecord after, boolean created, boolean changed) {}

    private Future<Written> change(Expected expected, Change change, int attempt) {
        return change(expected, change, attempt, null);
    }

    private Future<Written> change(Expected expected, Change change, int attempt, @Nullable By by) {
        return load().compose(now -> {
            expected.check(address(), hub().node(), now.version());
            NodeDocument document = change.of(now);
            return onHub(store.write(write(document, now.version())))
                    .map(record -> {
                        held = Held.of(Optional.of(record));
                        published(now, by);
                        return new Written(record, now.record().isEmpty(), record.version() != now.version());
                    })
                    .recover(cause -> {
                        // Whether it was written is not known, or what was known is wrong.
                        held = null;
                        unknowns++;
                        if (cause instanceof Conflict && attempt < WRITE_ATTEMPTS) {
                            return change(expected, change, attempt + 1, by);
                        }
                        relearn();
                        return Future.failedFuture(cause);
                    });
        });
    }

    private NodeWrite write(@Nullable NodeDocument document, long version) {
        return new NodeWrite(
                address(),
                document == null ? "" : document.nodeType(),
                document == null ? "" : document.name(),
                document == null ? null : document.content(),
                version,
                hub().activation(),
                hub().fence());
    }

    private <T> Future<T> refuse(Throwable cause) {
        if (cause instanceof StaleFenceException stale) {
            LOG.info("Hub {} ends: {} ({}, node={})", address(), stale.getMessage(), hub().activation(), hub().node());
            hub().dispose("its shard was taken by a later owner");
            return Future.failedFuture(new ShuttingDown(
                    "Hub " + address() + " is shutting down (runLevel=" + hub().level() + ", "
                            + ActivationTag.render(hub().activation()) + ", node=" + hub().node()
                            + "): its shard was taken by a later owner; nothing was written",
                    detail()));
        }
        if (cause instanceof StoreException) {
            LOG.warn("The store failed for hub {}: {} (node={})", address(), cause.getMessage(), hub().node());
            return Future.failedFuture(Unavailable.sent(address(), hub().node(), "the store failed"));
        }
        return Future.failedFuture(cause);
    }

    private FailureDetail detail() {
        return FailureDetail.about(address())
                .of(hub().activation(), hub().level())
                .on(hub().node())
                .enter();
    }

    private NodeRecord existing(Held now) {
        return now.record().orElseThrow(() -> NotFound.noNode(address(), hub().node()));
    }

    private MeshAddress address() {
        return hub().address();
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
