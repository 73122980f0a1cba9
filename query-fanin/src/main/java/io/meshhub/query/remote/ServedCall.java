package io.meshhub.query.remote;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.QueryProvider.Opened;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshFailures;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call of another node to a provider of this one: what the provider tells is sent there, with a sequence. */
final class ServedCall implements ProviderCall {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteProviders.class);

    /** The most things told that wait to be sent; beyond, the client opens the provider again. */
    private static final int MOST_UNSENT = 10_000;

    private final RemoteParts parts;
    private final QueryProvider provider;
    private final JsonObject terms;
    private final Query query;
    private final long deadline;
    private final Runnable whenOver;
    private final AtomicInteger unsent = new AtomicInteger();
    private volatile boolean over;
    private long sequence;
    private long heard;
    private Opened opened = Opened.NONE;

    ServedCall(RemoteParts parts, QueryProvider provider, JsonObject terms, Runnable whenOver) {
        this.parts = parts;
        this.provider = provider;
        this.terms = terms;
        this.query = Query.parse(terms.getString("query"));
        this.deadline =
                parts.now() + Duration.ofMillis(terms.getLong("leftMs", 0L)).toNanos();
        this.whenOver = whenOver;
        this.heard = parts.now();
    }

    void open() {
        try {
            if (!provider.saysWhenStarted()) {
                started();
            }
            opened = Objects.requireNonNull(provider.open(this), "its open() returned null");
        } catch (Throwable e) {
            // Also an error is a failure of this provider, and no stall.
            spoilt(e);
        }
    }

    /** Nobody listens any more. */
    void close() {
        if (over) {
            return;
        }
        over = true;
        cancel();
    }

    private void cancel() {
        try {
            opened.cancel();
        } catch (Throwable e) {
            LOG.warn("Query provider '{}' failed to end a call: {}", provider.name(), e.toString());
        }
    }

    String client() {
        return terms.getString("client");
    }

    String clientIncarnation() {
        return terms.getString("incarnation", "");
    }

    QueryProvider provider() {
        return provider;
    }

    void beaten() {
        heard = parts.now();
    }

    long heard() {
        return heard;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public Query query() {
        return query;
    }

    @Override
    public Optional<String> principal() {
        return Optional.ofNullable(terms.getString("principal"));
    }

    @Override
    public int wanted() {
        return terms.getInteger("wanted", Integer.MAX_VALUE);
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - parts.now()));
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void started() {
        tell(() -> send("started", new JsonObject()));
    }

    @Override
    public void first(List<QueryNode> nodes, boolean cut) {
        List<QueryNode> all;
        try {
            all = List.copyOf(nodes);
        } catch (Throwable e) {
            spoilt(e);
            return;
        }
        tell(() -> {
            int from = 0;
            for (int until = Wire.rows(all, from); until < all.size(); until = Wire.rows(all, from)) {
                send("rows", new JsonObject().put("nodes", Wire.nodes(all.subList(from, until))));
                from = until;
            }
            send(
                    "first",
                    new JsonObject()
                            .put("nodes", Wire.nodes(all.subList(from, all.size())))
                            .put("cut", cut));
        });
    }

    @Override
    public void added(QueryNode node) {
        tell(() -> send("added", new JsonObject().put("node", Wire.node(node))));
    }

    @Override
    public void updated(QueryNode node) {
        tell(() -> send("updated", new JsonObject().put("node", Wire.node(node))));
    }

    @Override
    public void removed(MeshAddress path) {
        tell(() -> send("removed", new JsonObject().put("path", path.toString())));
    }

    @Override
    public void reset() {
        tell(() -> send("reset", new JsonObject()));
    }

    @Override
    public void complete() {
        tell(() -> last("complete", new JsonObject()));
    }

    @Override
    public void fail(@Nullable Throwable cause) {
        Throwable why = cause == null ? new IllegalStateException("no cause was given") : cause;
        tell(() -> lastOf(why));
    }

    // The provider does not know that it has failed, and would go on for ever.
    private void spoilt(Throwable cause) {
        tell(() -> {
            cancel();
            lastOf(cause);
        });
    }

    private void lastOf(Throwable why) {
        last(
                "fail",
                new JsonObject()
                        .put(
                                "failure",
                                FailureJson.write(MeshFailures.classify(
                                        why, MeshAddress.of("_query/" + provider.name()), parts.node()))));
    }

    private void last(String what, JsonObject frame) {
        send(what, frame);
        over = true;
        whenOver.run();
    }

    private void tell(Runnable action) {
        if (over) {
            return;
        }
        int waiting = unsent.incrementAndGet();
        if (waiting > MOST_UNSENT) {
            if (waiting == MOST_UNSENT + 1) {
                parts.execute(() -> send("reset", new JsonObject()));
            }
            return;
        }
        parts.execute(() -> {
            unsent.decrementAndGet();
            if (!over) {
                act(action);
            }
        });
    }

    // What cannot be written, such as a null for a node, is a failure of the provider.
    private void act(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            cancel();
            lastOf(e);
        }
    }

    private void send(String what, JsonObject frame) {
        sequence++;
        parts.bus()
                .send(
                        client(),
                        frame.put("tell", what)
                                .put("call", terms.getString("call"))
                                .put("seq", sequence));
    }
}
