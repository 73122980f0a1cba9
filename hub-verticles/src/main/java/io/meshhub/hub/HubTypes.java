package io.meshhub.hub;

import io.meshhub.routing.MeshAddress;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The hub types of a node, by prefix; safe from any thread. */
public final class HubTypes {

    private final ConcurrentHashMap<String, HubType> types = new ConcurrentHashMap<>();

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

    /** The type with the longest prefix that the address matches. */
    public Optional<HubType> find(MeshAddress address) {
        String prefix = address.toString();
        while (true) {
            HubType type = types.get(prefix);
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

    /** The prefixes, in order. */
    public Set<String> prefixes() {
        return new TreeSet<>(types.keySet());
    }
}
