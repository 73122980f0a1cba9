package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeChange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of an outbox, and that what they cost shows as a gap. */
@Timeout(30)
class FeedOutboxTest {

    private final FeedOutbox outbox = new FeedOutbox("b-1");
    private long changes;

    private int offer(String address) {
        return outbox.offer(new NodeChange(++changes, NodeChange.Kind.CREATED, MeshAddress.of(address), 1));
    }

    private FeedNews news(String partition) {
        FeedNews news = outbox.take().get(partition);
        assertThat(news).isNotNull();
        return news;
    }

    private static boolean isMissed(FeedNews first, FeedNews second) {
        return FeedSequences.NONE.on(first).sequences().on(second).missed();
    }

    @Test
    void eachPartitionHasSequencesOfItsOwnWithoutGaps() {
        for (int i = 0; i < 3; i++) {
            offer("iso/" + i);
            offer("orders/" + i);
        }
        var both = outbox.take();
        assertThat(both).containsOnlyKeys("iso", "orders");
        assertThat(both.get("orders").changes())
                .extracting(NodeChange::sequence)
                .containsExactly(2L, 3L, 4L);
        offer("orders/3");

        assertThat(isMissed(both.get("orders"), news("orders"))).isFalse();
        assertThat(outbox.take()).isEmpty();
    }

    @Test
    void theLastChangeIsToldAgainAFewTimesAndIsNewsOnlyToWhoHasNotHeardIt() {
        offer("iso/0");
        FeedNews first = news("iso");
        offer("iso/1");
        FeedNews lost = news("iso");
        FeedSequences heard = FeedSequences.NONE.on(first).sequences();

        for (int i = 0; i < FeedOutbox.REPEATS; i++) {
            assertThat(outbox.hasRepeats()).isTrue();
            FeedNews again = outbox.again().get("iso");
            assertThat(again).isNotNull();
            assertThat(heard.on(lost).sequences().on(again).fresh()).isEmpty();
            assertThat(heard.on(lost).sequences().on(again).missed()).isFalse();
            assertThat(heard.on(again).fresh()).isEqualTo(lost.changes());
            assertThat(isMissed(first, again)).isFalse();
        }

        assertThat(outbox.hasRepeats()).isFalse();
        assertThat(outbox.again()).isEmpty();
        offer("iso/2");
        offer("iso/3");
        news("iso");
        assertThat(isMissed(first, outbox.again().get("iso"))).isTrue();
    }

    @Test
    void moreThanAMessageHoldsIsDroppedAndSeenAsAGap() {
        offer("iso/0");
        FeedNews before = news("iso");
        int dropped = 0;
        for (int i = 0; i <= FeedOutbox.LARGEST; i++) {
            dropped += offer("iso/" + i);
        }
        FeedNews after = news("iso");

        assertThat(dropped).isEqualTo(FeedOutbox.LARGEST);
        assertThat(after.changes()).hasSize(1);
        assertThat(isMissed(before, after)).isTrue();
    }

    @Test
    void aPartitionWhoseSequenceWasForgottenGoesOnHigher() {
        offer("iso/0");
        offer("iso/1");
        FeedNews before = news("iso");
        for (int i = 0; i < FeedOutbox.PARTITIONS; i++) {
            offer("p" + i + "/0");
        }
        outbox.take();
        offer("iso/2");
        FeedNews after = news("iso");

        assertThat(after.first()).isGreaterThan(before.last() + 1);
        assertThat(isMissed(before, after)).isTrue();
    }

    @Test
    void aSenderThatIsForgottenIsANewOne() {
        offer("iso/0");
        FeedSequences heard = FeedSequences.NONE.on(news("iso")).sequences();
        offer("iso/1");
        FeedNews next = news("iso");

        assertThat(heard.size()).isEqualTo(1);
        assertThat(heard.retain(List.of("b-1")).on(next).missed()).isFalse();
        assertThat(heard.retain(List.of("c-1")).size()).isZero();
        assertThat(heard.retain(List.of("c-1")).on(next).missed()).isTrue();
    }
}
