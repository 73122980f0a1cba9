package io.meshhub.routing.router;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.eventbus.MessageProducer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event bus with mesh addresses on it: verticles go on writing {@code eventBus.request("iso/CH/ZH", body)}.
 *
 * <p>What is sent to an address of a registered partition goes through the mesh, all else to the bus. The message type is
 * the header {@code mesh-type}, else that of the body's class. A send time-out that differs from the bus's default is the
 * deadline. {@code publish} and {@code publisher} on a mesh address notify its one activation.
 */
final class MeshEventBus implements EventBus {

    private static final Logger LOG = LoggerFactory.getLogger(MeshEventBus.class);

    private final EventBus bus;
    private final MeshRouter mesh;
    private final Set<String> partitions;
    private final Supplier<@Nullable MeshException> barred;

    MeshEventBus(EventBus bus, MeshRouter mesh) {
        this(bus, mesh, ConcurrentHashMap.newKeySet(), () -> null);
    }

    private MeshEventBus(
            EventBus bus, MeshRouter mesh, Set<String> partitions, Supplier<@Nullable MeshException> barred) {
        this.bus = bus;
        this.mesh = mesh;
        this.partitions = partitions;
        this.barred = barred;
    }

    /** The same for a sender that may not always send to mesh addresses: why not, or null. */
    MeshEventBus unlessBarred(Supplier<@Nullable MeshException> newBarred) {
        return new MeshEventBus(bus, mesh, partitions, newBarred);
    }

    void addPartition(String partition) {
        partitions.add(partition);
    }

    private boolean isMesh(String address) {
        int slash = address.indexOf('/');
        return partitions.contains(slash < 0 ? address : address.substring(0, slash));
    }

    private Future<MeshReply> toMesh(String address, @Nullable Object body, DeliveryOptions options, boolean reply) {
        MeshException why = barred.get();
        if (why != null) {
            return Future.failedFuture(why);
        }
        Envelope envelope;
        try {
            envelope = envelope(address, body, options, reply);
        } catch (MeshException e) {
            return Future.failedFuture(e);
        }
        return mesh.call(envelope, MeshOptions.DEFAULT).answer();
    }

    private Envelope envelope(String address, @Nullable Object body, DeliveryOptions options, boolean reply) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        if (options.getHeaders() != null) {
            headers.addAll(options.getHeaders());
        }
        // Who sends and on whose behalf is not for a header to say; it is inherited from the message being handled.
        headers.remove(EnvelopeHeaders.FROM).remove(EnvelopeHeaders.PRINCIPAL).remove(EnvelopeHeaders.HOPS);
        headers.set(EnvelopeHeaders.TO, address);
        MeshBody taken = MeshRouter.body(MeshAddress.of(address), body);
        boolean isSet = options.getSendTimeout() != DeliveryOptions.DEFAULT_TIMEOUT;
        Duration budget = isSet
                ? Duration.ofMillis(options.getSendTimeout())
                : mesh.budgets().request();
        Envelope read = EnvelopeHeaders.fromHeaders(headers, taken, budget, reply);
        if (MessageType.Names.isSystem(read.type())) {
            throw Rejected.message(read.to(), "type '" + read.type() + "' is one of the mesh's own");
        }
        CallScope scope = CallScope.current();
        return new Envelope(
                read.to(),
                read.type(),
                read.body(),
                read.verb(),
                null,
                read.deadlineMs(),
                0,
                scope.principal(),
                read.correlationId() == null ? scope.correlationId() : read.correlationId(),
                read.traceparent() == null ? scope.traceparent() : read.traceparent(),
                0);
    }

    @Override
    public <T> Future<Message<T>> request(String address, @Nullable Object message, DeliveryOptions options) {
        if (!isMesh(address)) {
            return bus.request(address, message, options);
        }
        return toMesh(address, message, options, true).map(reply -> asMessage(address, reply));
    }

    @SuppressWarnings("unchecked") // As on the bus itself, the caller says what it expects.
    private static <T> Message<T> asMessage(String address, MeshReply reply) {
        return new MeshMessage<>(address, MultiMap.caseInsensitiveMultiMap(), (T)
                reply.body().as(Object.class).orElse(null));
    }

    @Override
    public EventBus send(String address, @Nullable Object message) {
        return send(address, message, new DeliveryOptions());
    }

    @Override
    public EventBus send(String address, @Nullable Object message, DeliveryOptions options) {
        if (!isMesh(address)) {
            bus.send(address, message, options);
            return this;
        }
        if (isIgnorable(options)) {
            notify(address, message, options);
            return this;
        }
        toMesh(address, message, options, false)
                .onFailure(e -> LOG.warn("Message sent to '{}' was lost: {}", address, e.getMessage()));
        return this;
    }

    @Override
    public EventBus publish(String address, @Nullable Object message) {
        return publish(address, message, new DeliveryOptions());
    }

    @Override
    public EventBus publish(String address, @Nullable Object message, DeliveryOptions options) {
        if (!isMesh(address)) {
            bus.publish(address, message, options);
            return this;
        }
        DeliveryOptions ignorable = new DeliveryOptions(options).addHeader(EnvelopeHeaders.IGNORABLE, "true");
        notify(address, message, ignorable);
        return this;
    }

    private void notify(String address, @Nullable Object message, DeliveryOptions options) {
        if (barred.get() == null) {
            mesh.tell(() -> envelope(address, message, options, false));
        }
    }

    private static boolean isIgnorable(DeliveryOptions options) {
        return options.getHeaders() != null
                && Boolean.parseBoolean(options.getHeaders().get(EnvelopeHeaders.IGNORABLE));
    }

    @Override
    public <T> MessageProducer<T> sender(String address) {
        return sender(address, new DeliveryOptions());
    }

    @Override
    public <T> MessageProducer<T> sender(String address, DeliveryOptions options) {
        return isMesh(address) ? new Producer<>(address, options, false) : bus.sender(address, options);
    }

    @Override
    public <T> MessageProducer<T> publisher(String address) {
        return publisher(address, new DeliveryOptions());
    }

    @Override
    public <T> MessageProducer<T> publisher(String address, DeliveryOptions options) {
        return isMesh(address) ? new Producer<>(address, options, true) : bus.publisher(address, options);
    }

    private final class Producer<T> implements MessageProducer<T> {

        private final String address;
        private final boolean publishes;
        private DeliveryOptions options;

        Producer(String address, DeliveryOptions options, boolean publishes) {
            this.address = address;
            this.options = options;
            this.publishes = publishes;
        }

        @Override
        public MessageProducer<T> deliveryOptions(DeliveryOptions newOptions) {
            options = newOptions;
            return this;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public Future<Void> write(T body) {
            if (publishes || isIgnorable(options)) {
                publish(address, body, options);
                return Future.succeededFuture();
            }
            return toMesh(address, body, options, false).mapEmpty();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    private <R> R registering(String address, Supplier<R> registration) {
        if (isMesh(address)) {
            throw new IllegalArgumentException("Address '" + address
                    + "' belongs to a partition of the mesh: it is served by a hub, not by a consumer of the bus");
        }
        return registration.get();
    }

    @Override
    public <T> MessageConsumer<T> consumer(MessageConsumerOptions options) {
        return registering(options.getAddress(), () -> bus.consumer(options));
    }

    @Override
    public <T> MessageConsumer<T> consumer(MessageConsumerOptions options, Handler<Message<T>> handler) {
        return registering(options.getAddress(), () -> bus.consumer(options, handler));
    }

    @Override
    public <T> MessageConsumer<T> consumer(String address) {
        return registering(address, () -> bus.consumer(address));
    }

    @Override
    public <T> MessageConsumer<T> consumer(String address, Handler<Message<T>> handler) {
        return registering(address, () -> bus.consumer(address, handler));
    }

    @Override
    public <T> MessageConsumer<T> localConsumer(String address) {
        return registering(address, () -> bus.localConsumer(address));
    }

    @Override
    public <T> MessageConsumer<T> localConsumer(String address, Handler<Message<T>> handler) {
        return registering(address, () -> bus.localConsumer(address, handler));
    }

    @Override
    @SuppressWarnings("rawtypes") // The type of the overridden method.
    public EventBus registerCodec(MessageCodec codec) {
        bus.registerCodec(codec);
        return this;
    }

    @Override
    public EventBus unregisterCodec(String name) {
        bus.unregisterCodec(name);
        return this;
    }

    @Override
    public <T> EventBus registerDefaultCodec(Class<T> type, MessageCodec<T, ?> codec) {
        bus.registerDefaultCodec(type, codec);
        return this;
    }

    @Override
    @SuppressWarnings("rawtypes") // The type of the overridden method.
    public EventBus unregisterDefaultCodec(Class type) {
        bus.unregisterDefaultCodec(type);
        return this;
    }

    @Override
    public EventBus codecSelector(Function<Object, String> selector) {
        bus.codecSelector(selector);
        return this;
    }

    @Override
    public <T> EventBus addOutboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        bus.addOutboundInterceptor(interceptor);
        return this;
    }

    @Override
    public <T> EventBus removeOutboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        bus.removeOutboundInterceptor(interceptor);
        return this;
    }

    @Override
    public <T> EventBus addInboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        bus.addInboundInterceptor(interceptor);
        return this;
    }

    @Override
    public <T> EventBus removeInboundInterceptor(Handler<DeliveryContext<T>> interceptor) {
        bus.removeInboundInterceptor(interceptor);
        return this;
    }

    @Override
    public EventBus clusterSerializableChecker(Function<String, Boolean> checker) {
        bus.clusterSerializableChecker(checker);
        return this;
    }

    @Override
    public EventBus serializableChecker(Function<String, Boolean> checker) {
        bus.serializableChecker(checker);
        return this;
    }

    @Override
    public boolean isMetricsEnabled() {
        return bus.isMetricsEnabled();
    }
}
