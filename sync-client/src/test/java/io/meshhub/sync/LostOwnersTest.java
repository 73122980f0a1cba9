package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.sync.FakeOwners.Asked;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.meshhub.sync.protocol.JsonTrees;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L: a stream that nobody holds does not say that it is live, however long its own ask waits for its turn. */
@Timeout(30)
class LostOwnersTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final int IN_FLIGHT = 4;

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults().withResubscribesInFlight(IN_FLIGHT));

    @AfterEach
    void close() {
        owners.close();
    }

    private SyncStream<JsonObject> live() {
        SyncStream<JsonObject> stream = owners.client.watch(ADDRESS);
        owners.settle();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        owners.pass(Duration.ofSeconds(2));
        return stream;
    }

    private void goodbye(int activation) {
        Asked to = owners.last();
        owners.send(to, new Goodbye(to.terms().stream(), id(activation), RunLevel.DEAD, "it was moved", null));
    }

    private static void isRiding(SyncStream<JsonObject> stream, String why) {
        assertThat(stream.state()).isInstanceOfSatisfying(SyncState.RidingOut.class, riding -> {
            assertThat(riding.axis()).isEmpty();
            assertThat(riding.attempt()).isEqualTo(1);
            assertThat(riding.why()).contains(why).contains(ADDRESS.toString());
        });
    }

    @Test
    void aStreamThatIsLetGoRidesOutUntilTheNextOwnerHasAcceptedIt() {
        SyncStream<JsonObject> stream = live();
        goodbye(1);

        isRiding(stream, "runLevel=DEAD, " + id(1));
        isRiding(stream, "it was moved");
        owners.full(owners.last(), 2, 1, 6);
        isRiding(stream, "it was moved");
        owners.accept(owners.last(), 2);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(stream.value()).contains(new JsonObject().put("n", 6));
    }

    @Test
    void aGoodbyeThatOvertakesTheAcceptanceOfTheSameOwnerIsNotForgotten() {
        SyncStream<JsonObject> stream = live();
        goodbye(1);
        goodbye(2);
        owners.accept(owners.last(), 2);

        isRiding(stream, id(2).toString());
        owners.pass(Duration.ofSeconds(1));
        assertThat(owners.asked).hasSize(3);
        owners.accept(owners.last(), 3);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        owners.pass(Duration.ofSeconds(3));
        assertThat(owners.asked).hasSize(3);
    }

    @Test
    void aStreamThatItsOwnerDoesNotKnowRidesOut() {
        SyncStream<JsonObject> stream = live();
        owners.statuses.put(owners.last().terms().stream(), Beat.Status.UNKNOWN_HERE);
        owners.pass(Duration.ofSeconds(4));

        isRiding(stream, "no longer knows of the stream");
    }

    @Test
    void noneOfManyStreamsOfALostNodeIsLiveBeforeItsOwnAskIsAnswered() {
        List<SyncStream<JsonObject>> streams = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            streams.add(owners.client.watch(MeshAddress.of("orders/" + i)).onChange(change -> {}));
        }
        owners.settle();
        List.copyOf(owners.asked).forEach(asked -> {
            owners.accept(asked, 1);
            owners.full(asked, 1, 1, 5);
        });
        assertThat(streams).allSatisfy(stream -> assertThat(stream.state()).isInstanceOf(SyncState.Live.class));
        owners.pass(Duration.ofSeconds(2));

        owners.lose(FakeOwners.OTHER);
        assertLive(streams, 0);
        owners.pass(Spread.LONGEST);
        assertLive(streams, 0);
        for (int answered = 1; answered <= 40; answered++) {
            owners.accept(owners.asked.get(40 + answered - 1), 2);
            assertLive(streams, answered);
        }
    }

    @Test
    void s11AFinalFullEndsTheStreamWithItsValueAndTheBeatsWithIt() {
        SyncStream<JsonObject> stream = live();
        Map<String, @Nullable Object> last =
                Collections.singletonMap(Frame.VALUE, JsonTrees.of(new JsonObject().put("n", 6)));
        owners.send(owners.last(), new Frame(owners.last().terms().stream(), id(1), 2, 2, new Frame.Full(last), true));
        owners.pass(Duration.ofMinutes(10));

        assertThat(stream.state()).isEqualTo(new SyncState.Ended(SyncState.Reason.COMPLETED, Optional.empty()));
        assertThat(stream.value()).contains(new JsonObject().put("n", 6));
        assertThat(owners.beats).isEmpty();
        assertThat(owners.unsubscribed).isEmpty();
        assertThat(owners.timers()).isZero();
        assertThat(owners.asked).hasSize(1);
    }

    private static void assertLive(List<SyncStream<JsonObject>> streams, int many) {
        assertThat(streams.stream().filter(stream -> stream.state() instanceof SyncState.Live))
                .hasSize(many);
        assertThat(streams.stream().filter(stream -> stream.state() instanceof SyncState.RidingOut))
                .hasSize(streams.size() - many);
    }
}
