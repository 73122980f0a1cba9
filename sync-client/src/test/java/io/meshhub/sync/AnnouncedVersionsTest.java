package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.Frame;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L1 of news of a version: a live stream gives the owner's frame one pace to come, and then asks. */
@Timeout(30)
class AnnouncedVersionsTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("iso/CH");
    private static final Duration PACE = Duration.ofMillis(500);

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults());
    private long told;

    @BeforeEach
    void live() {
        SyncStream<JsonObject> stream = owners.client.watch(ADDRESS).onChange(change -> {});
        owners.settle();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
        owners.pass(Duration.ofSeconds(2));
        // Its first message may follow others.
        tell(1);
        owners.pass(Duration.ofSeconds(2));
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(1);
    }

    @AfterEach
    void close() {
        owners.close();
    }

    private void tell(long version) {
        FeedNews news = new FeedNews("c-1", List.of(new NodeChange(++told, NodeChange.Kind.UPDATED, ADDRESS, version)));
        owners.vertx.eventBus().publish(FeedNews.place("iso"), news.toJson());
        owners.settle();
    }

    private void frame(long sequence, long version) {
        owners.send(
                owners.last(),
                new Frame(
                        owners.last().terms().stream(),
                        id(1),
                        sequence,
                        version,
                        new Frame.Patch(new JsonArray()),
                        false));
    }

    @Test
    void aVersionThatDoesNotComeWithinAPaceIsAskedForOnce() {
        tell(9);
        owners.pass(PACE.minusNanos(1));
        assertThat(owners.asked).hasSize(1);
        owners.pass(Duration.ofNanos(1));
        assertThat(owners.asked).hasSize(2);
        owners.accept(owners.last(), 1);
        owners.pass(Duration.ofSeconds(3));
        assertThat(owners.asked).hasSize(2);
    }

    @Test
    void aVersionThatComesIsNotAskedFor() {
        tell(9);
        frame(2, 9);
        owners.pass(Duration.ofSeconds(3));
        assertThat(owners.asked).hasSize(1);
        assertThat(owners.timers()).as("the beat").isEqualTo(1);
    }

    @Test
    void newsThatNeverCeasePutNoAskOff() {
        for (int i = 0; i < 5; i++) {
            tell(9 + i);
            owners.pass(Duration.ofMillis(100));
        }
        assertThat(owners.asked).hasSize(2);
    }

    @Test
    void newsThatNeverCeaseOfAStreamThatHasThemAskForNothing() {
        for (int i = 0; i < 30; i++) {
            tell(9 + i);
            owners.pass(Duration.ofMillis(50));
            frame(2 + i, 9 + i);
            owners.pass(Duration.ofMillis(50));
        }
        owners.pass(Duration.ofSeconds(1));
        assertThat(owners.asked).hasSize(1);
    }
}
