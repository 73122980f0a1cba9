package io.meshhub.hub.access.existence;

import io.meshhub.hub.access.OwnContext;
import io.meshhub.hub.access.existence.Existence.Fault;
import io.meshhub.hub.access.existence.ExistenceState.Event;
import io.meshhub.hub.access.policy.NodeMirror;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether a query finds anything. What nobody has said within {@link #BOUND}, or what nests in the query rung or in the
 * time of the caller where that is less, counts as absent until it is known; a fault is shown whenever it comes, and is
 * never turned into "absent".
 *
 * <p>For a permission this is the wrong thing to ask: see {@link io.meshhub.hub.access.policy.AccessPolicies}. Safe from any
 * thread.
 */
public final class ExistenceProbe {

    /** The bound of a read of existence. */
    public static final Duration BOUND = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ExistenceProbe.class);

    /**
     * What it works with.
     *
     * @param node the name of this node
     */
    public record Parts(String node, QueryFanIn queries, Pacer pacer, MeshMetrics metrics) {}

    private final Parts parts;
    private final Duration queryRung;

    /** One that asks with these budgets. */
    public ExistenceProbe(Parts parts, BudgetLadder ladder) {
        this.parts = parts;
        this.queryRung = ladder.queryInitial();
    }

    /** The bound of a question: its own figure, or what nests in the query rung and the time of the caller. */
    Duration bound(Duration figure, QueryCaller caller) {
        Duration bound = BudgetLadder.inner(figure, queryRung);
        Duration left = caller.left();
        return left == null ? bound : BudgetLadder.inner(bound, left);
    }

    /** The first word about it; never fails. */
    public Future<Existence> ask(Query query, QueryCaller caller) {
        return first(query, caller, BOUND);
    }

    /**
     * Follows whether it exists, until a fault or the close. The listener is called by one thread at a time and must
     * not block.
     */
    public LiveQuery follow(Query query, QueryCaller caller, Consumer<Existence> listener) {
        Following following = new Following(bound(BOUND, caller), listener);
        following.begin(query, caller);
        return following;
    }

    /** Asks what goes on with an answer by decision where none could be read; says so in log and metric. Never fails. */
    public Future<FailOpen.Answer> ask(FailOpen use, Query query, QueryCaller caller) {
        return first(query, caller, use.bound()).map(existence -> {
            FailOpen.Answer answer = use.answer(existence);
            if (answer.assumed()) {
                count(use);
                LOG.warn(
                        "Node {} answers {} with {} by decision, since query '{}' did not say: {}",
                        parts.node(),
                        use,
                        answer.yes() ? "yes" : "no",
                        query.text(),
                        answer.why());
            }
            return answer;
        });
    }

    private void count(FailOpen use) {
        try {
            parts.metrics().count("access.assumed", "use", use.name().toLowerCase(Locale.ROOT));
        } catch (RuntimeException e) {
            LOG.debug("The meter of node {} fails; the answer is given without it", parts.node(), e);
        }
    }

    private Future<Existence> first(Query query, QueryCaller caller, Duration figure) {
        Promise<Existence> promise = OwnContext.promise();
        Following following = new Following(bound(figure, caller), promise::tryComplete);
        promise.future().onComplete(told -> following.close());
        following.begin(query, caller);
        return promise.future();
    }

    /** One who follows. Calls its listener under its own lock: in the order of what happens, whichever thread tells it. */
    private final class Following implements LiveQuery {
        private final Duration bound;
        private final Consumer<Existence> listener;
        private final NodeMirror mirror = new NodeMirror();
        private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
        private LiveQuery live = () -> {};
        private ExistenceState state = ExistenceState.WAITING;
        private boolean closed;

        Following(Duration bound, Consumer<Existence> listener) {
            this.bound = bound;
            this.listener = listener;
        }

        synchronized void begin(Query query, QueryCaller caller) {
            if (!closed) {
                timer = parts.pacer().after(bound, () -> apply(new Event.BoundIsOver(bound)));
                live = parts.queries().live(query, caller, this::told);
            }
            if (closed) {
                // A first word that came within the call.
                live.close();
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            timer.cancel();
            live.close();
        }

        private synchronized void told(QueryFrame frame) {
            NodeMirror.Seen seen = mirror.on(frame);
            if (seen instanceof NodeMirror.Seen.Whole whole) {
                apply(new Event.Read(!whole.nodes().isEmpty()));
            } else if (seen instanceof NodeMirror.Seen.Broken broken) {
                apply(new Event.Failed(new Fault(broken.providers(), broken.why())));
            }
        }

        private synchronized void apply(Event event) {
            if (closed) {
                return;
            }
            ExistenceState.Turn turn = state.on(event);
            state = turn.state();
            timer.cancel();
            if (state.isOver()) {
                close();
            }
            turn.say().ifPresent(listener);
        }
    }
}
