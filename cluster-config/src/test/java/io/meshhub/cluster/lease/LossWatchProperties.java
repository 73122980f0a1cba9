package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.lease.Quorum.AfterLoss;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

/** When what a lost node owned may be claimed, over any sequence of losses and reports, beside a list of all of them. */
final class LossWatchProperties {

    private static final List<String> VOTERS = List.of("a", "b", "c", "d", "e");
    private static final Quorum SAFE = new Quorum(3, 5, VOTERS, AfterLoss.SAFE, Quorum.LEAST_LEASE);
    private static final Quorum FAST = new Quorum(3, 5, VOTERS, AfterLoss.FAST, Quorum.LEAST_LEASE);
    private static final long WAIT = Quorum.LEAST_LEASE.plus(Quorum.MARGIN).toNanos();
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    enum Kind {
        LOST,
        REPORTED,
        ENDED,
        FORGET
    }

    /**
     * One event.
     *
     * @param voter who reports; "x" is no voter
     * @param owner whether the node still owns something, where it may be forgotten
     */
    record Event(Kind kind, long pause, String node, String voter, boolean owner) {}

    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(2, Kind.LOST),
                                Tuple.of(7, Kind.REPORTED),
                                Tuple.of(1, Kind.ENDED),
                                Tuple.of(1, Kind.FORGET)),
                        Arbitraries.frequency(
                                Tuple.of(6, 0L), Tuple.of(2, 1L), Tuple.of(1, WAIT - 1), Tuple.of(1, WAIT)),
                        Arbitraries.of(NODES),
                        Arbitraries.of("a", "b", "c", "d", "e", "x"),
                        Arbitraries.of(true, false))
                .as(Event::new)
                .list()
                .ofMaxSize(50);
    }

    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.of(0L, -WAIT, Long.MAX_VALUE - WAIT, Long.MIN_VALUE);
    }

    /** What happened to a node since it was lost: who reported it first when, in this order. */
    private static final class Model {
        final Map<String, Map<String, Long>> reports = new LinkedHashMap<>();

        final Set<String> ended = new LinkedHashSet<>();

        boolean hasEnded(String node, long now) {
            if (ended.contains(node)) {
                return true;
            }
            Map<String, Long> of = reports.getOrDefault(node, Map.of());
            // The third report makes sure that of any three that acknowledge one does so no more.
            return of.size() >= 3
                    && now - of.values().stream().skip(2).findFirst().orElseThrow() - WAIT >= 0;
        }
    }

    @Property
    void safeWaitsForEnoughReportsAndThenALeaseWithItsMargin(
            @ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        LossWatch watch = LossWatch.EMPTY;
        Model model = new Model();
        long now = origin;
        for (Event event : events) {
            now += event.pause();
            switch (event.kind()) {
                case LOST -> {
                    watch = watch.lost(event.node());
                    model.reports.computeIfAbsent(event.node(), node -> new LinkedHashMap<>());
                }
                case REPORTED -> {
                    watch = watch.reported(event.node(), event.voter(), now, SAFE);
                    Map<String, Long> reports = model.reports.get(event.node());
                    if (reports != null && VOTERS.contains(event.voter())) {
                        reports.putIfAbsent(event.voter(), now);
                    }
                }
                case ENDED -> {
                    watch = watch.ended(event.node(), now);
                    model.reports.computeIfAbsent(event.node(), node -> new LinkedHashMap<>());
                    model.ended.add(event.node());
                }
                case FORGET -> {
                    Set<String> owners = event.owner() ? Set.of(event.node()) : Set.of();
                    watch = watch.forget(owners, now, SAFE);
                    long at = now;
                    model.reports.keySet().removeIf(node -> model.hasEnded(node, at) && !owners.contains(node));
                    model.ended.retainAll(model.reports.keySet());
                }
            }
            compare(watch, model, now);
        }
    }

    private static void compare(LossWatch watch, Model model, long now) {
        Set<String> unreported = new LinkedHashSet<>();
        boolean open = false;
        for (String node : NODES) {
            assertThat(watch.hasEnded(node, now, SAFE))
                    .as("%s at %d of %s", node, now, watch)
                    .isEqualTo(model.hasEnded(node, now));
            if (model.reports.containsKey(node)) {
                open |= !model.hasEnded(node, now);
                if (model.reports.get(node).size() < 3 && !model.ended.contains(node)) {
                    unreported.add(node);
                }
            }
        }
        assertThat(watch.losses().keySet()).isEqualTo(model.reports.keySet());
        assertThat(watch.isOpen(now, SAFE)).isEqualTo(open);
        assertThat(watch.unreported(SAFE)).isEqualTo(unreported);
    }

    /** Whatever is known: nothing that was sent before the reports can still be held when the wait is over. */
    @Property
    void onceItHasEndedNoQuorumCanHaveAcknowledgedALeaseThatStillRuns(
            @ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        LossWatch watch = LossWatch.EMPTY.lost("n1");
        Map<String, Long> gaveUp = new LinkedHashMap<>();
        long now = origin;
        for (Event event : events) {
            now += event.pause();
            if (event.kind() == Kind.REPORTED && event.node().equals("n1")) {
                watch = watch.reported("n1", event.voter(), now, SAFE);
                gaveUp.putIfAbsent(event.voter(), now);
            }
            if (watch.hasEnded("n1", now, SAFE)) {
                // A round that is still good was sent within a lease, by a clock that may lag by the margin.
                long since = now - WAIT;
                long could = VOTERS.stream()
                        .filter(voter -> !gaveUp.containsKey(voter) || gaveUp.get(voter) - since > 0)
                        .count();
                assertThat(could).isLessThan(SAFE.size());
            }
        }
    }

    @Property
    void fastNeverWaits(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        LossWatch watch = LossWatch.EMPTY;
        long now = origin;
        for (Event event : events) {
            now += event.pause();
            watch = event.kind() == Kind.LOST
                    ? watch.lost(event.node())
                    : watch.reported(event.node(), event.voter(), now, FAST);
            for (String node : NODES) {
                assertThat(watch.hasEnded(node, now, FAST)).isTrue();
            }
            assertThat(watch.isOpen(now, FAST)).isFalse();
            assertThat(watch.unreported(FAST)).isEmpty();
            assertThat(watch.forget(NODES, now, FAST)).isEqualTo(watch);
            assertThat(watch.forget(List.of(), now, FAST).losses()).isEmpty();
        }
    }

    @Example
    void itEndsAtTheVeryEndOfTheWaitAfterTheLastReportThatWasNeeded() {
        LossWatch watch = LossWatch.EMPTY
                .lost("n1")
                .reported("n1", "a", 0, SAFE)
                .reported("n1", "a", 1, SAFE)
                .reported("n1", "x", 2, SAFE)
                .reported("n1", "b", 3, SAFE);
        assertThat(watch.hasEnded("n1", 1_000 * WAIT, SAFE))
                .as("two voters of five")
                .isFalse();

        watch = watch.reported("n1", "c", 10, SAFE).reported("n1", "d", 20, SAFE);
        assertThat(watch.hasEnded("n1", 10 + WAIT - 1, SAFE)).isFalse();
        assertThat(watch.hasEnded("n1", 10 + WAIT, SAFE)).isTrue();
    }

    @Example
    void aNodeThatWasNotLostHasNotEnded() {
        LossWatch watch = LossWatch.EMPTY;
        for (String voter : VOTERS) {
            watch = watch.reported("n1", voter, 0, SAFE);
        }

        assertThat(watch).isEqualTo(LossWatch.EMPTY);
        assertThat(watch.hasEnded("n1", 1_000 * WAIT, SAFE)).isFalse();
    }

    /** To hear of a loss a second time does not begin the wait anew. */
    @Example
    void aLossIsTakenInOnce() {
        LossWatch watch = LossWatch.EMPTY.lost("n1").reported("n1", "a", 0, SAFE);

        assertThat(watch.lost("n1")).isEqualTo(watch);
    }
}
