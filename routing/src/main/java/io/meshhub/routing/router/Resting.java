package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The calls that rest between two asks, by shard, so that news of a shard or an address wakes just those. */
final class Resting {

    private final Map<Integer, Set<Call>> byShard = new ConcurrentHashMap<>();

    void add(Call call) {
        byShard.computeIfAbsent(call.envelope().to().shard(), shard -> ConcurrentHashMap.newKeySet())
                .add(call);
    }

    void remove(Call call) {
        byShard.computeIfPresent(call.envelope().to().shard(), (shard, calls) -> {
            calls.remove(call);
            return calls.isEmpty() ? null : calls;
        });
    }

    /** A newer row of the shard is there. */
    void wakeShard(int shard) {
        List.copyOf(byShard.getOrDefault(shard, Set.of())).forEach(Call::wake);
    }

    /** The address can wake again. */
    void wakeAddress(MeshAddress address) {
        List.copyOf(byShard.getOrDefault(address.shard(), Set.of())).stream()
                .filter(call -> call.envelope().to().equals(address))
                .forEach(Call::wake);
    }

    /** How many calls rest. */
    int size() {
        return byShard.values().stream().mapToInt(Set::size).sum();
    }
}
