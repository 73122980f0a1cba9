package io.meshhub.hub.query;

import io.meshhub.hub.store.QueryableStore;
import io.meshhub.hub.store.StoreAnswer;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.StoreException;
import io.meshhub.sync.NodeNews;
import io.meshhub.sync.protocol.FeedNews;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers queries of source {@value Query#NODES} from the store of this process, which all processes of its role share: so
 * each asks its own one only, and no node comes once for every process.
 *
 * <p>A call follows the changes of its partition, of all processes, before it reads. A node that changed is read again and
 * told. Where a change may not have been heard, or a changed node cannot be read, the call is reset.
 */
public final class StoreQueryProvider implements QueryProvider {

    /** Its name. */
    public static final String NAME = "store";

    /** How long a partition is followed for a call that was reset: longer than it takes to open it again. */
    static final Duration HEARS_ON = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(StoreQueryProvider.class);

    private final Context context;
    private final String node;
    private final QueryableStore queries;
    private final Pacer pacer;
    private final NodeNews news;
    private final Rereads rereads;
    private final StoreCalls calls = new StoreCalls();

    private StoreQueryProvider(
            Context context, Membership membership, NodeStore store, QueryableStore queries, Pacer pacer) {
        this.context = context;
        this.node = membership.self().name();
        this.queries = queries;
        this.pacer = pacer;
        this.news = new NodeNews(context, membership, store.changes(), this::changed, this::missed);
        this.rereads = new Rereads(context, store, this::found, this::lost);
    }

    /**
     * A provider over a store; empty for one that answers no queries.
     *
     * @param context on which it works; nothing there may block
     */
    public static Optional<StoreQueryProvider> of(
            Context context, Membership membership, NodeStore store, Pacer pacer) {
        return store instanceof QueryableStore queries
                ? Optional.of(new StoreQueryProvider(context, membership, store, queries, pacer))
                : Optional.empty();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String source() {
        return Query.NODES;
    }

    @Override
    public boolean saysWhenStarted() {
        return true;
    }

    @Override
    public Opened open(ProviderCall call) {
        StoreCall opened = new StoreCall(call);
        context.runOnContext(turn -> begin(opened));
        return () -> context.runOnContext(turn -> end(opened));
    }

    private void begin(StoreCall opened) {
        calls.add(opened);
        news.follow(opened.partition(), opened).onComplete((heard, failure) -> {
            if (opened.call().isOver()) {
                end(opened);
            } else if (failure != null) {
                fail(opened, unavailable("changes cannot be followed: " + failure.getMessage()));
            } else {
                read(opened);
            }
        });
    }

    private void read(StoreCall opened) {
        opened.reads();
        ProviderCall call = opened.call();
        int most = Math.max(1, Math.min(call.wanted(), QueryableStore.MAX_ANSWER));
        queries.query(opened.query().withoutWindow(), most, call::started, call::isOver)
                .onComplete((answer, failure) -> context.runOnContext(turn -> answered(opened, answer, failure)));
    }

    private void answered(StoreCall opened, @Nullable StoreAnswer answer, @Nullable Throwable failure) {
        if (opened.call().isOver()) {
            end(opened);
        } else if (answer == null) {
            fail(opened, failure);
        } else {
            LOG.debug(
                    "Query '{}' found {} nodes in the store (waited={} ms, ran={} ms)",
                    opened.query(),
                    answer.nodes().size(),
                    answer.waited().toMillis(),
                    answer.ran().toMillis());
            opened.first(answer.nodes(), answer.cut()).forEach(rereads::of);
        }
    }

    private void fail(StoreCall opened, @Nullable Throwable cause) {
        end(opened);
        opened.call()
                .fail(
                        cause instanceof StoreException || cause == null
                                ? unavailable("it could not be asked: " + (cause == null ? "" : cause.getMessage()))
                                : cause);
    }

    private Unavailable unavailable(String why) {
        return new Unavailable(
                "The store of node " + node + " answers no query (" + why + "); nothing was executed",
                FailureDetail.NONE.on(node),
                false);
    }

    // It is opened again. Who stopped hearing meanwhile would know nothing of the senders, and miss something once
    // more.
    private void reset(StoreCall opened) {
        if (calls.remove(opened)) {
            pacer.after(HEARS_ON, () -> context.runOnContext(turn -> news.unfollow(opened.partition(), opened)));
        }
        opened.call().reset();
    }

    // Idempotent: a call ends by itself, or is cancelled, or both.
    private void end(StoreCall opened) {
        if (calls.remove(opened)) {
            news.unfollow(opened.partition(), opened);
        }
    }

    private void changed(NodeChange change) {
        if (!calls.covering(change.address()).isEmpty()) {
            rereads.of(change.address());
        }
    }

    private void found(MeshAddress address, Optional<NodeRecord> record) {
        Optional<QueryNode> stands = record.filter(found -> !found.deleted())
                .map(found -> new QueryNode(
                        found.address(), found.nodeType(), found.name(), found.content(), found.version()));
        for (StoreCall call : calls.covering(address)) {
            if (!call.stands(address, stands)) {
                reset(call);
            }
        }
    }

    // One that does not read yet will read what it has not heard.
    private void missed(String partition) {
        for (StoreCall call : calls.all()) {
            String followed = call.partition() == null ? FeedNews.EVERY : call.partition();
            if (call.state() != StoreCall.State.WAITING && partition.equals(followed)) {
                reset(call);
            }
        }
    }

    private void lost(Throwable why) {
        List<StoreCall> reading = calls.all().stream()
                .filter(call -> call.state() != StoreCall.State.WAITING)
                .toList();
        if (!reading.isEmpty()) {
            LOG.debug("{} queries over the store begin anew on node {}: {}", reading.size(), node, why.toString());
        }
        reading.forEach(this::reset);
    }

    /** Hears nothing any more; its calls are to be over. */
    public Future<Void> close() {
        return Future.future(closed -> context.runOnContext(turn -> {
            rereads.clear();
            news.close().onComplete(closed);
        }));
    }
}
