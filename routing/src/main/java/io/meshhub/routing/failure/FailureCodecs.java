package io.meshhub.routing.failure;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event-bus codecs of the failures, one for each exact class, since Vert.x hands no codec down to a subclass: one
 * without would arrive flattened to code and text.
 */
public final class FailureCodecs {

    private static final Logger LOG = LoggerFactory.getLogger(FailureCodecs.class);

    private static final List<Class<? extends MeshException>> LEAVES = List.of(
            NotFound.class,
            NotHandled.class,
            ShuttingDown.class,
            Unavailable.class,
            DeadlineExceeded.class,
            QueryProviderStalled.class,
            Overloaded.class,
            StartFailed.class,
            HandlerFailed.class,
            Rejected.class,
            Unauthorized.class,
            Forbidden.class,
            Conflict.class,
            RoutingLoop.class);

    private FailureCodecs() {}

    /** All leaves of the family. */
    public static List<Class<? extends MeshException>> leaves() {
        return LEAVES;
    }

    /** Registers the codecs that a bus does not have yet. */
    public static void register(EventBus bus) {
        LEAVES.forEach(leaf -> registerOne(bus, leaf));
    }

    private static <T extends MeshException> void registerOne(EventBus bus, Class<T> leaf) {
        registerOnce(bus, leaf, new Codec<>(leaf));
    }

    /** Registers a codec, unless the bus has one for the class: the routers of one Vertx share its bus. */
    public static <T> void registerOnce(EventBus bus, Class<T> type, MessageCodec<T, T> codec) {
        try {
            bus.registerDefaultCodec(type, codec);
        } catch (IllegalStateException alreadyThere) {
            LOG.debug("The bus has a codec for {} already", type.getSimpleName());
        }
    }

    private record Codec<T extends MeshException>(Class<T> leaf) implements MessageCodec<T, T> {

        @Override
        public void encodeToWire(Buffer buffer, T failure) {
            Buffer json = FailureJson.write(failure).toBuffer();
            buffer.appendInt(json.length()).appendBuffer(json);
        }

        @Override
        public T decodeFromWire(int position, Buffer buffer) {
            int length = buffer.getInt(position);
            JsonObject json = new JsonObject(buffer.getBuffer(position + 4, position + 4 + length));
            return leaf.cast(FailureJson.read(json));
        }

        @Override
        public T transform(T failure) {
            return failure;
        }

        @Override
        public String name() {
            return "mesh-failure-" + leaf.getSimpleName();
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }
}
