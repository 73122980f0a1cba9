package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The calls that ride out a refusal, by shard, so that news of a shard or an address wakes just those. A call stays from
 * its first refusal to its end, also while it asks: the news may come before the refusal that it is about.
 */
final class Resting {

    private final Map<Integer, Set<Call>> byShard = new ConcurrentHashMap<>();

    private volatile Consumer<MeshAddress> listener = address -> {};

    /** Hears of every address that can wake again. */
    void onWake(Consumer<MeshAddress> newListener) {
        listener = newListener;
    }

    void add(Call call) {
        // In one step: a set that became empty is taken out of the map, and what is added to it then would not be
        // heard.
        byShard.compute(call.envelope().to().shard(), (shard, calls) -> {
            Set<Call> riders = calls == null ? ConcurrentHashMap.newKeySet() : calls;
            riders.add(call);
            return riders;
        });
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
        listener.accept(address);
        List.copyOf(byShard.getOrDefault(address.shard(), Set.of())).stream()
                .filter(call -> call.envelope().to().equals(address))
                .forEach(Call::wake);
    }

    /** How many calls ride. */
    int size() {
        return byShard.values().stream().mapToInt(Set::size).sum();
    }
}
