package io.meshhub.it.soak;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.SyncPlaces;
import io.vertx.core.Vertx;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Knows the timers that streams and their owners have set in this process, and finds what else is left of them. */
final class Leftovers implements Pacer {

    private static final String CLIENTS = "__mesh.sync.";
    private static final List<String> OF_STREAMS = List.of("io.meshhub.sync.", "io.meshhub.hub.sync.");
    private static final int DEPTH = 12;

    private final Pacer real = new WheelPacer();
    private final StackWalker stack = StackWalker.getInstance();
    private final Map<Object, String> armed = new ConcurrentHashMap<>();

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        String origin = stack.walk(Leftovers::origin);
        if (origin.isEmpty()) {
            return real.after(delay, action);
        }
        Object timer = new Object();
        armed.put(timer, origin);
        Cancellable set = real.after(delay, () -> {
            armed.remove(timer);
            action.run();
        });
        return () -> {
            boolean taken = set.cancel();
            if (taken) {
                armed.remove(timer);
            }
            return taken;
        };
    }

    private static String origin(Stream<StackWalker.StackFrame> frames) {
        return frames.limit(DEPTH)
                .map(StackWalker.StackFrame::getClassName)
                .filter(name -> OF_STREAMS.stream().anyMatch(name::startsWith))
                .findFirst()
                .orElse("");
    }

    /** What there is although no stream is open any more, each for people. */
    List<String> ofStreams(MeshHub hub) {
        List<String> left = new ArrayList<>();
        Map<String, Integer> timers = new TreeMap<>();
        armed.values().forEach(origin -> timers.merge(origin, 1, Integer::sum));
        timers.forEach((origin, count) -> left.add(count + " timers set by " + origin));
        consumers(hub.vertx()).stream()
                .filter(address -> address.startsWith(FeedNews.place("")))
                .forEach(address -> left.add("consumer of " + address));
        int followed = hub.runtime().sync().size();
        if (followed > 0) {
            left.add(followed + " addresses that are followed");
        }
        return left;
    }

    /** What there is of a client that is closed. */
    static List<String> ofClient(Vertx vertx) {
        return consumers(vertx).stream()
                .filter(address -> address.startsWith(CLIENTS) && !address.startsWith(SyncPlaces.ofOwners("")))
                .map(address -> "consumer of " + address)
                .toList();
    }

    // The bus has no list of its consumers for others, so its own is read.
    private static List<String> consumers(Vertx vertx) {
        for (Class<?> type = vertx.eventBus().getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("handlerMap")) {
                    return addresses(field, vertx);
                }
            }
        }
        throw new IllegalStateException("this event bus keeps its consumers elsewhere");
    }

    private static List<String> addresses(Field field, Vertx vertx) {
        try {
            field.setAccessible(true);
            return ((Map<?, ?>) field.get(vertx.eventBus()))
                    .keySet().stream().map(String::valueOf).toList();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
