package io.meshhub.hub;

import io.meshhub.hub.sync.HubState;
import io.meshhub.hub.sync.StateHub;
import io.meshhub.hub.sync.StateSource;
import io.meshhub.hub.sync.SyncOwners;
import io.meshhub.routing.MessageType;
import io.meshhub.sync.protocol.Subscribe;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a hub says of itself in {@link HubVerticle#configure}: its handlers, what to do at start and end, its timers.
 *
 * <p>The value of a handler's future is the body of the reply, see {@link io.meshhub.routing.MeshBody#of}. A handler that
 * takes messages without a body reads them as {@link io.meshhub.routing.MeshBody}; for any other class a message without
 * a body is {@link io.meshhub.routing.failure.Rejected}.
 */
public final class HubSetup {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final List<Handling> handlings = new ArrayList<>(4);
    private final List<Supplier<? extends Future<?>>> inits = new ArrayList<>(1);
    private final List<Supplier<? extends Future<?>>> disposals = new ArrayList<>(1);
    private final List<Periodic> timers = new ArrayList<>(1);
    private final Map<String, Supplier<? extends HubVerticle>> hosted = new HashMap<>(2);
    private final List<BooleanSupplier> wakeful = new ArrayList<>(1);
    private final @Nullable Intercepted intercepted;
    private @Nullable Duration idleTimeout;
    private @Nullable SyncOwners owners;
    private @Nullable Supplier<StateHub> published;

    /** Something that is done again and again while the hub is started. */
    record Periodic(Duration period, Runnable action) {}

    /** An activation whose code stands behind an interceptor. */
    record Intercepted(HubContext hub, HubTypes.Interceptor interceptor) {}

    HubSetup() {
        this(null);
    }

    HubSetup(@Nullable Intercepted intercepted) {
        this.intercepted = intercepted;
        if (intercepted != null) {
            inits.add(() -> intercepted.interceptor().start(intercepted.hub()));
        }
    }

    /** Lets the hub publish a state. */
    HubSetup publishing(SyncOwners newOwners, Supplier<StateHub> hub) {
        owners = newOwners;
        published = hub;
        return this;
    }

    /**
     * Lets the address be followed: the hub sets its state whenever that changes. A hub without a state answers {@link
     * io.meshhub.routing.failure.NotHandled} to who wants to follow it.
     *
     * @throws IllegalArgumentException when the hub has a state already
     */
    public HubState state() {
        return subscribable(HubState::of);
    }

    /**
     * Lets the address be followed: the hub is asked for its state, on its context and only while somebody follows, and
     * says when that has {@linkplain HubState#changed() changed}.
     *
     * @throws IllegalArgumentException when the hub has a state already
     */
    public HubState state(Supplier<JsonObject> supplier) {
        return subscribable((node, hub) -> HubState.of(node, hub, supplier));
    }

    /** The same for a hub whose states have versions of its own, or which decides who may follow. */
    public HubState state(StateSource source) {
        return subscribable((node, hub) -> HubState.of(node, hub, source));
    }

    private HubState subscribable(BiFunction<SyncOwners, StateHub, HubState> maker) {
        SyncOwners node = owners;
        Supplier<StateHub> hub = published;
        if (node == null || hub == null) {
            throw new IllegalStateException("a hub that no node hosts has no followers");
        }
        HubState state = maker.apply(node, hub.get());
        add(handling(
                Subscribe.TYPE,
                JsonObject.class,
                (body, message) -> state.subscribe((JsonObject) body, message.principal())));
        return state;
    }

    /** Handles the messages of a class, under its {@linkplain MessageType.Names#of message type}. */
    public <T> Handling on(Class<T> type, Function<T, ? extends Future<?>> handler) {
        return on(MessageType.Names.of(type), type, handler);
    }

    /** Handles the messages of a class, and sees what came along with each. */
    public <T> Handling on(Class<T> type, BiFunction<T, MessageContext, ? extends Future<?>> handler) {
        return on(MessageType.Names.of(type), type, handler);
    }

    /** Handles the messages of the named type, whose bodies are read as the class. */
    public <T> Handling on(String messageType, Class<T> bodyType, Function<T, ? extends Future<?>> handler) {
        return add(messageType, bodyType, (body, message) -> handler.apply(bodyType.cast(body)));
    }

    /**
     * Handles the messages of the named type, whose bodies are read as the class, and sees what came along with each.
     *
     * @throws IllegalArgumentException when the type has a handler already, or is one that the mesh handles itself
     */
    public <T> Handling on(
            String messageType, Class<T> bodyType, BiFunction<T, MessageContext, ? extends Future<?>> handler) {
        return add(messageType, bodyType, (body, message) -> handler.apply(bodyType.cast(body), message));
    }

    private Handling add(
            String messageType, Class<?> bodyType, BiFunction<Object, MessageContext, ? extends Future<?>> handler) {
        if (SystemMessages.handles(messageType)) {
            throw new IllegalArgumentException(
                    "message type '" + messageType + "' is handled by the mesh itself and cannot have a handler");
        }
        return add(handling(messageType, bodyType, handler));
    }

    private Handling handling(
            String messageType, Class<?> bodyType, BiFunction<Object, MessageContext, ? extends Future<?>> handler) {
        Intercepted between = intercepted;
        return between == null
                ? new Handling(messageType, bodyType, handler)
                : new Handling(
                        messageType,
                        bodyType,
                        (body, message) -> between.interceptor()
                                .handle(between.hub(), message, () -> handler.apply(body, message)));
    }

    private Handling add(Handling handling) {
        for (Handling other : handlings) {
            if (other.type().equals(handling.type())) {
                throw new IllegalArgumentException("two handlers for message type '" + handling.type() + "': one reads "
                        + other.bodyType().getName() + ", the other "
                        + handling.bodyType().getName() + "; a hub has one handler for each type");
            }
        }
        handlings.add(handling);
        return handling;
    }

    /** Runs before the first message is handled; several run one after the other, and all must succeed. */
    public HubSetup init(Supplier<? extends Future<?>> action) {
        inits.add(action);
        return this;
    }

    /** Runs when the hub ends; one that fails or hangs does not stop the others. */
    public HubSetup onDispose(Supplier<? extends Future<?>> action) {
        disposals.add(action);
        return this;
    }

    /**
     * Ends the activation after so long without a message; that of the {@link HubOptions} where it is not set.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public HubSetup idleTimeout(Duration timeout) {
        idleTimeout = requirePositive("idle time-out", timeout);
        return this;
    }

    /**
     * Runs the action again and again on the hub's context while the hub is started, first after one period.
     *
     * @throws IllegalArgumentException when the period is not positive
     */
    public HubSetup every(Duration period, Runnable action) {
        timers.add(new Periodic(requirePositive("period", period), action));
        return this;
    }

    /**
     * Names a kind of hub that this one hosts; {@link HubContext#host} wakes one.
     *
     * @param factory makes an instance for each of its lives, on this hub's loop; it must not block
     * @throws IllegalArgumentException when the kind is there already
     */
    public HubSetup hosts(String kind, Supplier<? extends HubVerticle> factory) {
        if (hosted.putIfAbsent(kind, factory) != null) {
            throw new IllegalArgumentException("two kinds of hosted hubs under the name '" + kind + "'");
        }
        return this;
    }

    /**
     * Keeps the hub awake as long as the condition holds, such as while somebody follows its state. It is asked on the
     * hub's loop when the hub would be idle, and must not block; an idle time-out begins anew with each time it holds.
     */
    public HubSetup awakeWhile(BooleanSupplier condition) {
        wakeful.add(condition);
        return this;
    }

    private static Duration requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " = " + value + " must be > 0");
        }
        // What is meant as "never" must fit into nanoseconds.
        return value.compareTo(LONGEST) > 0 ? LONGEST : value;
    }

    List<Handling> handlings() {
        return handlings;
    }

    List<Supplier<? extends Future<?>>> inits() {
        return inits;
    }

    List<Supplier<? extends Future<?>>> disposals() {
        return disposals;
    }

    List<Periodic> timers() {
        return timers;
    }

    Map<String, Supplier<? extends HubVerticle>> hosted() {
        return hosted;
    }

    List<BooleanSupplier> wakeful() {
        return wakeful;
    }

    Optional<Duration> idleTimeout() {
        return Optional.ofNullable(idleTimeout);
    }
}
