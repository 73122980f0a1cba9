package io.meshhub.routing.failure;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * The event-bus codecs of the failures, one for each exact class, since Vert.x hands no codec down to a subclass: one
 * without would arrive flattened to code and text.
 */
public final class FailureCodecs {

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

    /** Registers all codecs on a bus that has none of them yet; a bus takes them once. */
    public static void register(EventBus bus) {
        LEAVES.forEach(leaf -> registerOne(bus, leaf));
    }

    private static <T extends MeshException> void registerOne(EventBus bus, Class<T> leaf) {
        bus.registerDefaultCodec(leaf, new Codec<>(leaf));
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
