package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.sync.FakeOwners.Asked;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.meshhub.sync.protocol.JsonTrees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L: the streams of several views of one address look for their owner together, and spend one budget. */
@Timeout(30)
class ViewsShareALatchTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/1");
    private static final Duration PACE = Duration.ofMillis(500);

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults());
    private final List<SyncStream<Object>> streams = new ArrayList<>();
    private final List<SyncState> states = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        streams.forEach(SyncStream::close);
        owners.close();
    }

    private SyncStream<Object> watch(String view) {
        SyncStream<Object> stream = owners.client.watch(ADDRESS, view);
        stream.onState(states::add);
        streams.add(stream);
        owners.settle();
        return stream;
    }

    /** As many live streams, each of a view of its own. */
    private List<Asked> live(int views) {
        for (int i = 0; i < views; i++) {
            watch("/v" + i);
            accept(1);
        }
        // Past the burst of the first ask.
        owners.pass(Duration.ofSeconds(2));
        assertThat(owners.asked).hasSize(views);
        return List.copyOf(owners.asked);
    }

    /** Accepts the last ask, with a value. */
    private void accept(int activation) {
        Asked asked = owners.last();
        owners.accept(asked, activation);
        full(asked, activation, activation * 10);
    }

    private void full(Asked to, int activation, int value) {
        Map<String, @Nullable Object> document = Collections.singletonMap(Frame.VALUE, JsonTrees.of(value));
        owners.send(to, new Frame(to.terms().stream(), id(activation), 1, 1, new Frame.Full(document), false));
    }

    private void goodbye(Asked to, int activation) {
        owners.send(to, new Goodbye(to.terms().stream(), id(activation), RunLevel.DEAD, "it was disposed", null));
    }

    private static ShuttingDown refusal(int activation) {
        return ShuttingDown.refusal(ADDRESS, id(activation), RunLevel.DEAD, "b");
    }

    private void allAreLiveWith(Object value) {
        assertThat(streams).allSatisfy(stream -> {
            assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
            assertThat(stream.value()).contains(value);
        });
    }

    private void assertAsked(int times) {
        assertThat(owners.asked).hasSize(times);
    }

    @Test
    void aBurstOfRefusalsIsChargedOnceHoweverManyViewsThereAre() {
        List<Asked> held = live(5);
        held.forEach(asked -> goodbye(asked, 1));
        assertAsked(6);
        for (int i = 1; i <= 16; i++) {
            owners.refuse(owners.last(), refusal(1));
            assertThat(streams)
                    .allSatisfy(stream -> assertThat(stream.state()).isInstanceOf(SyncState.RidingOut.class));
            SyncState.RidingOut riding = (SyncState.RidingOut) streams.get(4).state();
            assertThat(riding.observed()).isEqualTo(i == 1 ? 1 : i - 1);
            owners.pass(PACE);
            assertAsked(6 + i);
        }
        accept(2);
        // Each of the others follows, one after the other.
        for (int i = 1; i < 5; i++) {
            accept(2);
        }

        assertAsked(6 + 16 + 4);
        allAreLiveWith(20);
    }

    @Test
    void allGiveUpTogetherAndAllWakeTogether() {
        live(3).forEach(asked -> goodbye(asked, 1));
        for (int i = 0; i < 18; i++) {
            owners.refuse(owners.last(), refusal(1));
            owners.pass(PACE);
        }
        assertThat(streams)
                .allSatisfy(stream ->
                        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP)));
        int asked = owners.asked.size();
        assertThat(owners.timers()).isZero();

        owners.client.released(ADDRESS);
        owners.settle();
        assertAsked(asked + 1);
        for (int i = 0; i < 3; i++) {
            accept(2);
        }
        assertAsked(asked + 3);
        allAreLiveWith(20);
    }

    @Test
    void oneAskIsOutstandingHoweverManyViewsLostTheirOwner() {
        live(4);
        owners.lose(FakeOwners.OTHER);
        // The one that takes over has the same place here.
        owners.gone.clear();
        assertAsked(5);
        owners.pass(Duration.ofSeconds(10));
        assertAsked(5);
        for (int i = 0; i < 4; i++) {
            accept(2);
            owners.pass(Duration.ofSeconds(2));
        }
        assertAsked(8);
        allAreLiveWith(20);
    }

    @Test
    void aBeatThatFindsAllUnknownIsOneSign() {
        List<Asked> held = live(3);
        held.forEach(asked -> owners.statuses.put(asked.terms().stream(), Beat.Status.UNKNOWN_HERE));
        owners.pass(Duration.ofSeconds(6));
        owners.statuses.clear();
        assertAsked(4);
        for (int i = 0; i < 3; i++) {
            accept(2);
        }
        owners.pass(Duration.ofSeconds(3));

        assertAsked(6);
        allAreLiveWith(20);
    }

    @Test
    void aGapOfOneViewAsksForThatViewAlone() {
        List<Asked> held = live(3);
        Asked second = held.get(1);
        owners.patch(second, 1, 5, 6);

        assertAsked(4);
        assertThat(owners.last().terms().stream()).isEqualTo(second.terms().stream());
        accept(1);
        owners.pass(Duration.ofSeconds(3));
        assertAsked(4);
    }

    @Test
    void aViewThatIsForbiddenEndsAloneAlsoWhenItAsksForAll() {
        live(3).forEach(asked -> goodbye(asked, 1));
        Asked first = owners.last();
        owners.refuse(first, Forbidden.at(ADDRESS, "read", "b"));
        assertAsked(5);
        accept(2);
        owners.refuse(owners.last(), Forbidden.at(ADDRESS, "read", "b"));

        assertThat(streams.stream().filter(stream -> stream.state() instanceof SyncState.Ended))
                .hasSize(2);
        assertThat(streams.stream().filter(stream -> stream.state() instanceof SyncState.Live))
                .hasSize(1);
        assertAsked(6);
    }

    @Test
    void whatIsNotThereIsNotThereForAllViews() {
        live(3).forEach(asked -> goodbye(asked, 1));
        owners.refuse(owners.last(), NotFound.noNode(ADDRESS, "b"));

        assertThat(streams)
                .allSatisfy(stream ->
                        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND)));
        owners.pass(Duration.ofMinutes(5));
        assertAsked(4);
        assertThat(owners.timers()).isZero();
    }

    @Test
    void aViewThatFollowsAndIsRefusedHasAllAskAgainAtTheirPace() {
        live(2).forEach(asked -> goodbye(asked, 1));
        accept(2);
        MeshException passing = Unavailable.notSent(ADDRESS, "a", "its shard has no owner");
        owners.refuse(owners.last(), passing);
        owners.settle();
        int asked = owners.asked.size();
        owners.pass(Duration.ofMillis(400));
        assertAsked(asked);
        owners.pass(Duration.ofSeconds(1));
        assertAsked(asked + 1);
        accept(2);

        assertAsked(asked + 1);
        allAreLiveWith(20);
    }

    @Test
    void theOneThatAsksForAllIsClosedAndAnotherAsks() {
        live(2).forEach(asked -> goodbye(asked, 1));
        Asked first = owners.last();
        streams.stream()
                .filter(stream -> stream.view().equals(first.terms().view()))
                .forEach(SyncStream::close);
        owners.pass(SyncOptions.DEFAULT_IDLE_RELEASE);

        assertAsked(4);
        assertThat(owners.last().terms().view()).isNotEqualTo(first.terms().view());
        accept(2);
        assertThat(streams.stream().filter(stream -> stream.state() instanceof SyncState.Live))
                .hasSize(1);
    }

    @Test
    void principalsShareNoLatch() {
        owners.client
                .watch(ADDRESS, Object.class, WatchOptions.asPrincipal("alice"))
                .onState(states::add);
        owners.settle();
        owners.client
                .watch(ADDRESS, Object.class, WatchOptions.asPrincipal("bob"))
                .onState(states::add);
        owners.settle();

        assertAsked(2);
    }

    @Test
    void aViewThatComesWhileTheOwnerIsLookedForWaitsWithTheOthers() {
        live(1).forEach(asked -> goodbye(asked, 1));
        owners.refuse(owners.last(), refusal(1));
        owners.refuse(owners.last(), refusal(1));
        SyncStream<Object> late = watch("/late");
        assertThat(late.state()).isInstanceOf(SyncState.RidingOut.class);
        assertAsked(3);
        owners.pass(PACE);
        assertAsked(4);
        accept(2);
        accept(2);

        assertAsked(5);
        allAreLiveWith(20);
    }
}
