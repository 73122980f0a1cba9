package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecider;
import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.OwnContext;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.query.QueryFanIn;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from the access model, which it reads through the query fan-in: a partition with the first question about it,
 * and from then on with each change.
 *
 * <p>A decision is kept until something changes that it was made from, and asked for again without a wait. Nothing is
 * granted before all providers have answered; whoever waits is told {@link Undetermined} at the permission rung, and at
 * once for {@link #REST} after a partition could not be read.
 *
 * <p>Safe from any thread once it is deployed. Everything else happens on its own context, which should be one that no
 * hub can block.
 */
public final class AccessPolicies extends VerticleBase implements AccessDecider {

    /** How long a partition that could not be read is not read again. */
    public static final Duration REST = Duration.ofSeconds(1);

    /** The most partitions that are followed; past that the one that was not asked about for longest is let go. */
    public static final int MOST_PARTITIONS = 1_000;

    /** The most questions that wait at one time. */
    public static final int MOST_WAITING = 10_000;

    /** The most times that one question is looked at again because it needs one more partition. */
    static final int MOST_ROUNDS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(AccessPolicies.class);

    /**
     * What it works with.
     *
     * @param node the name of this node
     * @param queries through which the model is read, on behalf of the mesh itself
     */
    public record Parts(String node, QueryFanIn queries, MeshClock clock, Pacer pacer, MeshMetrics metrics) {}

    /** One question that was not answered at once. */
    private final class Waiting implements Runnable {
        private final Principal who;
        private final Permission what;
        private final MeshAddress where;
        private final boolean explains;
        private final Promise<Explanation> promise;
        private final AtomicBoolean over = new AtomicBoolean();
        private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
        private int rounds;

        Waiting(Principal who, Permission what, MeshAddress where, boolean explains, Promise<Explanation> promise) {
            this.who = who;
            this.what = what;
            this.where = where;
            this.explains = explains;
            this.promise = promise;
        }

        /** Looks at it, on the context of this verticle. */
        @Override
        public void run() {
            if (over.get()) {
                return;
            }
            try {
                look();
            } catch (RuntimeException e) {
                LOG.error("The question whether '{}' may {} at {} failed on node {}", who, what, where, node(), e);
                end(undetermined("the decision failed: " + e));
            }
        }

        private void look() {
            Models models = new Models(readings::state);
            List<Step> steps = new ArrayList<>();
            AccessDecision decision = Fold.decide(who, what, where, models, explains ? steps::add : step -> {});
            boolean asksOn =
                    decision instanceof Undetermined && !models.missing().isEmpty();
            if (asksOn && stopped) {
                end(undetermined("node " + node() + " stops"));
            } else if (asksOn && ++rounds > MOST_ROUNDS) {
                end(undetermined("it needs more than " + MOST_ROUNDS + " readings of partitions"));
            } else if (asksOn) {
                models.missing().forEach(partition -> readings.await(partition, this));
            } else {
                readings.standings(models.used().keySet())
                        .ifPresent(standings -> decisions.keep(who, what, where, decision, standings));
                end(new Explanation(who, what, where, decision, steps));
            }
        }

        void timeOut() {
            String within = String.format(Locale.ROOT, "%.1f s", bound.toMillis() / 1000.0);
            end(undetermined("the access model was not read within " + within));
            own.executeIfOpen(() -> readings.forget(this));
        }

        private Explanation undetermined(String why) {
            return new Explanation(who, what, where, new Undetermined(List.of(), why), List.of());
        }

        void end(Explanation explanation) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            waiting.decrementAndGet();
            timer.cancel();
            if (explanation.decision() instanceof Undetermined why) {
                own.countProviders("access.undetermined", why.providers());
                LOG.debug("Whether '{}' may {} at {} is undetermined: {}", who, what, where, why.reason());
            }
            promise.complete(explanation);
        }
    }

    private final Parts parts;
    private final Duration bound;
    private final Decisions decisions = new Decisions();
    private final Readings readings;
    private final AtomicInteger waiting = new AtomicInteger();
    private final OwnContext own;
    private boolean stopped;

    /** One that is to be deployed. */
    public AccessPolicies(Parts parts, BudgetLadder ladder) {
        this(parts, ladder.permission());
    }

    /** The seam for tests that try what is without a bound. */
    AccessPolicies(Parts parts, Duration bound) {
        this.parts = parts;
        this.bound = bound;
        this.own = new OwnContext("node " + parts.node() + " does not decide who may do what", parts.metrics());
        this.readings = new Readings(parts, MOST_PARTITIONS);
    }

    @Override
    public Future<?> start() {
        own.open(context);
        parts.metrics().gauge("access.partitions", readings::size);
        parts.metrics().gauge("access.waiting", waiting::get);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        readings.stop();
        own.close();
        return Future.succeededFuture();
    }

    @Override
    public @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
        AccessDecision atOnce = Fold.withoutModel(who);
        return atOnce == null ? decisions.known(who, what, where) : atOnce;
    }

    @Override
    public Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where) {
        AccessDecision known = known(who, what, where);
        return known == null ? ask(who, what, where, false).map(Explanation::decision) : Future.succeededFuture(known);
    }

    /** Decides, and says how; never from what was decided before. Never fails. As {@link Explanation#toJson} writes it. */
    @Override
    public Future<JsonObject> explain(Principal who, Permission what, MeshAddress where) {
        return ask(who, what, where, true).map(Explanation::toJson);
    }

    private Future<Explanation> ask(Principal who, Permission what, MeshAddress where, boolean explains) {
        Promise<Explanation> promise = OwnContext.promise();
        Waiting one = new Waiting(who, what, where, explains, promise);
        int all = waiting.incrementAndGet();
        if (all > MOST_WAITING) {
            one.end(one.undetermined((all - 1) + " questions wait already"));
            return promise.future();
        }
        // Before anything can end it. It never fires before this returns.
        one.timer = parts.pacer().after(bound, one::timeOut);
        try {
            own.execute(one);
        } catch (RuntimeException e) {
            one.end(one.undetermined(String.valueOf(e.getMessage())));
        }
        return promise.future();
    }

    /** Completes once all that was posted before has been done. */
    Future<Void> settled() {
        return own.settled();
    }

    private String node() {
        return parts.node();
    }
}
