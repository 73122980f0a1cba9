package io.meshhub.hub.launcher;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes SIGTERM and SIGINT over from the JVM. A shutdown hook would not do: the JVM then ends with 128 plus the signal
 * whatever the hook did, and swallows the second signal, which is to cut.
 *
 * <p>The JVM's signal class has no supported name; where it is missing, signals end the process as by default.
 */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** From now on both signals go to the handler, on a thread of the JVM's. */
    static void to(Consumer<String> handler) {
        for (String name : List.of("TERM", "INT")) {
            try {
                take(name, handler);
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("Signal {} cannot be handled, so it ends the process without a drain: {}", name, e.toString());
            }
        }
    }

    private static void take(String name, Consumer<String> handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> type = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().equals("handle")) {
                handler.accept("SIG" + name);
                return null;
            }
            return switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(self);
                case "equals" -> args != null && self == args[0];
                default -> "handler of SIG" + name;
            };
        });
        signal.getMethod("handle", signal, type)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }
}
