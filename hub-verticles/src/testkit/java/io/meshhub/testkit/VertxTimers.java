package io.meshhub.testkit;

import io.vertx.core.Vertx;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The timers of a Vert.x. It has no list of them for others, so its own is read; a test of the kit watches that. */
final class VertxTimers {

    private static final Logger LOG = LoggerFactory.getLogger(VertxTimers.class);

    private VertxTimers() {}

    /** Each by its id, with what it is, for people; without those of the mesh. */
    static Map<Long, String> of(Vertx vertx) {
        try {
            Map<Long, String> timers = new TreeMap<>();
            for (Map.Entry<?, ?> entry : new HashMap<>((Map<?, ?>) read(vertx, "timeouts")).entrySet()) {
                Object timer = entry.getValue();
                Class<?> handler = read(timer, "handler").getClass();
                if (!Origin.isMesh(handler)) {
                    String kind = Boolean.TRUE.equals(read(timer, "periodic")) ? "periodic timer" : "timer";
                    timers.put((Long) entry.getKey(), kind + " of Vert.x whose handler is in " + Origin.of(handler));
                }
            }
            return timers;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("Timers are not looked for: this Vert.x keeps them elsewhere ({})", e.toString());
            return Map.of();
        }
    }

    private static Object read(Object from, String name) throws ReflectiveOperationException {
        Field field = from.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(from);
    }
}
