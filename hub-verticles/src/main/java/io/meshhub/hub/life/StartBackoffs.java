package io.meshhub.hub.life;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.StartFailed;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The addresses of one loop whose start failed of late: they refuse at once until their back-off ends, so that a hub
 * that cannot start is not tried with each message. Holds at most {@value #MAX_ENTRIES}; past that the oldest is
 * forgotten.
 */
public final class StartBackoffs {

    /** The most addresses. */
    public static final int MAX_ENTRIES = 10_000;

    private record Entry(StartFailed failure, long until, Duration delay) {}

    private final Duration first;
    private final Duration longest;
    private final LinkedHashMap<MeshAddress, Entry> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MeshAddress, Entry> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    /**
     * None yet.
     *
     * @param first after the first failure
     * @param longest after many
     */
    public StartBackoffs(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /** How long the address refuses if its start fails now: twice the last time, up to the longest. */
    public Duration nextDelay(MeshAddress address) {
        Entry last = entries.get(address);
        if (last == null) {
            return first;
        }
        Duration twice = last.delay.multipliedBy(2);
        return twice.compareTo(longest) < 0 ? twice : longest;
    }

    /** The start failed: from now on the address refuses for so long. */
    public void failed(MeshAddress address, StartFailed failure, Duration delay, long now) {
        entries.remove(address);
        entries.put(address, new Entry(failure, now + delay.toNanos(), delay));
    }

    /** The start succeeded. */
    public void succeeded(MeshAddress address) {
        if (!entries.isEmpty()) {
            entries.remove(address);
        }
    }

    /** What the address says now; empty when its start may be tried. */
    public Optional<StartFailed> refusal(MeshAddress address, long now) {
        Entry entry = entries.isEmpty() ? null : entries.get(address);
        if (entry == null || now - entry.until >= 0) {
            return Optional.empty();
        }
        Duration left = Duration.ofNanos(entry.until - now);
        return Optional.of(entry.failure.withDetail(entry.failure.detail().retryAfter(left)));
    }

    /** Forgets those whose back-off ended long ago. */
    public void sweep(long now) {
        entries.values().removeIf(entry -> now - entry.until > longest.toNanos());
    }

    /** Whether no address is known. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }
}
