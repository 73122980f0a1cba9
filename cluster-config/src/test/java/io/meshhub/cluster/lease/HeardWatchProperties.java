package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Whom no quorum hears, over any sequence of reports, beside the list of all reports. */
final class HeardWatchProperties {

    private static final long LIMIT = 20_000_000_000L;
    private static final int QUORUM = 2;
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    /**
     * One event: a voter says whom it hears, or, where it is empty, these nodes are watched from now on and no others.
     *
     * @param voter who says so; empty when nobody does
     */
    record Event(long pause, String voter, Set<String> nodes) {}

    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(8, 0L),
                                Tuple.of(2, 1L),
                                Tuple.of(3, LIMIT / 4),
                                Tuple.of(1, LIMIT - 1),
                                Tuple.of(1, LIMIT)),
                        Arbitraries.of("a", "b", "c", "a", "b", ""),
                        Arbitraries.of(NODES).set().ofMaxSize(3))
                .as(Event::new)
                .list()
                .ofMaxSize(50);
    }

    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.of(0L, -LIMIT, Long.MAX_VALUE - LIMIT, Long.MIN_VALUE);
    }

    private record Report(long at, String voter) {}

    @Property
    void aNodeIsUnheardJustWhenNoQuorumSpokeOfItWithinTheLimit(
            @ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        HeardWatch watch = HeardWatch.EMPTY;
        Map<String, Long> begun = new HashMap<>();
        Map<String, List<Report>> reports = new HashMap<>();
        long now = origin;
        for (Event event : events) {
            now += event.pause();
            long at = now;
            if (event.voter().isEmpty()) {
                watch = watch.watching(event.nodes(), at);
                begun.keySet().retainAll(event.nodes());
                reports.keySet().retainAll(event.nodes());
                event.nodes().forEach(node -> begun.putIfAbsent(node, at));
            } else {
                watch = watch.on(event.voter(), event.nodes(), at);
                event.nodes().stream()
                        .filter(begun::containsKey)
                        .forEach(node -> reports.computeIfAbsent(node, key -> new ArrayList<>())
                                .add(new Report(at, event.voter())));
            }
            Set<String> expected = new HashSet<>();
            begun.forEach((node, since) -> {
                long voters = reports.getOrDefault(node, List.of()).stream()
                        .filter(report -> at - report.at() <= LIMIT)
                        .map(Report::voter)
                        .distinct()
                        .count();
                if (at - since > LIMIT && voters < QUORUM) {
                    expected.add(node);
                }
            });
            assertThat(watch.unheard(QUORUM, at, LIMIT)).as("at %d", at).isEqualTo(expected);
        }
    }

    /** One voter that speaks up a thousand times is one voter. */
    @Example
    void oneVoterIsNoQuorumHoweverOftenItSpeaks() {
        HeardWatch watch = HeardWatch.EMPTY.watching(List.of("n1"), 0);
        for (long i = 0; i < 1_000; i++) {
            watch = watch.on("a", List.of("n1"), LIMIT + i);
        }

        assertThat(watch.unheard(QUORUM, LIMIT + 1_000, LIMIT)).containsExactly("n1");
    }

    @Example
    void theLimitItselfIsInTime() {
        HeardWatch watch = HeardWatch.EMPTY
                .watching(List.of("n1"), 0)
                .on("a", List.of("n1"), 7)
                .on("b", List.of("n1"), 9);

        assertThat(watch.unheard(QUORUM, 7 + LIMIT, LIMIT)).isEmpty();
        assertThat(watch.unheard(QUORUM, 7 + LIMIT + 1, LIMIT)).containsExactly("n1");
    }

    @Example
    void aNodeThatHasJustComeIsGivenTime() {
        HeardWatch watch = HeardWatch.EMPTY.watching(List.of("n1"), 3);

        assertThat(watch.unheard(QUORUM, 3 + LIMIT, LIMIT)).isEmpty();
        assertThat(watch.unheard(QUORUM, 3 + LIMIT + 1, LIMIT)).containsExactly("n1");
    }

    /** It is forgotten and comes back: what was said of it before counts no more, nor does the time before. */
    @Example
    void aNodeThatComesBackBeginsAnew() {
        HeardWatch watch = HeardWatch.EMPTY
                .watching(List.of("n1"), 0)
                .on("a", List.of("n1", "unknown"), 1)
                .watching(List.of(), 2)
                .watching(List.of("n1"), LIMIT);

        assertThat(watch.heard()).containsOnlyKeys("n1");
        assertThat(watch.heard().get("n1")).isEmpty();
        assertThat(watch.unheard(QUORUM, 2 * LIMIT, LIMIT)).isEmpty();
    }
}
