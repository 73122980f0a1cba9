package io.meshhub.cluster.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** For how many looks in a row each of several things was found: what lags for a moment is not yet what has gone wrong. */
public final class Streaks {

    private final int allowed;
    private final Map<String, Integer> found = new HashMap<>();

    /** Things may be found at so many looks in a row. */
    public Streaks(int allowed) {
        this.allowed = allowed;
    }

    /** A look: gives those that were found once more than is allowed, and begins anew with them. */
    public Set<String> on(Set<String> now) {
        found.keySet().retainAll(now);
        now.forEach(each -> found.merge(each, 1, Integer::sum));
        Set<String> over = now.stream()
                .filter(each -> found.getOrDefault(each, 0) > allowed)
                .collect(Collectors.toUnmodifiableSet());
        found.keySet().removeAll(over);
        return over;
    }
}
