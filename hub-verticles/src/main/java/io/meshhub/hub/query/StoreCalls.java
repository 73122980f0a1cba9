package io.meshhub.hub.query;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.Scope;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open calls of a store, found by the addresses that they look at. Touched only on the provider's context. */
final class StoreCalls {

    // Those whose scope is at their path or below it.
    private final Map<MeshAddress, Set<StoreCall>> byPath = new HashMap<>();
    private final Set<StoreCall> others = new HashSet<>();

    void add(StoreCall call) {
        MeshAddress path = path(call);
        if (path == null) {
            others.add(call);
        } else {
            byPath.computeIfAbsent(path, absent -> new HashSet<>()).add(call);
        }
    }

    /** Whether it was among them. */
    boolean remove(StoreCall call) {
        MeshAddress path = path(call);
        if (path == null) {
            return others.remove(call);
        }
        Set<StoreCall> there = byPath.get(path);
        if (there == null || !there.remove(call)) {
            return false;
        }
        if (there.isEmpty()) {
            byPath.remove(path);
        }
        return true;
    }

    private static @Nullable MeshAddress path(StoreCall call) {
        Query query = call.query();
        return query.scope() == Scope.ANCESTORS ? null : query.path();
    }

    /** Those whose scope takes in the address, whatever stands there. */
    List<StoreCall> covering(MeshAddress address) {
        List<StoreCall> found = new ArrayList<>();
        Optional<MeshAddress> at = Optional.of(address);
        while (at.isPresent()) {
            addCovering(byPath.getOrDefault(at.get(), Set.of()), address, found);
            at = at.get().parent();
        }
        addCovering(others, address, found);
        return found;
    }

    private static void addCovering(Set<StoreCall> calls, MeshAddress address, List<StoreCall> found) {
        for (StoreCall call : calls) {
            if (call.query().covers(address)) {
                found.add(call);
            }
        }
    }

    List<StoreCall> all() {
        List<StoreCall> all = new ArrayList<>(others);
        byPath.values().forEach(all::addAll);
        return all;
    }
}
