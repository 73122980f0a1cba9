package io.meshhub.sync;

import static io.meshhub.sync.FakeOwners.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.sync.FakeOwners.Asked;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.JsonTrees;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S10, C2 and L13: dormant streams and those that come after them are one subscription, and wake together. */
@Timeout(30)
class DormantStreamsTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("iso/CH");
    private static final Duration PACE = Duration.ofMillis(500);

    private final Map<MeshAddress, Long> stored = new ConcurrentHashMap<>();
    private final FakeOwners owners = new FakeOwners(
            SyncOptions.ofDefaults(),
            address -> Future.succeededFuture(
                    stored.containsKey(address)
                            ? OptionalLong.of(stored.getOrDefault(address, 0L))
                            : OptionalLong.empty()));
    private final List<Object> changes = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        owners.close();
    }

    private SyncStream<Object> watch(String view) {
        SyncStream<Object> stream = owners.client.watch(ADDRESS, view);
        stream.onState(state -> {});
        owners.settle();
        return stream;
    }

    private Asked accept(int activation) {
        Asked asked = owners.last();
        owners.accept(asked, activation);
        full(asked, activation, activation * 10);
        return asked;
    }

    private void full(Asked to, int activation, int value) {
        Map<String, @Nullable Object> document = Collections.singletonMap(Frame.VALUE, JsonTrees.of(value));
        owners.send(to, new Frame(to.terms().stream(), id(activation), 1, 1, new Frame.Full(document), false));
    }

    private SyncStream<Object> dormant(String view) {
        SyncStream<Object> stream = watch(view);
        stream.onChange(change -> changes.add(change.value().orElse("none")));
        accept(1);
        owners.pass(Duration.ofSeconds(2));
        owners.lose(FakeOwners.OTHER);
        // The one that takes over has the same place here.
        owners.gone.clear();
        owners.refuse(owners.last(), new NotFound("nothing is there", FailureDetail.about(ADDRESS)));
        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
        owners.pass(Duration.ofSeconds(2));
        return stream;
    }

    private void giveUp() {
        for (int i = 0; i < 18; i++) {
            owners.refuse(owners.last(), ShuttingDown.refusal(ADDRESS, id(1), RunLevel.DEAD, "b"));
            owners.pass(PACE);
        }
    }

    private void tell(long sequence, NodeChange.Kind kind, MeshAddress address, long version) {
        FeedNews news = new FeedNews("c-1", List.of(new NodeChange(sequence, kind, address, version)));
        owners.vertx.eventBus().publish(FeedNews.place("iso"), news.toJson());
        owners.settle();
    }

    private @Nullable Integer subscriptions() {
        return FakeOwners.await(owners.client.subscriptions());
    }

    @Test
    void s10ADormantStreamAndALaterOneShareOneSubscriptionOnceThereIsAnOwner() {
        SyncStream<Object> first = dormant("");
        int asked = owners.asked.size();
        SyncStream<Object> second = watch("");
        assertThat(second.value()).isEmpty();
        tell(1, NodeChange.Kind.CREATED, ADDRESS, 3);
        assertThat(owners.asked).hasSize(asked + 1);
        assertThat(first.value()).contains(10);
        Asked held = accept(2);

        assertThat(owners.asked).hasSize(asked + 1);
        assertThat(subscriptions()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            full(held, 2, 30 + i);
            assertThat(first.value()).contains(30 + i);
            assertThat(second.value()).contains(30 + i);
        }
        assertThat(first.state()).isInstanceOf(SyncState.Live.class);
        assertThat(changes).containsExactly(10, 20, 30, 31, 32);
        first.close();
        second.close();
        owners.pass(SyncOptions.DEFAULT_IDLE_RELEASE);
        assertThat(subscriptions()).isZero();
        assertThat(owners.timers()).isZero();
    }

    @Test
    void s10ADormantViewIsFollowedAgainOnceAnotherViewHasFoundTheOwner() {
        SyncStream<Object> first = dormant("/a");
        int asked = owners.asked.size();
        SyncStream<Object> second = watch("/b");
        accept(2);
        assertThat(owners.last().terms().view()).isEqualTo("/a");
        accept(2);

        assertThat(owners.asked).hasSize(asked + 2);
        assertThat(first.value()).contains(20);
        assertThat(first.state()).isInstanceOf(SyncState.Live.class);
        assertThat(second.state()).isInstanceOf(SyncState.Live.class);
        assertThat(subscriptions()).isEqualTo(2);
    }

    @Test
    void aLaterStreamThatFindsNothingEndsAloneAndTheDormantOneStillWakes() {
        SyncStream<Object> first = dormant("");
        SyncStream<Object> second = watch("");
        owners.refuse(owners.last(), new NotFound("nothing is there", FailureDetail.about(ADDRESS)));
        assertThat(second.state()).isInstanceOf(SyncState.Ended.class);
        assertThat(first.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
        int asked = owners.asked.size();

        tell(1, NodeChange.Kind.CREATED, ADDRESS, 3);
        assertThat(owners.asked).hasSize(asked + 1);
        accept(2);
        assertThat(first.state()).isInstanceOf(SyncState.Live.class);
    }

    @Test
    void newsThatCameWhileALaterStreamLookedIsNotLostWithIt() {
        SyncStream<Object> first = dormant("");
        SyncStream<Object> second = watch("/b");
        tell(1, NodeChange.Kind.CREATED, ADDRESS, 3);
        int asked = owners.asked.size();
        second.close();
        owners.pass(SyncOptions.DEFAULT_IDLE_RELEASE);

        assertThat(owners.asked).hasSize(asked + 1);
        accept(2);
        assertThat(first.state()).isInstanceOf(SyncState.Live.class);
    }

    @Test
    void s10StreamsThatAreGivenUpOneAfterTheOtherWakeWithOneAsk() {
        SyncStream<Object> first = dormant("");
        SyncStream<Object> second = watch("");
        giveUp();
        assertThat(second.state()).isInstanceOf(SyncState.Dormant.class);
        assertThat(subscriptions()).isEqualTo(1);
        int asked = owners.asked.size();

        tell(1, NodeChange.Kind.CREATED, ADDRESS, 3);
        assertThat(owners.asked).hasSize(asked + 1);
        accept(2);
        assertThat(first.value()).contains(20);
        assertThat(second.value()).contains(20);
    }

    @Test
    void c2ANewerEntryIsNotRemovedByTheEndOfAnOlderOne() {
        SyncStream<Object> old = dormant("");
        SyncStream<Object> young = watch("");
        old.close();
        owners.settle();
        accept(2);
        int asked = owners.asked.size();
        SyncStream<Object> third = watch("");

        assertThat(owners.asked).hasSize(asked);
        assertThat(third.value()).contains(20);
        assertThat(young.value()).contains(20);
        assertThat(subscriptions()).isEqualTo(1);
    }

    @Test
    void l13AStreamThatWasGivenUpAsksOnceWhenANodeIsLost() {
        SyncStream<Object> stream = watch("");
        accept(1);
        owners.pass(Duration.ofSeconds(2));
        owners.lose(FakeOwners.OTHER);
        owners.gone.clear();
        giveUp();
        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP));
        int asked = owners.asked.size();

        owners.lose("c-1");
        assertThat(owners.asked).hasSize(asked + 1);
        accept(2);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
    }

    @Test
    void l13AStreamThatIsNotThereDoesNotAskWhenANodeIsLost() {
        dormant("");
        int asked = owners.asked.size();
        owners.lose("c-1");

        assertThat(owners.asked).hasSize(asked);
    }

    @Test
    void l13AStreamThatWasGivenUpAtItsFirstAskIsLookedUpAfterAGap() {
        SyncStream<Object> stream = watch("");
        giveUp();
        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP));
        owners.pass(Duration.ofSeconds(2));
        int asked = owners.asked.size();
        stored.put(ADDRESS, 4L);

        tell(7, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 1);
        assertThat(owners.asked).hasSize(asked + 1);
        accept(2);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
    }
}
