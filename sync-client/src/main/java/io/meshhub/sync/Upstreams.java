package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions of a client, and the latches that they share: at most one latch looks for an owner on behalf of one
 * principal, and at most one subscription to a view is not dormant. Touched only on the client's context.
 */
final class Upstreams {

    private final SyncClient client;
    private final Map<WatchKey, Upstream> shared = new HashMap<>();
    private final Map<String, Upstream> byId = new HashMap<>();
    // Read from any thread, to see whether there is anything to be told.
    private final Map<MeshAddress, Set<Upstream>> byAddress = new ConcurrentHashMap<>();
    private final Map<SharedLatch.Key, SharedLatch> latches = new HashMap<>();
    private final Map<SharedLatch.Key, SharedLatch> dormant = new HashMap<>();
    private long made;

    Upstreams(SyncClient client) {
        this.client = client;
    }

    /** Has a local stream share the subscription to what it watches; the first one makes it. */
    void attach(LocalStream<?> local) {
        Upstream known = shared.get(local.key());
        if (known != null) {
            known.attach(local);
            return;
        }
        SharedLatch latch =
                latches.computeIfAbsent(SharedLatch.Key.of(local.key()), key -> new SharedLatch(client, key));
        Upstream stream = new Upstream(client, local.key(), client.place() + "/" + ++made, latch);
        byAddress
                .computeIfAbsent(local.key().address(), absent -> ConcurrentHashMap.newKeySet())
                .add(stream);
        remember(stream);
        stream.attach(local);
        latch.add(stream);
    }

    private void remember(Upstream stream) {
        shared.put(stream.key(), stream);
        byId.put(stream.id(), stream);
    }

    private void forget(Upstream stream) {
        shared.remove(stream.key(), stream);
        byId.remove(stream.id(), stream);
    }

    /** All, dormant ones included. */
    List<Upstream> all() {
        List<Upstream> all = new ArrayList<>();
        byAddress.values().forEach(all::addAll);
        return all;
    }

    /** The one for which a frame of that id is; null when none wants it. */
    @Nullable
    Upstream withId(String id) {
        return byId.get(id);
    }

    /** Whether there is any at the address; from any thread. */
    boolean isWatched(MeshAddress address) {
        return byAddress.containsKey(address);
    }

    /** Has something done with all latches of an address. */
    void at(MeshAddress address, Consumer<SharedLatch> action) {
        byAddress.getOrDefault(address, Set.of()).stream()
                .map(Upstream::latch)
                .distinct()
                .toList()
                .forEach(action);
    }

    /** All latches that are dormant. */
    List<SharedLatch> dormant() {
        return List.copyOf(dormant.values());
    }

    /** Whether another latch looks for the owner for which this one sleeps, or has it. */
    boolean isLookedFor(SharedLatch asleep) {
        return latches.containsKey(asleep.key());
    }

    /** The latch is no longer dormant: who comes shares it, and frames that come are for its streams. */
    void awake(SharedLatch latch) {
        dormant.remove(latch.key(), latch);
        latches.put(latch.key(), latch);
        latch.streams().forEach(this::remember);
    }

    /** The latch is dormant: who comes now begins anew, and a frame that comes is not wanted. */
    void asleep(SharedLatch latch) {
        latches.remove(latch.key(), latch);
        latch.streams().forEach(this::forget);
        SharedLatch before = dormant.putIfAbsent(latch.key(), latch);
        if (before != null) {
            latch.streams()
                    .forEach(stream -> before.streams().stream()
                            .filter(other -> other.key().equals(stream.key()))
                            .findFirst()
                            .ifPresentOrElse(stream::joinTo, () -> stream.moveTo(before)));
        }
    }

    /** The stream is live: those of its address that are dormant, on behalf of the same principal, need not be. */
    void live(Upstream stream) {
        SharedLatch asleep = dormant.get(SharedLatch.Key.of(stream.key()));
        if (asleep == null) {
            return;
        }
        for (Upstream sleeper : asleep.streams()) {
            Upstream other = shared.get(sleeper.key());
            if (other == null) {
                remember(sleeper);
                sleeper.moveTo(stream.latch());
            } else if (other.isLive()) {
                sleeper.joinTo(other);
            }
        }
    }

    /** The latch is over. */
    void over(SharedLatch latch) {
        dormant.remove(latch.key(), latch);
        if (latches.remove(latch.key(), latch)) {
            SharedLatch asleep = dormant.get(latch.key());
            if (asleep != null) {
                asleep.goOn();
            }
        }
    }

    /** The stream is over. */
    void over(Upstream stream) {
        forget(stream);
        byAddress.computeIfPresent(stream.key().address(), (address, all) -> {
            all.remove(stream);
            return all.isEmpty() ? null : all;
        });
    }
}
