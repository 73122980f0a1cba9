package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.sync.FakeOwners.Asked;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S, H and L of a client alone: its owners are in another process, and say what the test wants, when it wants. */
@Timeout(30)
class SyncClientTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final Duration PACE = Duration.ofMillis(500);
    private static final int IN_FLIGHT = 4;

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults().withResubscribesInFlight(IN_FLIGHT));

    @AfterEach
    void close() {
        owners.close();
    }

    private SyncStream<JsonObject> watch(MeshAddress address) {
        SyncStream<JsonObject> stream = owners.client.watch(address);
        owners.settle();
        return stream;
    }

    // Who calls it holds the stream to the end: one that nobody reaches is released.
    private SyncStream<JsonObject> live() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        // Past the burst of the first ask.
        owners.pass(Duration.ofSeconds(2));
        return stream;
    }

    private static Optional<Integer> n(SyncStream<JsonObject> stream) {
        return stream.value().map(value -> value.getInteger("n"));
    }

    private void goodbye(int activation) {
        Asked to = owners.last();
        owners.send(to, new Goodbye(to.terms().stream(), id(activation), RunLevel.DEAD, "it was disposed", null));
    }

    @Test
    void s3AFullThatComesBeforeTheAcknowledgementIsApplied() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        owners.full(owners.last(), 1, 1, 5);

        assertThat(n(stream)).contains(5);
        assertThat(stream.state()).isInstanceOf(SyncState.Connecting.class);
        owners.accept(owners.last(), 1);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(1);
    }

    @Test
    void s4AFrameForAStreamThatIsGoneIsDroppedAndTheOwnerTold() {
        SyncStream<JsonObject> stream = live();
        Asked real = owners.last();
        Frame ghost = new Frame("ghost", id(1), 1, 1, new Frame.Full(Map.of()), false);
        owners.send(real, ghost);

        assertThat(owners.unsubscribed).hasSize(1);
        assertThat(owners.unsubscribed.get(0).stream()).isEqualTo("ghost");
        assertThat(owners.unsubscribed.get(0).address()).isEqualTo(ADDRESS);
        stream.close();
    }

    @Test
    void s7AGapMakesOneAskWithTheSameStreamAndAFullHealsIt() {
        SyncStream<JsonObject> stream = live();
        Asked first = owners.last();
        owners.patch(first, 1, 3, 7);
        owners.patch(first, 1, 4, 8);

        assertThat(owners.asked).hasSize(2);
        assertThat(owners.last().terms()).isEqualTo(first.terms());
        assertThat(n(stream)).contains(5);
        owners.accept(owners.last(), 1);
        owners.full(first, 1, 5, 9);
        owners.patch(first, 1, 6, 10);
        owners.pass(Duration.ofSeconds(3));

        assertThat(n(stream)).contains(10);
        assertThat(owners.asked).hasSize(2);
    }

    @Test
    void s7APatchBeforeAnyFullMakesOneAskAndAFullHealsIt() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        Asked first = owners.last();
        owners.accept(first, 1);
        owners.patch(first, 1, 2, 7);
        owners.patch(first, 1, 3, 8);

        assertThat(owners.asked).hasSize(2);
        assertThat(owners.last().terms()).isEqualTo(first.terms());
        assertThat(stream.value()).isEmpty();
        assertThat(stream.state()).isInstanceOf(SyncState.Connecting.class);
        owners.accept(owners.last(), 1);
        owners.full(first, 1, 4, 9);
        owners.patch(first, 1, 5, 10);
        owners.pass(Duration.ofSeconds(3));

        assertThat(n(stream)).contains(10);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(2);
    }

    @Test
    void h1TheFirstBeatComesAfter5SecondsAndThenOneIn45() {
        SyncStream<JsonObject> stream = live();
        owners.pass(Duration.ofSeconds(2).plusMillis(999));
        assertThat(owners.beats).isEmpty();
        owners.pass(Duration.ofMillis(1));
        assertThat(owners.beats).hasSize(1);
        owners.pass(Duration.ofSeconds(44).plusMillis(999));
        assertThat(owners.beats).hasSize(1);
        owners.pass(Duration.ofMillis(1));

        assertThat(owners.beats).hasSize(2);
        assertThat(owners.beats.get(1).entries())
                .containsExactly(new Beat.Entry(ADDRESS, owners.last().terms().stream(), id(1), 1));
        assertThat(owners.asked).hasSize(1);
        stream.close();
    }

    @Test
    void h2AHealthyOwnerLeavesOneTimerAndNoRequestHoweverManyBeatsThereWere() {
        SyncStream<JsonObject> stream = live();
        owners.pass(FakeOwners.INTERVAL.multipliedBy(1000));

        assertThat(owners.beats).hasSizeBetween(1000, 1001);
        assertThat(owners.timers()).isEqualTo(1);
        assertThat(owners.handlers.replies()).isZero();
        assertThat(owners.unexpected).isEmpty();
        assertThat(owners.asked).hasSize(1);
        stream.close();
    }

    @Test
    void h3NotFoundFreezesTheCountOfBeatsAndMakesTheStreamDormant() {
        SyncStream<JsonObject> stream = live();
        owners.statuses.put(owners.last().terms().stream(), Beat.Status.NOT_FOUND);
        owners.pass(Duration.ofMinutes(10));

        assertThat(owners.beats).hasSize(1);
        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
        assertThat(n(stream)).contains(5);
        assertThat(owners.asked).hasSize(1);
        assertThat(owners.timers()).isZero();
    }

    @Test
    void h4AnOwnerThatIsSilentIsBeatenOn() {
        SyncStream<JsonObject> stream = live();
        owners.silent = true;
        owners.pass(FakeOwners.INTERVAL.multipliedBy(4));

        assertThat(owners.beats).hasSizeGreaterThanOrEqualTo(4);
        assertThat(stream.state()).as("nobody says that the value is current").isInstanceOf(SyncState.RidingOut.class);
        owners.silent = false;
        owners.pass(FakeOwners.INTERVAL.multipliedBy(2));
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(1);
    }

    @Test
    void h4AnOwnerThatDoesNotSpeakAlthoughItsNodeDoesIsNotSaidToBeAlive() {
        SyncStream<JsonObject> stream = live();
        owners.statuses.put(owners.last().terms().stream(), Beat.Status.SILENT);
        owners.pass(FakeOwners.INTERVAL.multipliedBy(3));

        assertThat(owners.beats).hasSizeGreaterThanOrEqualTo(3);
        assertThat(stream.state()).isInstanceOf(SyncState.RidingOut.class);
        owners.statuses.clear();
        owners.pass(FakeOwners.INTERVAL.multipliedBy(2));
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(1);
    }

    @Test
    void h6AGoodbyeOfAFormerOwnerLeavesTheStreamWithItsBeats() {
        SyncStream<JsonObject> stream = live();
        goodbye(1);
        owners.accept(owners.last(), 2);
        owners.full(owners.last(), 2, 1, 6);
        assertThat(n(stream)).contains(6);
        int before = owners.beats.size();

        goodbye(1);
        owners.pass(FakeOwners.INTERVAL.multipliedBy(2));

        assertThat(owners.beats).hasSizeGreaterThan(before);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(2);
    }

    @Test
    void h6UnknownHereMakesTheStreamAskAgain() {
        SyncStream<JsonObject> stream = live();
        owners.statuses.put(owners.last().terms().stream(), Beat.Status.UNKNOWN_HERE);
        owners.pass(Duration.ofSeconds(4));
        owners.statuses.clear();
        assertThat(owners.asked).hasSize(2);

        owners.accept(owners.last(), 2);
        owners.full(owners.last(), 2, 1, 6);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
        assertThat(n(stream)).contains(6);
    }

    @Test
    void h8ManyStreamsOfOneNodeAreOneBeatInAnInterval() {
        List<SyncStream<JsonObject>> streams = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            streams.add(owners.client.watch(MeshAddress.of("orders/" + i)));
        }
        owners.settle();
        List.copyOf(owners.asked).forEach(asked -> owners.accept(asked, 1));
        owners.pass(Duration.ofSeconds(5).plus(FakeOwners.INTERVAL.multipliedBy(2)));

        assertThat(streams).hasSize(500);
        assertThat(owners.beats).hasSize(3);
        assertThat(owners.beats).allSatisfy(beat -> assertThat(beat.entries()).hasSize(500));
    }

    @Test
    void l1TheFirstGoodbyeAsksAtOnceAndABurstMakesAtMostOneMore() {
        SyncStream<JsonObject> stream = live();
        goodbye(1);
        goodbye(1);
        goodbye(1);
        assertThat(owners.asked).hasSize(2);
        owners.lose(FakeOwners.OTHER);
        owners.accept(owners.last(), 2);
        owners.full(owners.last(), 2, 1, 6);
        owners.pass(Duration.ofSeconds(3));

        assertThat(owners.asked).hasSizeLessThanOrEqualTo(3);
        stream.close();
    }

    @Test
    void l3AnOwnerElsewhereThatRefusesIsAskedAtItsPaceAndNeverTwiceAtOnce() {
        SyncStream<JsonObject> stream = live();
        goodbye(1);
        ShuttingDown refusal = ShuttingDown.refusal(ADDRESS, id(1), RunLevel.DEAD, "b");
        owners.refuse(owners.last(), refusal);
        owners.refuse(owners.last(), refusal);
        for (int i = 0; i < 5; i++) {
            int before = owners.asked.size();
            owners.pass(PACE.minusMillis(1));
            assertThat(owners.asked).hasSize(before);
            owners.pass(Duration.ofMillis(1));
            assertThat(owners.asked).hasSize(before + 1);
            owners.refuse(owners.last(), refusal);
        }
        assertThat(stream.state()).isInstanceOf(SyncState.RidingOut.class);
    }

    @Test
    void l12UnavailableIsRiddenOutWithoutABoundAndOffTheBeat() {
        SyncStream<JsonObject> stream = live();
        owners.lose(FakeOwners.OTHER);
        for (int i = 0; i < 60; i++) {
            owners.refuse(owners.last(), Unavailable.notSent(ADDRESS, "a", "its shard has no owner"));
            owners.pass(Duration.ofSeconds(5));
        }
        assertThat(stream.state()).isInstanceOf(SyncState.RidingOut.class);
        assertThat(owners.beats).isEmpty();

        owners.accept(owners.last(), 3);
        owners.full(owners.last(), 3, 1, 6);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
    }

    @Test
    void l9ANotFoundForAnotherAddressIsNoVerdictAboutThisOne() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        owners.refuse(owners.last(), NotFound.noNode(MeshAddress.of("other/1"), "b"));

        assertThat(stream.state())
                .isInstanceOfSatisfying(
                        SyncState.Ended.class,
                        ended -> assertThat(ended.reason()).isEqualTo(SyncState.Reason.FAILED));
    }

    @Test
    void l15ManyStreamsOfALostNodeLookForTheirOwnersWithinTheBound() {
        for (int i = 0; i < 40; i++) {
            owners.client.watch(MeshAddress.of("orders/" + i)).onChange(change -> {});
        }
        owners.settle();
        List.copyOf(owners.asked).forEach(asked -> owners.accept(asked, 1));
        owners.pass(Duration.ofSeconds(2));
        int before = owners.asked.size();

        owners.lose(FakeOwners.OTHER);
        assertThat(owners.asked).as("each waits for its time").hasSize(before);
        owners.pass(Spread.LONGEST);

        int answered = 0;
        while (owners.asked.size() - before < 40) {
            assertThat(owners.asked.size() - before - answered).isEqualTo(IN_FLIGHT);
            owners.accept(owners.asked.get(before + answered), 2);
            answered++;
        }
        assertThat(owners.asked).hasSize(before + 40);
    }

    @Test
    void l15ManyThatAreRefusedAtOnceLeaveTheirTurnsToOthers() {
        int many = 4000;
        for (int i = 0; i < many; i++) {
            owners.client.watch(MeshAddress.of("orders/" + i)).onChange(change -> {});
        }
        owners.settle();
        List.copyOf(owners.asked).forEach(asked -> owners.accept(asked, 1));
        int before = owners.asked.size();
        owners.refusal = address -> Unavailable.notSent(address, "b", "nobody can own it now");

        owners.lose(FakeOwners.OTHER);
        // Shorter than the pace, so that none that was refused comes a second time.
        owners.pass(Spread.delay(many, Math.nextDown(1.0)));
        assertThat(owners.asked).as("each was refused, and rests").hasSize(before + many);

        owners.refusal = null;
        owners.pass(Duration.ofSeconds(2));
        assertThat(owners.asked).as("as many as may look at one time").hasSize(before + many + IN_FLIGHT);
    }

    @Test
    void l15AStreamThatIsClosedWhileItWaitsForItsTimeLeavesNoTimer() {
        List<SyncStream<JsonObject>> streams = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            streams.add(watch(MeshAddress.of("orders/" + i)));
        }
        List.copyOf(owners.asked).forEach(asked -> owners.accept(asked, 1));
        owners.pass(Duration.ofSeconds(2));
        int before = owners.asked.size();
        owners.lose(FakeOwners.OTHER);
        assertThat(owners.timers()).isPositive();

        streams.forEach(SyncStream::close);
        owners.pass(SyncOptions.DEFAULT_IDLE_RELEASE);
        int asked = owners.asked.size() - before;
        owners.pass(Duration.ofMinutes(1));

        assertThat(owners.timers()).isZero();
        assertThat(owners.asked).hasSize(before + asked);
    }

    @Test
    void anOwnerThatWentWhileNobodyLookedIsFoundGoneByTheNextBeat() {
        SyncStream<JsonObject> stream = live();
        owners.gone.add(FakeOwners.OTHER);
        int before = owners.asked.size();

        owners.pass(Duration.ofSeconds(6));

        assertThat(owners.asked).hasSize(before + 1);
        assertThat(owners.beats).isEmpty();
        stream.close();
    }

    @Test
    void l10AndS5AStreamThatIsClosedLeavesNoTimerAndTheOwnerIsTold() {
        SyncStream<JsonObject> stream = live();
        stream.close();
        owners.pass(Duration.ofSeconds(6));

        assertThat(owners.timers()).isZero();
        assertThat(owners.unsubscribed).hasSize(1);
        owners.pass(Duration.ofMinutes(10));
        assertThat(owners.beats).hasSizeLessThanOrEqualTo(1);
        assertThat(owners.asked).hasSize(1);
    }

    @Test
    void aStreamThatIsClosedWhileItsOwnerIsAskedLeavesNothing() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        stream.close();
        owners.pass(Duration.ofSeconds(6));

        assertThat(owners.last().answer().future().cause()).isInstanceOf(DeadlineExceeded.class);
        assertThat(owners.timers()).isZero();
        assertThat(FakeOwners.await(owners.client.subscriptions())).isZero();
    }

    @Test
    void h5AStreamThatNobodyHoldsAndNobodyHearsEndsByItself() {
        abandoned();
        for (int i = 0; i < 200 && owners.unsubscribed.isEmpty(); i++) {
            System.gc();
            owners.pass(Duration.ofSeconds(6));
        }
        assertThat(owners.unsubscribed).hasSize(1);
        long beats = owners.beats.size();
        owners.pass(Duration.ofMinutes(10));

        assertThat(owners.beats).hasSize((int) beats);
        assertThat(owners.timers()).isZero();
    }

    private void abandoned() {
        assertThat(live().value()).isPresent();
    }

    @Test
    void aDeadlineIsNoVerdict() {
        SyncStream<JsonObject> stream = watch(ADDRESS);
        owners.refuse(
                owners.last(),
                new DeadlineExceeded("late", FailureDetail.about(ADDRESS), DeadlineExceeded.Owner.UNKNOWN, null));

        assertThat(stream.state()).isInstanceOf(SyncState.RidingOut.class);
        owners.pass(Duration.ofSeconds(1));
        assertThat(owners.asked).hasSize(2);
    }
}
