package io.meshhub.cluster.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * When which voter last heard which node, as told to the planner, so that a member that no quorum hears is given up;
 * immutable.
 *
 * @param begun since when each node is watched, by incarnation
 * @param heard by incarnation and voter's name, when that voter last said that it hears that node
 */
public record HeardWatch(Map<String, Long> begun, Map<String, Map<String, Long>> heard) {

    public static final HeardWatch EMPTY = new HeardWatch(Map.of(), Map.of());

    /** Watches these nodes and no others. */
    public HeardWatch watching(Collection<String> incarnations, long now) {
        Map<String, Long> nextBegun = new LinkedHashMap<>();
        Map<String, Map<String, Long>> nextHeard = new LinkedHashMap<>();
        for (String incarnation : incarnations) {
            nextBegun.put(incarnation, begun.getOrDefault(incarnation, now));
            nextHeard.put(incarnation, heard.getOrDefault(incarnation, Map.of()));
        }
        return new HeardWatch(nextBegun, nextHeard);
    }

    /** A voter says which nodes it hears. */
    public HeardWatch on(String voter, Collection<String> hears, long now) {
        Map<String, Map<String, Long>> next = new LinkedHashMap<>(heard);
        for (String incarnation : hears) {
            next.computeIfPresent(incarnation, (key, before) -> {
                Map<String, Long> times = new LinkedHashMap<>(before);
                times.put(voter, now);
                return times;
            });
        }
        return new HeardWatch(begun, next);
    }

    /** The nodes that no quorum has heard for so long, in nanoseconds. */
    public Set<String> unheard(int quorum, long now, long limit) {
        Set<String> silent = new LinkedHashSet<>();
        begun.forEach((incarnation, since) -> {
            List<Long> times =
                    new ArrayList<>(heard.getOrDefault(incarnation, Map.of()).values());
            // By how long ago: a monotonic clock may pass its highest number, so its times are never compared as such.
            times.sort(Comparator.comparingLong(time -> now - time));
            long last = times.size() >= quorum ? times.get(quorum - 1) : since;
            if (now - last > limit && now - since > limit) {
                silent.add(incarnation);
            }
        });
        return silent;
    }
}
