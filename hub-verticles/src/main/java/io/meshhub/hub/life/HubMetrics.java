package io.meshhub.hub.life;

import io.meshhub.routing.RunLevel;
import io.meshhub.routing.spi.MeshMetrics;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the hubs of a node count and report; safe from any thread. */
public final class HubMetrics {

    private static final Logger LOG = LoggerFactory.getLogger("io.meshhub.hub.HubRuntime");
    private static final int MAX_DISTINCT = 1_000;

    private final MeshMetrics metrics;
    private final Map<RunLevel, AtomicInteger> levels = new EnumMap<>(RunLevel.class);
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** Counts into these. */
    public HubMetrics(MeshMetrics metrics) {
        this.metrics = metrics;
        for (RunLevel level : RunLevel.values()) {
            levels.put(level, new AtomicInteger());
            if (level != RunLevel.DEAD) {
                metrics.gauge("hub.activations", () -> at(level), "level", level.name());
            }
        }
    }

    /** An activation begins. */
    public void born() {
        counter(RunLevel.STARTING).incrementAndGet();
    }

    /** One has another level. */
    public void moved(RunLevel from, RunLevel to) {
        if (from != to) {
            counter(from).decrementAndGet();
            counter(to).incrementAndGet();
        }
    }

    /** How many are at that level. */
    public int at(RunLevel level) {
        return counter(level).get();
    }

    private AtomicInteger counter(RunLevel level) {
        return Objects.requireNonNull(levels.get(level));
    }

    /** Counts once. */
    public void count(String name, String... tags) {
        metrics.count(name, tags);
    }

    /** Tells people of a fault in a hub's code: in full the first time, then only counted, so that no log fills. */
    public void fault(String what, Class<?> where, Throwable cause) {
        String key = what + '|' + where.getName() + '|' + cause.getClass().getName();
        if (seen.size() < MAX_DISTINCT && seen.add(key)) {
            LOG.warn("{} failed; the same fault is logged at DEBUG from now on", what, cause);
        } else {
            LOG.debug("{} failed", what, cause);
        }
    }
}
