package io.meshhub.hub.access.directory;

import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Lookup.Unavailable;
import io.meshhub.hub.access.OwnContext;
import io.meshhub.hub.access.Whose;
import io.meshhub.hub.access.directory.DirectoryState.Command;
import io.meshhub.hub.access.directory.DirectoryState.Event;
import io.meshhub.hub.access.policy.AccessModel;
import io.meshhub.hub.access.policy.AccessPolicies;
import io.meshhub.hub.access.policy.NodeMirror;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which principal an id or an e-mail address belongs to, from the nodes below {@value #ADDRESS}.
 *
 * <p>It is read when somebody first waits for it, and followed from then on. After a fault it rests for {@link
 * AccessPolicies#REST} and is opened again for whoever waits, once however many those are; the first snapshot answers
 * all of them, and each gives up at the permission rung. {@link DirectoryState} says what is seen meanwhile.
 *
 * <p>Safe from any thread once it is deployed; everything else happens on its own context, which should be one that no
 * hub can block.
 */
public final class IdentityDirectory extends VerticleBase implements Whose {

    /** Below which the identities lie. */
    public static final String ADDRESS = AccessModel.CONTROL + "/" + AccessModel.IDENTITIES;

    /** The most who wait at one time. */
    public static final int MOST_WAITING = 10_000;

    static final Query QUERY = Query.parse("path:" + ADDRESS + " scope:children");

    private static final Logger LOG = LoggerFactory.getLogger(IdentityDirectory.class);

    /** One who waits for a snapshot. */
    private final class Waiting {
        private final Key key;
        private final Promise<Lookup> promise;
        private final AtomicBoolean over = new AtomicBoolean();
        private Pacer.Cancellable timer = Pacer.Cancellable.NONE;

        Waiting(Key key, Promise<Lookup> promise) {
            this.key = key;
            this.promise = promise;
        }

        void begin() {
            if (!own.isOpen()) {
                end(new Unavailable(List.of(), "node " + node() + " stops"));
            } else if (!over.get()) {
                waiters.add(this);
                apply(new Event.Waits());
            }
        }

        void giveUp() {
            String within = String.format(Locale.ROOT, "%.1f s", bound.toMillis() / 1000.0);
            Unavailable last = lastFault;
            end(
                    last == null
                            ? new Unavailable(List.of(), "the directory was not read within " + within)
                            : new Unavailable(
                                    last.providers(), "not read within " + within + ", at last: " + last.reason()));
            own.executeIfOpen(() -> {
                if (waiters.remove(this)) {
                    apply(new Event.GaveUp());
                }
            });
        }

        void end(Lookup found) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            waiting.decrementAndGet();
            timer.cancel();
            if (found instanceof Unavailable why) {
                own.countProviders("access.directory.unavailable", why.providers());
            }
            promise.complete(found);
        }
    }

    private final AccessPolicies.Parts parts;
    private final Duration bound;
    private final Set<Waiting> waiters = new LinkedHashSet<>();
    private final Set<String> faults = new HashSet<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final OwnContext own;
    private volatile DirectoryState state = DirectoryState.CLOSED;

    // What the last opening ended with, also while the next one is under way; for those who give up.
    private volatile @Nullable Unavailable lastFault;

    private NodeMirror mirror = new NodeMirror();
    private LiveQuery live = () -> {};
    private Pacer.Cancellable rest = Pacer.Cancellable.NONE;

    /** One that is to be deployed. */
    public IdentityDirectory(AccessPolicies.Parts parts, BudgetLadder ladder) {
        this.parts = parts;
        this.bound = ladder.permission();
        this.own = new OwnContext("the directory of node " + parts.node() + " is not open", parts.metrics());
    }

    @Override
    public Future<?> start() {
        own.open(context);
        parts.metrics().gauge("access.directory.waiting", waiting::get);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        own.close();
        state = DirectoryState.CLOSED;
        rest.cancel();
        live.close();
        List<Waiting> all = List.copyOf(waiters);
        waiters.clear();
        all.forEach(one -> one.end(new Unavailable(List.of(), "node " + node() + " stops")));
        return Future.succeededFuture();
    }

    /** What is known at once; opens nothing. */
    public Lookup known(Key key) {
        return state.find(key);
    }

    /** Waits for the directory where it is not read, at most for the permission rung. Never fails. */
    @Override
    public Future<Lookup> find(Key key) {
        DirectoryState now = state;
        if (now.answers()) {
            return Future.succeededFuture(now.find(key));
        }
        Promise<Lookup> promise = OwnContext.promise();
        Waiting one = new Waiting(key, promise);
        int all = waiting.incrementAndGet();
        if (all > MOST_WAITING) {
            one.end(new Unavailable(List.of(), (all - 1) + " wait for the directory already"));
            return promise.future();
        }
        one.timer = parts.pacer().after(bound, one::giveUp);
        try {
            own.execute(one::begin);
        } catch (RuntimeException e) {
            one.end(new Unavailable(List.of(), String.valueOf(e.getMessage())));
        }
        return promise.future();
    }

    // Each state on the way is seen by who looks up meanwhile.
    private void apply(Event event) {
        DirectoryState.Turn turn = state.on(event);
        for (DirectoryState each : turn.through()) {
            state = each;
        }
        turn.commands().forEach(this::perform);
    }

    private void perform(Command command) {
        if (command instanceof Command.Open open) {
            mirror = new NodeMirror();
            live = parts.queries().live(QUERY, QueryCaller.MESH, frame -> told(open.opening(), frame));
        } else if (command instanceof Command.Rest) {
            Runnable isOver = () -> apply(new Event.RestIsOver());
            rest = parts.pacer().after(AccessPolicies.REST, () -> own.executeIfOpen(isOver));
        } else if (command instanceof Command.Release) {
            List<Waiting> all = List.copyOf(waiters);
            waiters.clear();
            all.forEach(one -> one.end(state.find(one.key)));
        }
    }

    private void told(long opening, QueryFrame frame) {
        if (opening != state.opening() || state.phase() != DirectoryState.Phase.OPEN) {
            return;
        }
        try {
            NodeMirror.Seen seen = mirror.on(frame);
            if (seen instanceof NodeMirror.Seen.Whole whole) {
                Identities identities = Identities.of(whole.nodes());
                say(identities.faults());
                lastFault = null;
                apply(new Event.Told(opening, identities));
            } else if (seen instanceof NodeMirror.Seen.Broken broken) {
                over(opening, broken.providers(), broken.why());
            }
        } catch (RuntimeException e) {
            LOG.error("The identity directory was not taken in on node {}", node(), e);
            over(opening, List.of(), "it was not taken in: " + e);
        }
    }

    private void over(long opening, List<String> providers, String why) {
        LOG.warn(
                "Node {} cannot say who is who; {} wait until it can, providers {}: {}",
                node(),
                waiters.size(),
                providers,
                why);
        live.close();
        Unavailable fault = new Unavailable(providers, "the directory could not be read: " + why);
        lastFault = fault;
        apply(new Event.Failed(opening, fault));
    }

    private void say(List<String> now) {
        now.stream()
                .filter(fault -> !faults.contains(fault))
                .forEach(fault -> LOG.warn("Node {} found a fault in the directory: {}", node(), fault));
        faults.clear();
        faults.addAll(now);
    }

    /** Completes once all that was posted before has been done. */
    Future<Void> settled() {
        return own.settled();
    }

    private String node() {
        return parts.node();
    }
}
