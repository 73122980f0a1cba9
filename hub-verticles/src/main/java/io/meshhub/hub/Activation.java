package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a hub at an address: the shell around {@link HubLife}. Touched only on its loop, but for the calls of
 * {@link HubContext} and what a deadline reads.
 *
 * <p>A million of these lie idle on one node: what only a starting, a busy or an ending one needs is in objects of its
 * own ({@link Start}, {@link Mailbox}, {@link Ending}) that come and go.
 */
final class Activation implements HubContext, Slot {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);
    private static final Handling[] NO_HANDLINGS = {};

    private final HubLoop loop;
    private final MeshAddress address;
    private final ActivationId id;
    private final ContextInternal context;
    private volatile HubLife life = HubLife.STARTING;
    private volatile @Nullable Start start;
    private volatile @Nullable Mailbox mailbox;
    private Handling[] handlings = NO_HANDLINGS;
    private Class<?> hubClass = HubVerticle.class;
    private @Nullable Upkeep upkeep;
    private @Nullable Ending ending;
    private long lastUsed;
    private long idleNanos;

    /** Where it stands in the {@link IdleWheel}; -1 when it is not in. */
    int wheelBucket = -1;

    @Nullable
    Activation wheelPrevious;

    @Nullable
    Activation wheelNext;

    Activation(HubLoop loop, MeshAddress address, ActivationId id, ContextInternal context) {
        this.loop = loop;
        this.address = address;
        this.id = id;
        this.context = context;
        this.lastUsed = loop.now();
        this.idleNanos = loop.options().idleTimeout().toNanos();
    }

    /** Makes the hub and starts it; the messages wait for that. */
    void begin(HubType type, Iterable<Delivery> waiting) {
        loop.metrics().born();
        Start starting = new Start(this, loop);
        start = starting;
        waiting.forEach(this::deliver);
        HubSetup setup = new HubSetup();
        Future<?> configured = loop.call(this, "its setup", () -> {
            HubVerticle hub = type.factory().get();
            hubClass = hub.getClass();
            hub.begin(this, context, setup);
            return Future.succeededFuture();
        });
        handlings = setup.handlings().toArray(NO_HANDLINGS);
        idleNanos = setup.idleTimeout().map(Duration::toNanos).orElse(idleNanos);
        if (!setup.disposals().isEmpty() || !setup.timers().isEmpty()) {
            upkeep = new Upkeep(this, loop, setup);
        }
        if (configured.failed()) {
            starting.end(configured.cause());
        } else {
            starting.run(setup.inits());
        }
    }

    @Override
    public void deliver(Delivery delivery) {
        if (SystemMessages.handle(delivery, this)) {
            return;
        }
        Start starting = start;
        Ending end = ending;
        if (end != null) {
            deliverToEnding(delivery, end);
        } else if (starting != null) {
            starting.offer(delivery);
        } else {
            lastUsed = loop.now();
            ownMailbox().offer(delivery, lastUsed);
        }
    }

    private void deliverToEnding(Delivery delivery, Ending end) {
        StartFailed failure = end.failure();
        if (failure != null) {
            delivery.fail(failure);
        } else if (!end.isPassivation()) {
            refuse(delivery);
        } else if (end.held().size() >= loop.options().startQueue()) {
            loop.overloaded(delivery, "startQueue", end.held().size());
        } else {
            delivery.describedBy(() -> Verdicts.deadline(this, delivery));
            end.held().add(delivery);
        }
    }

    private Mailbox ownMailbox() {
        Mailbox own = mailbox;
        if (own == null) {
            own = new Mailbox(this, loop);
            mailbox = own;
        }
        return own;
    }

    /** Refuses a message that no handler was entered with. */
    void refuse(Delivery delivery) {
        delivery.fail(ShuttingDown.refusal(address, id, life.level(), node()));
        loop.ignored(delivery.envelope(), "shutting-down");
    }

    /** The start is over; with a cause it failed. */
    void startEnded(@Nullable Throwable cause) {
        if (cause == null) {
            step(HubLife.Event.START_DONE);
        } else if (life.level() == RunLevel.STARTING) {
            startFailed(cause);
        } else {
            // Cut short by the teardown it is cancelled, and nobody's fault; anything else is one.
            if (!(cause instanceof ShuttingDown) && !(cause instanceof DeadlineExceeded)) {
                loop.metrics().count("hub.starts", "result", "failed");
                loop.metrics().fault("Start of a hub, during its disposal,", hubClass, cause);
            }
            step(HubLife.Event.START_FAILED);
        }
    }

    private void startFailed(Throwable cause) {
        Duration delay = loop.backoffs().nextDelay(address);
        StartFailed failure = StartFailed.of(address, Verdicts.detail(this).retryAfter(delay), cause);
        loop.metrics().count("hub.starts", "result", "failed");
        Start starting = start;
        if (starting == null || !starting.isStuck()) {
            loop.metrics().fault("Start of a hub", hubClass, cause);
        }
        loop.backoffs().failed(address, failure, delay, loop.now());
        beginEnding(new Ending("its start failed", false, failure, loop.now()));
        step(HubLife.Event.START_FAILED);
    }

    @Override
    public Future<Void> dispose(String reason) {
        if (loop.isCurrent()) {
            return end(reason, false);
        }
        Promise<Void> dead = Promise.promise();
        loop.execute(() -> end(reason, false).onComplete(dead));
        return dead.future();
    }

    /** Ends this activation, on its loop; with passivation, new messages are held for the next one. */
    Future<Void> end(String reason, boolean passivation) {
        Ending end = ending;
        if (end == null) {
            end = new Ending(reason, passivation, null, loop.now());
            beginEnding(end);
            LOG.debug("Hub {} ends: {} ({}, node={})", address, reason, id, node());
            step(HubLife.Event.DISPOSE);
        }
        return end.future();
    }

    /** Ends at once, on its loop, waiting for nothing: it was declared dead already. */
    void cut(String reason) {
        end(reason, false);
        step(HubLife.Event.WATCHDOG);
    }

    private void beginEnding(Ending end) {
        ending = end;
        if (upkeep != null) {
            upkeep.stopTimers();
        }
    }

    /** An exclusive handler did not end long after its deadline: the messages behind it would wait for ever. */
    void disposeAsStuck(InProgress message, long now) {
        if (ending == null) {
            LOG.warn(
                    "Hub {} is stuck: its exclusive handler of '{}' has been running for {} ms ({}, node={}, mailbox={});"
                            + " it is disposed",
                    address,
                    message.type(),
                    Duration.ofNanos(now - message.since()).toMillis(),
                    id,
                    node(),
                    depth());
            loop.metrics().count("hub.stuck");
            end("its exclusive handler of '" + message.type() + "' is stuck", false);
        }
    }

    private void step(HubLife.Event event) {
        HubLife before = life;
        HubLife.Step step = before.on(event);
        life = step.next();
        loop.metrics().moved(before.level(), life.level());
        for (HubLife.Command command : step.commands()) {
            perform(command, before.phase());
        }
    }

    private void perform(HubLife.Command command, HubLife.Phase before) {
        switch (command) {
            case OPEN -> open();
            case FAIL_WAITING -> failWaiting();
            case REFUSE_WAITING -> refuseWaiting();
            case ARM_BOUNDS -> armBounds();
            case AWAIT_DRAIN -> checkDrained();
            case RUN_ACTIONS -> runActions();
            // No hub hosts another one yet.
            case DISPOSE_HOSTED -> step(HubLife.Event.HOSTED_DONE);
            case ABANDON_RUNNING -> abandonRunning();
            case CLOSE_CONTEXT -> closeContext();
            case REPORT_STUCK -> reportStuck(before);
            case COMPLETE -> complete();
        }
    }

    private void open() {
        Start ended = start;
        start = null;
        lastUsed = loop.now();
        loop.started(this);
        if (upkeep != null) {
            upkeep.startTimers();
        }
        if (ended != null && ended.waiting() > 0) {
            ownMailbox().open(ended.takeWaiting());
        }
    }

    private void failWaiting() {
        Ending end = ending;
        Start starting = start;
        if (starting != null && end != null && end.failure() != null) {
            MeshException failure = end.failure();
            starting.takeWaiting().forEach(delivery -> delivery.fail(failure));
        }
    }

    private void refuseWaiting() {
        Start starting = start;
        if (starting != null) {
            starting.takeWaiting().forEach(this::refuse);
        }
        Mailbox own = mailbox;
        if (own != null) {
            own.refuse();
        }
    }

    private void armBounds() {
        Ending end = ending;
        // Most disposals are over within the step that began them.
        if (end != null && life.phase() != HubLife.Phase.DEAD) {
            end.bounds(
                    after(loop.options().quiesce(), HubLife.Event.QUIESCE_OVER),
                    after(loop.options().disposalWatchdog(), HubLife.Event.WATCHDOG));
        }
    }

    private Pacer.Cancellable after(Duration delay, HubLife.Event event) {
        return loop.services().pacer().after(delay, () -> loop.execute(() -> step(event)));
    }

    /** Goes on with the disposal when nothing is queued or running. */
    void checkDrained() {
        if (life.phase() != HubLife.Phase.DRAINING) {
            return;
        }
        Start starting = start;
        Mailbox own = mailbox;
        if ((starting == null || starting.isOver()) && (own == null || own.isQuiet())) {
            step(HubLife.Event.DRAINED);
        }
    }

    private void runActions() {
        if (upkeep == null) {
            step(HubLife.Event.ACTIONS_DONE);
        } else {
            upkeep.dispose(() -> step(HubLife.Event.ACTIONS_DONE));
        }
    }

    private void abandonRunning() {
        Start starting = start;
        if (starting != null) {
            starting.cancel();
        }
        Mailbox own = mailbox;
        if (own != null) {
            own.abandon();
        }
    }

    private void closeContext() {
        Future<Void> closed = HubContexts.close(context);
        if (closed.isComplete()) {
            step(HubLife.Event.CLOSED);
        } else {
            closed.onComplete((nothing, cause) -> loop.execute(() -> step(HubLife.Event.CLOSED)));
        }
    }

    private void reportStuck(HubLife.Phase phase) {
        Mailbox own = mailbox;
        InProgress oldest = own == null ? null : own.oldest();
        LOG.warn(
                "Disposal of hub {} is forced after {} ms: stuck in {} ({}, node={}, message in progress={}, mailbox={})",
                address,
                Duration.ofNanos(loop.now() - (ending == null ? lastUsed : ending.since()))
                        .toMillis(),
                phase,
                id,
                node(),
                oldest == null ? "none" : oldest.type(),
                depth());
        loop.metrics().count("hub.disposals.forced", "phase", phase.name());
    }

    private void complete() {
        Ending end = ending;
        if (end != null) {
            loop.left(this, end);
        }
    }

    @Nullable
    Handling handling(String type) {
        for (Handling handling : handlings) {
            if (handling.type().equals(type)) {
                return handling;
            }
        }
        return null;
    }

    List<String> types() {
        List<String> types = new ArrayList<>(handlings.length);
        for (Handling handling : handlings) {
            types.add(handling.type());
        }
        return types;
    }

    /** When it would be idle, on the clock. */
    long idleAt() {
        return lastUsed + idleNanos;
    }

    boolean isIdle(long now) {
        Mailbox own = mailbox;
        return life.phase() == HubLife.Phase.STARTED && now - idleAt() >= 0 && (own == null || own.isQuiet());
    }

    /** Lets go of the mailbox when it holds nothing, and nobody else holds it. */
    void trim() {
        Mailbox own = mailbox;
        if (own != null && own.isQuiet() && !own.listed && !own.watched && own.isCalm()) {
            mailbox = null;
        }
    }

    ActivationInfo info(long now) {
        return new ActivationInfo(address, id, level(), depth(), Duration.ofNanos(Math.max(0, now - lastUsed)));
    }

    private int depth() {
        Mailbox own = mailbox;
        Start starting = start;
        return own != null ? own.depth() : starting == null ? 0 : starting.waiting();
    }

    @Nullable
    Mailbox mailbox() {
        return mailbox;
    }

    @Nullable
    Start starting() {
        return start;
    }

    Class<?> hubClass() {
        return hubClass;
    }

    ContextInternal context() {
        return context;
    }

    @Override
    public MeshAddress address() {
        return address;
    }

    @Override
    public ActivationId activation() {
        return id;
    }

    @Override
    public ShardFence fence() {
        NodeInfo self = loop.services().membership().self();
        return new ShardFence(self.role(), address.shard(), id.epoch(), self.incarnation());
    }

    @Override
    public RunLevel level() {
        return life.level();
    }

    @Override
    public String node() {
        return loop.node();
    }

    @Override
    public Mesh mesh() {
        return loop.services().mesh().get();
    }

    @Override
    public MeshClock clock() {
        return loop.services().clock();
    }
}
