package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** L and H6 with real owners, on one node whose time the test owns: how a stream survives what becomes of its owner. */
@Timeout(30)
class RidingOutTest {

    private static final MeshAddress BOARD = MeshAddress.of("board/1");
    private static final MeshAddress SLOW = MeshAddress.of("slow/1");
    private static final MeshAddress CH = MeshAddress.of("iso/CH");
    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final Counts counts = new Counts();
    private final SharedStore store = new SharedStore();
    private final Promise<Void> mayEnd = Promise.promise();
    private final AtomicInteger lives = new AtomicInteger();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .options(HubOptions.ofDefaults().withIdleTimeout(IDLE))
            .hub("board", Board::new)
            .hub("slow", () -> new Slow(mayEnd, lives))
            .configure(node -> node.metrics(counts))
            .configure(store::serve)
            .build();

    private Watched watch(MeshAddress address) {
        Watched watched = new Watched(mesh.node().sync().watch(address));
        pass(Duration.ZERO);
        return watched;
    }

    private void pass(Duration time) {
        mesh.time().advance(time);
    }

    private void tell(MeshAddress to, String type, JsonObject body) {
        await(mesh.mesh().request(to, body, Object.class, MeshOptions.DEFAULT.withType(type)));
        pass(Duration.ZERO);
    }

    private static JsonObject n(int value) {
        return new JsonObject().put("n", value);
    }

    private static JsonObject country(int value) {
        return new JsonObject(Map.of("nodeType", "country", "name", "Switzerland", "content", n(value)));
    }

    @Test
    void aSubscribedReaderRidesOutARecycleWithOneAsk() {
        try (Watched watched = watch(BOARD)) {
            tell(BOARD, "set", n(5));
            mesh.owner(BOARD).recycle();
            pass(Duration.ZERO);

            watched.isLiveWith(0);
            tell(BOARD, "set", n(6));
            watched.saw(0, 5, 0, 6);
            assertThat(watched.reasons())
                    .singleElement()
                    .satisfies(why -> assertThat(why).endsWith("has let the stream go: recycle was asked for"));
            assertThat(counts.of("sync.subscribes")).isEqualTo(2);
            assertThat(counts.of("sync.refusals")).isZero();
        }
    }

    @Test
    void l2AnOwnerParkedAtDeadIsAskedAtItsPaceAndConvergesOnceItIsReleased() {
        try (Watched watched = watch(BOARD)) {
            mesh.owner(BOARD).park();
            pass(Duration.ZERO);
            long first = counts.of("sync.refusals");
            for (int i = 1; i <= 5; i++) {
                pass(PACE.minusNanos(1));
                assertThat(counts.of("sync.refusals")).isEqualTo(first + i - 1);
                pass(Duration.ofNanos(1));
                assertThat(counts.of("sync.refusals")).isEqualTo(first + i);
            }
            assertThat(counts.of("sync.refusals")).isGreaterThanOrEqualTo(4);
            assertThat(watched.stream.state()).isInstanceOfSatisfying(SyncState.RidingOut.class, riding -> {
                assertThat(riding.axis()).contains(Axis.TIME);
                assertThat(riding.nextAt()).contains(mesh.time().now().plus(PACE));
                assertThat(riding.why()).contains("runLevel=DEAD").contains("the address may reactivate");
            });
            long asked = counts.of("sync.subscribes");

            mesh.owner(BOARD).release();
            pass(PACE);

            watched.isLiveWith(0);
            assertThat(counts.of("sync.subscribes")).isGreaterThan(asked);
        }
    }

    @Test
    void l10AStreamThatIsClosedDuringARestAsksNoMore() {
        Watched watched = watch(BOARD);
        mesh.owner(BOARD).park();
        pass(PACE);
        watched.close();
        long asked = counts.of("sync.subscribes");

        pass(Duration.ofMinutes(1));

        assertThat(counts.of("sync.subscribes")).isEqualTo(asked);
    }

    @Test
    void l13AfterAGiveUpNothingIsAskedUntilTheAddressIsReleased() {
        try (Watched watched = watch(BOARD)) {
            mesh.owner(BOARD).park();
            pass(Duration.ofSeconds(30));

            assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP));
            assertThat(counts.of("sync.given-up")).isEqualTo(1);
            assertThat(counts.of("sync.refusals")).isEqualTo(18);
            long asked = counts.of("sync.subscribes");
            pass(Duration.ofHours(1));
            assertThat(counts.of("sync.subscribes")).isEqualTo(asked);

            mesh.owner(BOARD).release();
            pass(Duration.ZERO);
            watched.isLiveWith(0);
            assertThat(counts.of("sync.subscribes")).isEqualTo(asked + 1);
        }
    }

    @Test
    void l4SeveralViewsOfOneAddressSpendOneBudgetAndAreGivenUpWithOneWarning() {
        try (Watched watched = watch(BOARD);
                SyncStream<Object> part = mesh.node().sync().watch(BOARD, "/n").onState(state -> {})) {
            pass(Duration.ZERO);
            assertThat(part.value()).contains(0);
            mesh.owner(BOARD).park();
            pass(Duration.ofSeconds(30));

            assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP));
            assertThat(part.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.GAVE_UP));
            assertThat(counts.of("sync.given-up")).isEqualTo(1);
            assertThat(counts.of("sync.refusals")).isEqualTo(18);
            long asked = counts.of("sync.subscribes");

            mesh.owner(BOARD).release();
            pass(Duration.ZERO);
            tell(BOARD, "set", n(3));
            watched.isLiveWith(3);
            assertThat(part.state()).isInstanceOf(SyncState.Live.class);
            assertThat(part.value()).contains(3);
            assertThat(counts.of("sync.subscribes")).isEqualTo(asked + 2);
        }
    }

    @Test
    void l7WhoIsRefusedByAnOwnerOfThisProcessAsksAgainWhenThatHasEnded() {
        try (Watched first = watch(SLOW)) {
            first.isLiveWith(1);
            tell(SLOW, "dispose", null);
            SyncStream<Object> second = mesh.node().sync().watch(SLOW, "/n");
            pass(Duration.ofSeconds(2));
            assertThat(counts.of("sync.refusals")).isEqualTo(1);
            assertThat(second.state()).isInstanceOf(SyncState.RidingOut.class);
            assertThat(first.stream.state()).isInstanceOf(SyncState.Live.class);
            long asked = counts.of("sync.subscribes");

            mayEnd.complete();
            pass(Duration.ZERO);

            first.isLiveWith(2);
            assertThat(second.value()).contains(2);
            assertThat(counts.of("sync.subscribes")).isEqualTo(asked + 2);
            assertThat(counts.of("sync.refusals")).isEqualTo(1);
            second.close();
        }
    }

    @Test
    void h6AnOwnerThatIsFollowedIsNotPassivated() {
        Watched watched = watch(BOARD);
        tell(BOARD, "set", n(5));
        pass(IDLE.multipliedBy(10));
        watched.saw(0, 5);
        assertThat(await(mesh.node().runtime().activations(10))).hasSize(1);

        watched.close();
        pass(IDLE.multipliedBy(3));
        assertThat(await(mesh.node().runtime().activations(10))).isEmpty();
    }

    @Test
    void aNodeIsFollowedThroughItsChanges() {
        tell(CH, NodeHubs.PUT, country(1));
        try (Watched watched = watch(CH)) {
            tell(CH, NodeHubs.PUT, country(2));
            tell(CH, NodeHubs.PUT, country(2));

            assertThat(watched.changes).hasSize(2);
            assertThat(watched.stream.value()).contains(country(2));
            assertThat(watched.stream.version()).isEqualTo(2);
            assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        }
    }

    @Test
    void l13ADeletedNodeLeavesTheStreamDormantAndItsReCreationWakesIt() {
        tell(CH, NodeHubs.PUT, country(1));
        try (Watched watched = watch(CH)) {
            tell(CH, NodeHubs.DELETE, null);
            assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
            assertThat(watched.stream.value()).contains(country(1));
            pass(Duration.ofHours(1));
            assertThat(counts.of("sync.subscribes")).isEqualTo(1);

            tell(CH, NodeHubs.PUT, country(3));

            Watched.eventually(
                    "the new node",
                    () -> watched.stream.value().filter(country(3)::equals).isPresent());
            assertThat(watched.stream.version()).isEqualTo(3);
            assertThat(counts.of("sync.subscribes")).isEqualTo(2);
        }
    }

    @Test
    void l9AReAskThatIsAnsweredNotFoundLeavesAStreamThatWasLiveDormant() {
        tell(CH, NodeHubs.PUT, country(1));
        try (Watched watched = watch(CH)) {
            var record = await(store.read(CH)).orElseThrow();
            var owner = await(mesh.node().runtime().activations(1)).get(0).activation();
            var self = mesh.node().membership().self();
            await(store.write(new NodeWrite(
                    CH,
                    "",
                    "",
                    null,
                    record.version(),
                    owner,
                    new ShardFence(self.role(), CH.shard(), owner.epoch(), self.incarnation()))));
            // One that is announced while the re-ask is under way would make one more.
            List<MeshAddress> released = holdBackReleases();
            mesh.owner(CH).recycle();
            pass(Duration.ZERO);

            Watched.eventually("dormant", () -> {
                pass(Duration.ofMillis(100));
                return watched.stream.state() instanceof SyncState.Dormant;
            });
            assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
            assertThat(counts.of("sync.subscribes")).isEqualTo(2);

            Watched.eventually("the release", () -> released.contains(CH));
            released.forEach(mesh.node().sync()::released);
            pass(Duration.ofMinutes(1));
            assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
            assertThat(counts.of("sync.subscribes")).isEqualTo(2);
        }
    }

    /** Has addresses that are released put into the list it returns, and nobody told of them. */
    private List<MeshAddress> holdBackReleases() {
        List<MeshAddress> released = new CopyOnWriteArrayList<>();
        ((MeshRouter) mesh.node().mesh()).onReleased(released::add);
        return released;
    }

    @Test
    void s1AMissingNodeEndsTheStreamAtTheFirstAsk() {
        Watched watched = watch(MeshAddress.of("iso/XX"));
        watched.eventuallyIs(SyncState.Ended.class);

        assertThat(watched.stream.state())
                .isInstanceOfSatisfying(
                        SyncState.Ended.class,
                        ended -> assertThat(ended.reason()).isEqualTo(SyncState.Reason.NOT_FOUND));
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
    }

    @Test
    void aStartThatFailsIsRiddenOutWithoutABound() {
        IntStream.range(0, 3).forEach(i -> mesh.owner(BOARD).failNextStart(new IllegalStateException("not yet")));
        try (Watched watched = watch(BOARD)) {
            assertThat(watched.stream.state())
                    .isInstanceOfSatisfying(
                            SyncState.RidingOut.class,
                            riding -> assertThat(riding.axis()).isEmpty());
            pass(Duration.ofMinutes(2));
            watched.isLiveWith(0);
        }
    }
}
