package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.ShuttingDown;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes an address of this node has refused while it shut down: they, and no others, are told when it can wake
 * again.
 */
final class Refusals {

    // Past it a refused node is not told and goes by its own pace.
    private static final int MAX_ADDRESSES = 100_000;

    private final Map<MeshAddress, Set<String>> refused = new ConcurrentHashMap<>();

    void note(MeshAddress address, String incarnation, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed
                && failed.failure() instanceof ShuttingDown refusal
                && refusal.isVerdictAbout(address)
                && (refused.size() < MAX_ADDRESSES || refused.containsKey(address))) {
            refused.computeIfAbsent(address, first -> ConcurrentHashMap.newKeySet())
                    .add(incarnation);
        }
    }

    @Nullable
    Set<String> remove(MeshAddress address) {
        return refused.remove(address);
    }
}
