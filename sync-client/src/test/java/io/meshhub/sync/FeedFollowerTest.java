package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.sync.protocol.FeedNews;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What streams do with the news of other processes: the test tells them, and is the store. */
@Timeout(30)
class FeedFollowerTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("iso/CH");

    private final Map<MeshAddress, Long> stored = new ConcurrentHashMap<>();
    private final List<MeshAddress> lookedUp = new CopyOnWriteArrayList<>();
    // A stream that nobody reaches is released.
    private final List<SyncStream<JsonObject>> held = new ArrayList<>();
    private FakeOwners owners = new FakeOwners(options(), this::version);

    private static SyncOptions options() {
        return SyncOptions.ofDefaults().withIdleRelease(Duration.ofSeconds(5));
    }

    private Future<OptionalLong> version(MeshAddress address) {
        lookedUp.add(address);
        Long version = stored.get(address);
        return Future.succeededFuture(version == null ? OptionalLong.empty() : OptionalLong.of(version));
    }

    @AfterEach
    void close() {
        owners.close();
    }

    private SyncStream<JsonObject> dormant() {
        SyncStream<JsonObject> stream = owners.client.watch(ADDRESS);
        held.add(stream);
        owners.settle();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
        owners.pass(Duration.ofSeconds(2));
        owners.lose(FakeOwners.OTHER);
        owners.refuse(owners.last(), missing());
        assertThat(stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
        owners.pass(Duration.ofSeconds(2));
        lookedUp.clear();
        return stream;
    }

    private static NotFound missing() {
        return new NotFound("nothing is there", FailureDetail.about(ADDRESS));
    }

    private void tell(String from, long sequence, NodeChange.Kind kind, MeshAddress address, long version) {
        FeedNews news = new FeedNews(from, List.of(new NodeChange(sequence, kind, address, version)));
        owners.vertx.eventBus().publish(FeedNews.place(address.partition()), news.toJson());
        owners.settle();
    }

    private int asked() {
        return owners.asked.size();
    }

    private int consumersHeard() {
        // Nobody at an address is told at once to who asks there.
        Future<?> asked = owners.vertx.eventBus().request(FeedNews.place("iso"), new JsonObject());
        owners.settle();
        return asked.isComplete() ? 0 : 1;
    }

    @Test
    void aDormantStreamWakesWhenAnotherProcessTellsThatItsNodeIsThereAgain() {
        SyncStream<JsonObject> stream = dormant();
        int before = asked();
        tell("c-1", 1, NodeChange.Kind.DELETED, ADDRESS, 2);
        assertThat(asked()).isEqualTo(before);
        tell("c-1", 2, NodeChange.Kind.CREATED, ADDRESS, 3);

        assertThat(asked()).isEqualTo(before + 1);
        owners.accept(owners.last(), 2);
        owners.full(owners.last(), 2, 1, 7);
        assertThat(stream.state()).isInstanceOf(SyncState.Live.class);
    }

    @Test
    void whatWasNotHeardIsLookedUpOnceTheNextMessageShowsIt() {
        dormant();
        tell("c-1", 1, NodeChange.Kind.CREATED, MeshAddress.of("iso/other"), 1);
        owners.pass(Duration.ofSeconds(2));
        int before = asked();
        lookedUp.clear();
        stored.put(ADDRESS, 9L);
        tell("c-1", 2, NodeChange.Kind.CREATED, MeshAddress.of("iso/more"), 1);
        assertThat(lookedUp).isEmpty();

        tell("c-1", 4, NodeChange.Kind.CREATED, MeshAddress.of("iso/even-more"), 1);

        assertThat(lookedUp).containsExactly(ADDRESS);
        assertThat(asked()).isEqualTo(before + 1);
    }

    @Test
    void aClientThatIsClosedWhileALookUpRestsLooksNothingUpAndLeavesNoTimer() {
        dormant();
        tell("c-1", 7, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 4);
        tell("c-1", 9, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 5);
        assertThat(lookedUp).containsExactly(ADDRESS);
        assertThat(owners.timers()).as("the second look-up rests").isEqualTo(1);

        FakeOwners.await(owners.client.close());
        owners.settle();

        assertThat(owners.timers()).isZero();
        owners.pass(Duration.ofSeconds(10));
        assertThat(lookedUp).containsExactly(ADDRESS);
    }

    @Test
    void theFirstMessageOfASenderAndTheLossOfANodeAreLookedUpToo() {
        dormant();
        tell("c-1", 7, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 4);
        assertThat(lookedUp).containsExactly(ADDRESS);
        owners.pass(Duration.ofSeconds(2));
        owners.lose("d-1");
        assertThat(lookedUp).containsExactly(ADDRESS, ADDRESS);
    }

    @Test
    void manyGapsAreLookedUpAtOnceAndOnceMoreAfterARest() {
        dormant();
        for (int i = 0; i < 20; i++) {
            tell("c-1", 10L * i, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), i + 1);
        }
        assertThat(lookedUp).hasSize(1);
        owners.pass(Duration.ofSeconds(5));

        assertThat(lookedUp).hasSize(2);
        assertThat(owners.timers()).isZero();
    }

    @Test
    void withoutAStoreADormantStreamAsksOnceForEachSign() {
        owners.close();
        owners = new FakeOwners(options());
        dormant();
        int before = asked();
        tell("c-1", 7, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 4);
        assertThat(asked()).isEqualTo(before + 1);
        owners.refuse(owners.last(), missing());
        owners.pass(Duration.ofSeconds(30));

        assertThat(asked()).isEqualTo(before + 1);
        assertThat(owners.timers()).isZero();
    }

    @Test
    void aVersionThatCannotBeFoundOutIsAskedForFromTheOwner() {
        owners.close();
        Promise<OptionalLong> fault = Promise.promise();
        fault.fail("the store could not be asked");
        owners = new FakeOwners(options(), address -> fault.future());
        dormant();
        int before = asked();
        tell("c-1", 7, NodeChange.Kind.UPDATED, MeshAddress.of("iso/other"), 4);

        assertThat(asked()).isEqualTo(before + 1);
    }

    @Test
    void aPartitionIsHeardWhileAStreamOfItIsWatchedAndNoLonger() {
        SyncStream<JsonObject> one = owners.client.watch(ADDRESS);
        SyncStream<JsonObject> two = owners.client.watch(MeshAddress.of("iso/DE"));
        owners.settle();
        assertThat(consumersHeard()).isEqualTo(1);
        one.close();
        owners.settle();
        assertThat(consumersHeard()).isEqualTo(1);
        two.close();
        owners.settle();
        assertThat(consumersHeard()).isZero();
        // One that is still kept for the next who watches is heard for again.
        SyncStream<JsonObject> again = owners.client.watch(ADDRESS);
        owners.settle();
        assertThat(consumersHeard()).isEqualTo(1);
        again.close();
    }

    @Test
    void whatIsNoNewsIsTakenForAGap() {
        dormant();
        owners.vertx.eventBus().publish(FeedNews.place("iso"), new JsonObject().put("x", 1));
        owners.settle();
        assertThat(lookedUp).containsExactly(ADDRESS);
    }
}
