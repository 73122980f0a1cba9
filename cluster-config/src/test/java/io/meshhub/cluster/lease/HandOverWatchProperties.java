package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.spi.ShardRow;
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

/** Who is given up for not giving a shard away: beside a history that says of each moment which row stood. */
final class HandOverWatchProperties {

    private static final long BOUND = 11_500_000_000L;
    private static final int SHARDS = 3;
    private static final List<String> NODES = List.of("a", "b", "c");

    enum Kind {
        HAND_OFF,
        RELEASE,
        DROP,
        LOOK
    }

    record Event(Kind kind, long pause, int shard, String node) {}

    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(4, Kind.HAND_OFF),
                                Tuple.of(3, Kind.RELEASE),
                                Tuple.of(1, Kind.DROP),
                                Tuple.of(6, Kind.LOOK)),
                        Arbitraries.frequency(
                                Tuple.of(6, 0L),
                                Tuple.of(3, BOUND / 3),
                                Tuple.of(1, BOUND - 1),
                                Tuple.of(1, BOUND),
                                Tuple.of(1, 1L)),
                        Arbitraries.integers().between(0, SHARDS - 1),
                        Arbitraries.of(NODES))
                .as(Event::new)
                .list()
                .ofMaxSize(60);
    }

    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.of(0L, -BOUND, Long.MAX_VALUE - BOUND, Long.MIN_VALUE);
    }

    private static ShardRow owned(int shard, String owner, long epoch) {
        return new ShardRow(shard, owner, epoch, ShardRow.Via.RELEASE, ShardRow.State.OWNED, null);
    }

    private static ShardRow handedOff(ShardRow row, String next) {
        return new ShardRow(row.shard(), row.owner(), row.epoch(), row.via(), ShardRow.State.HANDOFF, next);
    }

    /** The planner, as it uses the watch: it looks after each change, and whom it gives up is dropped for good. */
    private static final class Planner {
        long now;
        HandOverWatch watch = HandOverWatch.EMPTY;
        final List<ShardRow> rows = new ArrayList<>();
        final Map<Integer, Long> handedOffAt = new HashMap<>();
        final Set<String> dropped = new HashSet<>();
        final List<String> verdicts = new ArrayList<>();

        Planner(long origin) {
            now = origin;
            for (int shard = 0; shard < SHARDS; shard++) {
                rows.add(owned(shard, NODES.get(shard), 1));
            }
        }

        void on(Event event) {
            now += event.pause();
            look();
            int shard = event.shard();
            ShardRow row = rows.get(shard);
            boolean moving = row.state() == ShardRow.State.HANDOFF;
            switch (event.kind()) {
                case HAND_OFF -> {
                    if (!moving && !event.node().equals(row.owner())) {
                        rows.set(shard, handedOff(row, event.node()));
                        handedOffAt.put(shard, now);
                    }
                }
                case RELEASE -> {
                    if (moving) {
                        rows.set(shard, owned(shard, String.valueOf(row.next()), row.epoch() + 1));
                        handedOffAt.remove(shard);
                    }
                }
                case DROP -> dropped.add(event.node());
                case LOOK -> {}
            }
            look();
        }

        private void look() {
            Set<String> expected = new HashSet<>();
            handedOffAt.forEach((shard, since) -> {
                String owner = rows.get(shard).owner();
                if (now - since > BOUND && !dropped.contains(owner)) {
                    expected.add(owner);
                }
            });
            watch = watch.on(List.copyOf(rows), dropped::contains, now);
            Set<String> overdue = watch.overdue(now, BOUND);
            assertThat(overdue).as("at %d, of %s", now, rows).isEqualTo(expected);
            overdue.forEach(owner -> {
                verdicts.add(owner);
                dropped.add(owner);
            });
        }
    }

    /** Also: never before the bound, never after the release, and never one that is gone already. */
    @Property
    void anOwnerIsGivenUpJustWhenARowOfItsStandsLongerThanTheBound(
            @ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Planner planner = new Planner(origin);
        events.forEach(planner::on);
    }

    @Property
    void oneVerdictOfEachOwner(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Planner planner = new Planner(origin);
        events.forEach(planner::on);

        assertThat(planner.verdicts).doesNotHaveDuplicates();
    }

    /** However often the planner looks: the time runs from the first look, not from the last. */
    @Property
    void looksInBetweenChangeNothing(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        ShardRow row = handedOff(owned(0, "a", 1), "b");
        HandOverWatch watch = HandOverWatch.EMPTY.on(List.of(row), dropped -> false, origin);
        long now = origin;
        for (Event event : events) {
            now += event.pause();
            watch = watch.on(List.of(row), dropped -> false, now);
            assertThat(watch.overdue(now, BOUND)).hasSize(now - origin > BOUND ? 1 : 0);
        }
    }

    @Example
    void theBoundItselfIsInTime() {
        ShardRow row = handedOff(owned(0, "a", 1), "b");
        HandOverWatch watch = HandOverWatch.EMPTY.on(List.of(row), dropped -> false, 5);

        assertThat(watch.overdue(5 + BOUND, BOUND)).isEmpty();
        assertThat(watch.overdue(5 + BOUND + 1, BOUND)).containsExactly("a");
    }

    /** A shard that came back and is handed off again is a new hand-over with a time of its own. */
    @Example
    void aHandOverThatWasSeenToEndDoesNotCountForTheNext() {
        ShardRow first = handedOff(owned(0, "a", 1), "b");
        ShardRow second = handedOff(owned(0, "a", 3), "b");
        HandOverWatch watch = HandOverWatch.EMPTY
                .on(List.of(first), dropped -> false, 0)
                .on(List.of(owned(0, "b", 2)), dropped -> false, BOUND)
                .on(List.of(second), dropped -> false, BOUND);

        assertThat(watch.overdue(2 * BOUND, BOUND)).isEmpty();
        assertThat(watch.overdue(2 * BOUND + 1, BOUND)).containsExactly("a");
    }

    @Example
    void aRowThatNobodyOwnsAccusesNobody() {
        HandOverWatch watch = HandOverWatch.EMPTY.on(List.of(ShardRow.unowned(0)), dropped -> false, 0);

        assertThat(watch.overdue(1_000 * BOUND, BOUND)).isEmpty();
    }
}
