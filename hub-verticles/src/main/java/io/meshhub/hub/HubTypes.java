package io.meshhub.hub;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hub types of a node, by prefix; safe from any thread. */
public final class HubTypes {

    private final ConcurrentHashMap<String, HubType> types = new ConcurrentHashMap<>();

    private volatile @Nullable Interceptor interceptor;

    /**
     * Stands between the runtime and the code of every hub of a node: a test lets hubs hang and fail with it. Called on
     * the context of the hub.
     */
    public interface Interceptor {

        /**
         * Comes before the init actions of a hub, which wait for it; one that fails, or throws, fails the start.
         *
         * @param hub the activation that starts
         */
        Future<?> start(HubContext hub);

        /**
         * Comes in place of a handler of a hub, and so decides whether and when that is entered.
         *
         * @param hub the activation that the message has come to
         * @param message what came along with it
         * @param handler enters the handler; it may throw
         * @return ends the message
         */
        Future<?> handle(HubContext hub, MessageContext message, Supplier<? extends Future<?>> handler);
    }

    /** No types yet. */
    public HubTypes() {}

    /** Adds a type whose addresses all exist. */
    public HubTypes register(String prefix, Supplier<? extends HubVerticle> factory) {
        return register(HubType.of(prefix, factory));
    }

    /**
     * Adds a type.
     *
     * @throws IllegalArgumentException when the prefix has one already
     */
    public HubTypes register(HubType type) {
        if (types.putIfAbsent(type.prefix(), type) != null) {
            throw new IllegalArgumentException("two hub types for prefix '" + type.prefix() + "'");
        }
        return this;
    }

    /** The type with the longest prefix that the address matches; one that names the partition goes first. */
    public Optional<HubType> find(MeshAddress address) {
        String prefix = address.toString();
        int partition = prefix.indexOf('/');
        // Few addresses lie in a satellite, and only for those is more looked up.
        boolean satellite = partition > 0 && prefix.startsWith("/_", partition);
        while (true) {
            HubType type = types.get(prefix);
            if (type == null && satellite && prefix.length() > partition) {
                type = types.get("*" + prefix.substring(partition));
            }
            if (type != null) {
                return Optional.of(type);
            }
            int slash = prefix.lastIndexOf('/');
            if (slash < 0) {
                return Optional.ofNullable(types.get(""));
            }
            prefix = prefix.substring(0, slash);
        }
    }

    /** Has all hubs that start from now on stand behind the interceptor; there is one at most. */
    public HubTypes intercept(Interceptor newInterceptor) {
        interceptor = newInterceptor;
        return this;
    }

    /** A setup for one activation. */
    HubSetup setup(HubContext hub) {
        Interceptor between = interceptor;
        return between == null ? new HubSetup() : new HubSetup(new HubSetup.Intercepted(hub, between));
    }

    /** The prefixes, in order. */
    public Set<String> prefixes() {
        return new TreeSet<>(types.keySet());
    }
}
