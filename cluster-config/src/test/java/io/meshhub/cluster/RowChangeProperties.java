package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A2, A5: whatever changes are asked for in whatever order, epochs rise, and nodes that hear all rows hold the same. */
final class RowChangeProperties {

    private static final List<String> NODES = List.of("a", "b", "c");

    @Provide
    Arbitrary<RowChange> changes() {
        Arbitrary<String> node = Arbitraries.of(NODES);
        Arbitrary<Long> epoch = Arbitraries.longs().between(0, 12);
        return Arbitraries.oneOf(
                Combinators.combine(node, epoch, epoch, Arbitraries.of(true, false))
                        .as(RowChange.Claim::new),
                Combinators.combine(node, epoch, node).as(RowChange.HandOff::new),
                Combinators.combine(node, epoch, node).as(RowChange.Release::new),
                Combinators.combine(node, epoch, epoch).as(RowChange.Reclaim::new),
                Combinators.combine(node, epoch)
                        .as((owner, at) -> new RowChange.Restore(
                                new ShardRow(7, owner, at, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null))));
    }

    @Provide
    Arbitrary<List<RowChange>> changeLists() {
        return changes().list().ofMaxSize(40);
    }

    @Property
    void everyChangeSupersedesWhatItReplaces(
            @ForAll("changeLists") List<RowChange> changes, @ForAll Set<@net.jqwik.api.From("names") String> dropped) {
        ShardRow row = ShardRow.unowned(7);
        for (RowChange change : changes) {
            ShardRow next = change.apply(row, dropped::contains);
            assertThat(next.equals(row) || next.supersedes(row))
                    .as("%s made of %s by %s", next, row, change)
                    .isTrue();
            row = next;
        }
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.of(NODES);
    }

    @Property
    void ofAllChangesThatBelieveTheSameOneSucceeds(@ForAll Random random) {
        ShardRow row = new ShardRow(7, "gone", 5, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null);
        List<RowChange> claims = new ArrayList<>();
        NODES.forEach(node -> claims.add(new RowChange.Claim(node, 5, 0, true)));
        Collections.shuffle(claims, random);

        Set<ShardRow> outcomes = new HashSet<>();
        for (RowChange claim : claims) {
            row = claim.apply(row, "gone"::equals);
            outcomes.add(row);
        }

        assertThat(outcomes).hasSize(1);
        assertThat(row.epoch()).isEqualTo(6);
    }

    @Property
    void nodesThatHearAllRowsInAnyOrderHoldTheSame(
            @ForAll("changeLists") List<RowChange> changes, @ForAll Random random) {
        ShardRow row = ShardRow.unowned(7);
        List<ShardRow> told = new ArrayList<>();
        for (RowChange change : changes) {
            row = change.apply(row, incarnation -> random.nextInt(4) == 0);
            told.add(row);
        }
        RowMerge inOrder = new RowMerge(8);
        told.forEach(inOrder::offer);
        RowMerge shuffled = new RowMerge(8);
        Collections.shuffle(told, random);
        Map<Integer, ShardRow> last = new HashMap<>();
        for (ShardRow one : told) {
            shuffled.offer(one).ifPresent(before -> {
                assertThat(last.getOrDefault(7, ShardRow.unowned(7))).isEqualTo(before);
                last.put(7, one);
            });
        }

        assertThat(inOrder.row(7)).isEqualTo(row);
        assertThat(shuffled.row(7)).isEqualTo(row);
    }

    @Property
    void aLiveOwnerIsNeverClaimedAway(@ForAll("changes") RowChange change) {
        ShardRow row = new ShardRow(7, "owner", 5, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null);

        if (!(change instanceof RowChange.Restore)) {
            assertThat(change.apply(row, incarnation -> false)).isEqualTo(row);
        }
    }

    @Property(tries = 20)
    void noChangeGivesAnEpochThatNoIdCanCarry(@ForAll boolean full) {
        long epoch = full ? ActivationId.MAX_EPOCH : ActivationId.MAX_EPOCH - 1;
        ShardRow row = new ShardRow(7, "a", epoch, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null);
        List<RowChange> all = List.of(
                new RowChange.Claim("b", epoch, 0, true),
                new RowChange.Release("a", epoch, "b"),
                new RowChange.Reclaim("a", epoch, 0));

        for (RowChange change : all) {
            assertThat(change.apply(row, "a"::equals).epoch()).isEqualTo(ActivationId.MAX_EPOCH);
        }
    }

    @Property
    void aLostRowIsRestoredOnlyWhileItsOwnerLives(@ForAll boolean lives) {
        ShardRow remembered = new ShardRow(7, "a", 5, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null);

        ShardRow stands = new RowChange.Restore(remembered).apply(ShardRow.unowned(7), incarnation -> !lives);

        assertThat(stands).isEqualTo(lives ? remembered : ShardRow.unowned(7));
    }
}
