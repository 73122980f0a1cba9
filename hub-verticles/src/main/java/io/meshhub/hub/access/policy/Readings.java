package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that are followed: one live query each, however many wait for it. One that ends is let go, exactly
 * that one, and begun anew by the next who needs it, after a rest in which its end is what is known. All on one context.
 */
final class Readings {

    private static final Logger LOG = LoggerFactory.getLogger(Readings.class);

    /** One live query of a partition. */
    private static final class Reading {
        private final String partition;
        private final PartitionMirror mirror;
        private final Set<Runnable> waiting = new LinkedHashSet<>();
        private final Set<String> faults = new HashSet<>();
        private Standing standing = new Standing();
        private @Nullable PartitionState state;
        private @Nullable LiveQuery live;
        private long usedAt;

        Reading(String partition) {
            this.partition = partition;
            this.mirror = new PartitionMirror(partition);
        }

        void close() {
            standing.end();
            LiveQuery query = live;
            if (query != null) {
                query.close();
            }
        }

        void release() {
            List<Runnable> all = List.copyOf(waiting);
            waiting.clear();
            all.forEach(Runnable::run);
        }
    }

    private record Rest(long until, PartitionState.Unestablished state) {}

    private final AccessPolicies.Parts parts;
    private final int most;
    private final Map<String, Reading> readings = new HashMap<>();
    private final LinkedHashMap<String, Rest> rests = new LinkedHashMap<>();
    private volatile int size;

    Readings(AccessPolicies.Parts parts, int most) {
        this.parts = parts;
        this.most = most;
    }

    /** How many are followed; from any thread. */
    int size() {
        return size;
    }

    /** What is known of a partition; null where it is to be awaited. */
    @Nullable
    PartitionState state(String partition) {
        Reading reading = readings.get(partition);
        if (reading != null) {
            reading.usedAt = now();
            return reading.state;
        }
        Rest rest = rests.get(partition);
        if (rest != null && now() - rest.until >= 0) {
            rests.remove(partition);
            return null;
        }
        return rest == null ? null : rest.state;
    }

    /** What these stand on; empty when one of them is not established. */
    Optional<List<Standing>> standings(Collection<String> partitions) {
        List<Standing> standings = new ArrayList<>();
        for (String partition : partitions) {
            Reading reading = readings.get(partition);
            if (reading == null || !(reading.state instanceof PartitionState.Established)) {
                return Optional.empty();
            }
            standings.add(reading.standing);
        }
        return Optional.of(standings);
    }

    /** Runs the action with the next word about the partition, which is read from now on. */
    void await(String partition, Runnable action) {
        Reading known = readings.get(partition);
        if (known != null) {
            known.waiting.add(action);
            return;
        }
        if (readings.size() >= most && !letOneGo()) {
            Undetermined full = new Undetermined(
                    List.of(), readings.size() + " partitions are being read, and none of them can be let go");
            rest(partition, new PartitionState.Unestablished(full));
            action.run();
            return;
        }
        Reading reading = new Reading(partition);
        reading.usedAt = now();
        reading.waiting.add(action);
        readings.put(partition, reading);
        size = readings.size();
        reading.live =
                parts.queries().live(AccessModel.query(partition), QueryCaller.MESH, frame -> told(reading, frame));
    }

    /** The action is not waited for any more. */
    void forget(Runnable action) {
        readings.values().forEach(reading -> reading.waiting.remove(action));
    }

    private boolean letOneGo() {
        Optional<Reading> oldest = readings.values().stream()
                .filter(reading -> reading.state != null && reading.waiting.isEmpty())
                .min(Comparator.comparingLong(reading -> reading.usedAt - now()));
        oldest.ifPresent(this::remove);
        return oldest.isPresent();
    }

    // An older one's frame changes nothing of a newer one.
    private void told(Reading reading, QueryFrame frame) {
        if (readings.get(reading.partition) != reading) {
            return;
        }
        PartitionState state;
        try {
            state = reading.mirror.on(frame);
        } catch (RuntimeException e) {
            LOG.error("The access model of partition '{}' was not taken in on node {}", reading.partition, node(), e);
            state = new PartitionState.Unestablished(new Undetermined(
                    List.of(), "the access model of partition '" + reading.partition + "' was not taken in: " + e));
        }
        // First of all nothing holds any more that was decided from what was.
        reading.standing.end();
        reading.standing = new Standing();
        reading.state = state;
        if (state instanceof PartitionState.Unestablished unestablished) {
            LOG.warn(
                    "Node {} cannot say who may do what in partition '{}'; {} wait, none is granted; providers {}: {}",
                    node(),
                    reading.partition,
                    reading.waiting.size(),
                    unestablished.why().providers(),
                    unestablished.why().reason());
            remove(reading);
            rest(reading.partition, unestablished);
        } else if (state instanceof PartitionState.Established established) {
            say(reading, established.rows().faults());
        }
        reading.release();
    }

    private void say(Reading reading, List<Row> faults) {
        Set<String> now = new HashSet<>();
        for (Row fault : faults) {
            String text = String.valueOf(fault);
            now.add(text);
            if (!reading.faults.contains(text)) {
                LOG.warn("Node {} found a fault in the access model: {}", node(), text);
            }
        }
        reading.faults.clear();
        reading.faults.addAll(now);
    }

    private void remove(Reading reading) {
        if (readings.remove(reading.partition, reading)) {
            size = readings.size();
        }
        reading.close();
    }

    private void rest(String partition, PartitionState.Unestablished state) {
        rests.remove(partition);
        rests.put(partition, new Rest(now() + AccessPolicies.REST.toNanos(), state));
        if (rests.size() > most) {
            rests.remove(rests.keySet().iterator().next());
        }
    }

    /** Follows none any more; whoever waits is told to look again. */
    void stop() {
        List<Reading> all = List.copyOf(readings.values());
        all.forEach(this::remove);
        all.forEach(Reading::release);
    }

    private long now() {
        return parts.clock().nanoTime();
    }

    private String node() {
        return parts.node();
    }
}
