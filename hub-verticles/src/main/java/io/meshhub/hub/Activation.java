package io.meshhub.hub;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.hub.life.HubContexts;
import io.meshhub.hub.life.HubLife;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
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
    private volatile @Nullable Household household;
    private long lastUsed;
    private long idleNanos;

    /** Where it stands in the {@link IdleWheel}; -1 when it is not in. */
    int wheelBucket = -1;

    @Nullable
    Activation wheelPrevious;

    @Nullable
    Activation wheelNext;

    /**
     * @param host the hub that hosts this one; null when it has an address of the mesh
     */
    Activation(HubLoop loop, MeshAddress address, ActivationId id, ContextInternal context, @Nullable Activation host) {
        this.loop = loop;
        this.address = address;
        this.id = id;
        this.context = context;
        this.lastUsed = loop.now();
        this.idleNanos = loop.options().idleTimeout().toNanos();
        if (host != null) {
            this.household = new Household(this, loop, host);
        }
    }

    /** Makes the hub and starts it; the messages wait for that. */
    void begin(Supplier<? extends HubVerticle> factory, Iterable<Delivery> waiting) {
        loop.metrics().born();
        Start starting = new Start(this, loop);
        start = starting;
        waiting.forEach(this::deliver);
        HubSetup setup = loop.setup(this);
        Future<?> configured = loop.call(this, "its setup", () -> {
            HubVerticle hub = factory.get();
            hubClass = hub.getClass();
            hub.begin(this, context, setup);
            return Future.succeededFuture();
        });
        handlings = setup.handlings().toArray(NO_HANDLINGS);
        idleNanos = setup.idleTimeout().map(Duration::toNanos).orElse(idleNanos);
        if (!setup.disposals().isEmpty() || !setup.timers().isEmpty()) {
            upkeep = new Upkeep(this, loop, setup);
        }
        if (!setup.hosted().isEmpty() || !setup.wakeful().isEmpty()) {
            household().settle(setup);
        }
        if (configured.failed()) {
            starting.end(configured.cause());
        } else {
            starting.run(setup.inits());
        }
    }

    @Override
    public void deliver(Delivery delivery) {
        if (SystemMessages.handle(delivery, this, loop.options())) {
            return;
        }
        Start starting = start;
        Ending end = ending;
        if (end != null) {
            end.take(delivery);
        } else if (starting != null) {
            starting.offer(delivery);
        } else {
            long now = loop.now();
            used(now);
            ownMailbox().offer(delivery, now);
        }
    }

    // A message to a hosted hub uses its host as well, whose end would be its own.
    private void used(long now) {
        lastUsed = now;
        Activation host = host();
        if (host != null) {
            host.used(now);
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

    /** What it says to a message that it does not take. */
    ShuttingDown refusal() {
        return ShuttingDown.refusal(address, id, life.level(), node());
    }

    /** Refuses a message that no handler was entered with. */
    void refuse(Delivery delivery) {
        delivery.fail(refusal());
        loop.ignored(delivery.envelope(), "shutting-down");
    }

    /** The start failed while nobody wanted the hub to end. */
    void startFailed(StartFailed failure) {
        beginEnding(new Ending(this, loop, "its start failed", false, failure, bounds()));
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
        return end(reason, passivation, bounds());
    }

    /** The same within bounds of its own; when it is ending already, narrower ones take the place of the old. */
    Future<Void> end(String reason, boolean passivation, DisposalBounds within) {
        Ending end = ending;
        if (end == null) {
            end = new Ending(this, loop, reason, passivation, null, within);
            beginEnding(end);
            LOG.debug("Hub {} ends: {} ({}, node={})", address, reason, id, node());
            step(HubLife.Event.DISPOSE);
        } else if (life.phase() != HubLife.Phase.DEAD) {
            end.narrow(within);
        }
        return end.future();
    }

    /** Ends at once, on its loop, waiting for nothing: it was declared dead already, or nobody can wait for it any more. */
    void cut(String reason) {
        end(reason, false);
        step(HubLife.Event.WATCHDOG);
    }

    /** The bounds of its disposal when it begins by itself; a hosted hub's are within its host's. */
    private DisposalBounds bounds() {
        Activation host = host();
        if (host == null) {
            return loop.options().disposal();
        }
        DisposalBounds outer = host.bounds();
        return outer.within(outer.watchdog());
    }

    // Set before the level changes: from here on nothing can be hosted anywhere below.
    private void beginEnding(Ending end) {
        ending = end;
        if (upkeep != null) {
            upkeep.stopTimers();
        }
    }

    void step(HubLife.Event event) {
        HubLife before = life;
        HubLife.Step step = before.on(event);
        life = step.next();
        loop.metrics().moved(before.level(), life.level());
        for (HubLife.Command command : step.commands()) {
            perform(command, before.phase());
        }
    }

    private void perform(HubLife.Command command, HubLife.Phase before) {
        Ending end = ending;
        if (command == HubLife.Command.OPEN) {
            open();
        } else if (end != null) {
            end.perform(command, before);
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

    /** Goes on with the disposal when nothing is queued, running or asked. */
    void checkDrained() {
        if (life.phase() != HubLife.Phase.DRAINING) {
            return;
        }
        Start starting = start;
        Mailbox own = mailbox;
        if ((starting == null || starting.isOver())
                && (own == null || own.isQuiet())
                && (household == null || household.isAnswered())) {
            step(HubLife.Event.DRAINED);
        }
    }

    /** A hub that is hosted here is dead. */
    void hostedLeft(Activation child) {
        Household own = household();
        own.left(child);
        if (own.isEmpty()) {
            step(HubLife.Event.HOSTED_DONE);
        }
    }

    /** Lets go of the hub: whoever holds on to its last life must not hold it. */
    void letGo() {
        handlings = NO_HANDLINGS;
        upkeep = null;
        Household own = household;
        if (own != null) {
            own.letGo();
        }
    }

    /** Keeps the entry in the table when the activation is dead, and ends it. */
    Future<Void> park() {
        Ending end = ending;
        if (end == null) {
            end = new Ending(this, loop, "it is parked", false, null, bounds());
            end.park(true);
            beginEnding(end);
            step(HubLife.Event.DISPOSE);
        } else if (life.phase() != HubLife.Phase.DEAD) {
            end.park(true);
        }
        return end.future();
    }

    /** Lets a parked address go: the next message wakes it. */
    void unpark() {
        Ending end = ending;
        if (end != null && end.isParked()) {
            end.park(false);
            if (life.phase() == HubLife.Phase.DEAD) {
                loop.left(this, end);
            }
        }
    }

    boolean isEnding() {
        return ending != null;
    }

    boolean isParked() {
        Ending end = ending;
        return end != null && end.isParked();
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
        long idle = lastUsed + idleNanos;
        Household own = household;
        return own != null && own.awakeUntil() - idle > 0 ? own.awakeUntil() : idle;
    }

    boolean isIdle(long now) {
        if (life.phase() != HubLife.Phase.STARTED || now - idleAt() < 0 || isBusy()) {
            return false;
        }
        if (isWakeful()) {
            // As good as a message: it is asked again when it would be idle once more.
            lastUsed = now;
            return false;
        }
        return true;
    }

    /** Whether something waits or is under way here, or in a hub that is hosted here. */
    boolean isBusy() {
        Mailbox own = mailbox;
        Household house = household;
        return start != null || (own != null && !own.isQuiet()) || (house != null && house.isBusy());
    }

    /** Whether the hub, or one that it hosts, wants to stay awake without a message. */
    boolean isWakeful() {
        Household own = household;
        return own != null && (loop.now() - own.awakeUntil() < 0 || own.isWakeful());
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

    int depth() {
        Mailbox own = mailbox;
        Start starting = start;
        return own != null ? own.depth() : starting == null ? 0 : starting.waiting();
    }

    /** What only some activations have; made at the first use, on any thread. */
    Household household() {
        Household own = household;
        return own == null ? makeHousehold() : own;
    }

    private synchronized Household makeHousehold() {
        Household own = household;
        if (own == null) {
            own = new Household(this, loop, null);
            household = own;
        }
        return own;
    }

    /** The hub that hosts this one; null when it has an address of the mesh. */
    @Nullable
    Activation host() {
        Household own = household;
        return own == null ? null : own.host();
    }

    /** The shard with whose epoch it lives: its root's. */
    int shard() {
        Activation host = host();
        return host == null ? address.shard() : host.shard();
    }

    /** Whether it is not ending, and so may host; the hubs above it count as well. */
    boolean mayHost() {
        return ending == null && life.mayHost();
    }

    @Nullable
    Mailbox mailbox() {
        return mailbox;
    }

    @Nullable
    Upkeep upkeep() {
        return upkeep;
    }

    /** What only some activations have; null for the others. */
    @Nullable
    Household householdIfAny() {
        return household;
    }

    HubLife.Phase phase() {
        return life.phase();
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
        return new ShardFence(self.role(), shard(), id.epoch(), self.incarnation());
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
        return household().calls();
    }

    @Override
    public MeshClock clock() {
        return loop.services().clock();
    }

    @Override
    public HostedHub host(String kind, String name) {
        return household().host(kind, name);
    }

    @Override
    public Duration keepAlive(Duration time) {
        return household().keepAlive(time);
    }

    @Override
    public Future<String> deploy(Deployable verticle, DeploymentOptions options) {
        return HubContexts.deploy(context, verticle, options);
    }
}
