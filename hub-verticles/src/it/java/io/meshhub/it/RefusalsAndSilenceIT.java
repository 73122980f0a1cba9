package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * L2 and H3 over real processes, the stream in this one and its owner in another: an owner that is held at DEAD and refuses,
 * and one that ended for good and of which nobody was told. Both also with the owner's node killed in between. In this
 * order, since the starts of the processes are most of the time that each costs.
 */
@Timeout(60)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RefusalsAndSilenceIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration INTERVAL = Duration.ofMillis(400);
    private static final int REFUSALS = 4;
    private static final int SEVERAL = 6;
    private static final SyncOptions SYNC = SyncNode.sync(INTERVAL).withIdleRelease(Duration.ZERO);

    // A timer of whole milliseconds may fire that much before the time that it is read by.
    private static final long PACE_NANOS =
            SYNC.latch().policy().pace().minusMillis(2).toNanos();

    @TempDir
    static Path store;

    private static SyncNodes nodes;
    private static int next;

    private final List<SyncStream<JsonObject>> streams = new ArrayList<>();

    @BeforeAll
    @Timeout(120)
    static void start() {
        nodes = SyncNodes.start(SYNC, store, "b", "c");
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private SyncStream<JsonObject> watch(MeshAddress address) {
        SyncStream<JsonObject> stream = nodes.hub().sync().watch(address).onChange(change -> {});
        streams.add(stream);
        return stream;
    }

    @AfterEach
    void closeAll() {
        streams.forEach(SyncStream::close);
        await().atMost(BOUND).until(() -> TwoNodes.get(nodes.hub().sync().subscriptions()) == 0);
    }

    private static List<MeshAddress> fresh(String node, String prefix, int count) {
        next += 100_000;
        return nodes.addressesOn(node, prefix, next, count);
    }

    private static void tell(MeshAddress to, String type, @Nullable JsonObject body) {
        TwoNodes.get(nodes.hub().mesh().request(to, body, Object.class, MeshOptions.DEFAULT.withType(type)));
    }

    private static JsonObject country(int value) {
        return new JsonObject(
                Map.of("nodeType", "country", "name", "Switzerland", "content", new JsonObject().put("n", value)));
    }

    private static boolean isLiveWith(SyncStream<JsonObject> stream, String member, Object value) {
        return stream.state() instanceof SyncState.Live
                && stream.value()
                        .map(it -> it.getValue(member))
                        .filter(value::equals)
                        .isPresent();
    }

    private static void awaitLive(SyncStream<JsonObject> stream, String member, Object value) {
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(isLiveWith(stream, member, value))
                        .as(stream.address() + " " + stream.state() + " " + stream.value())
                        .isTrue());
    }

    private static void awaitNotFound(SyncStream<JsonObject> stream) {
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(stream.state())
                        .as(stream.address() + " " + stream.value())
                        .isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND)));
    }

    private static void intervals(int count) {
        TwoNodes.get(nodes.hub().vertx().timer(INTERVAL.toMillis() * count, TimeUnit.MILLISECONDS));
    }

    private static int beats() {
        return nodes.counts().of("sync.beats");
    }

    private static int subscribes() {
        return nodes.counts().of("sync.subscribes");
    }

    private static int refusals() {
        return nodes.counts().of("sync.refusals");
    }

    /** Parks a board, and waits until its stream was refused so often, each time but the first after a rest. */
    private void park(SyncStream<JsonObject> stream) {
        int refused = refusals();
        tell(stream.address(), MeshRouter.RECYCLE, new JsonObject().put("park", true));
        await().atMost(BOUND).until(() -> refusals() >= refused + 1 + REFUSALS);
        assertThat(stream.state())
                .isInstanceOfSatisfying(
                        SyncState.RidingOut.class,
                        riding -> assertThat(riding.why())
                                .contains("runLevel=DEAD")
                                .contains("the address may reactivate"));
        // The first refusal is one of an activation that is not known to end: it is asked again at once.
        List<Long> times = nodes.counts().since("sync.refusals", refused + 1);
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1))
                    .as("nanoseconds from refusal " + i + " to the next")
                    .isGreaterThanOrEqualTo(PACE_NANOS);
        }
    }

    @Test
    @Order(1)
    void l2AnOwnerInAnotherProcessThatIsParkedAtDeadIsAskedAtAPaceAndTheStreamConvergesAfterItsRelease() {
        MeshAddress board = fresh("b", "board", 1).get(0);
        SyncStream<JsonObject> stream = watch(board);
        awaitLive(stream, "node", "b");
        TwoNodes.get(SyncNode.set(nodes.hub(), board, 7));
        awaitLive(stream, "n", 7);

        park(stream);
        int asked = subscribes();
        tell(board, MeshRouter.RECYCLE, new JsonObject().put("release", true));

        awaitLive(stream, "n", Integer.parseInt(board.name()));
        assertThat(subscribes()).isGreaterThan(asked);
        TwoNodes.get(SyncNode.set(nodes.hub(), board, 8));
        awaitLive(stream, "n", 8);
    }

    @Test
    @Order(2)
    void h3AnOwnerInAnotherProcessThatEndedForGoodUnannouncedIsBeatenForNoMoreAndItsReCreationWakesTheStream() {
        MeshAddress node = fresh("b", "iso", 1).get(0);
        tell(node, NodeHubs.PUT, country(1));
        SyncStream<JsonObject> stream = watch(node);
        awaitLive(stream, "content", new JsonObject().put("n", 1));
        int asked = subscribes();

        endUnannounced("b", List.of(node));
        awaitNotFound(stream);

        isBeatenForNoMore();
        assertThat(stream.state()).isInstanceOf(SyncState.Dormant.class);
        assertThat(subscribes()).isEqualTo(asked);
        tell(node, NodeHubs.PUT, country(2));
        awaitLive(stream, "content", new JsonObject().put("n", 2));
    }

    private static void endUnannounced(String owner, List<MeshAddress> addresses) {
        nodes.child(owner).say("mute");
        nodes.child(owner).awaitLine("MUTE", BOUND);
        addresses.forEach(address -> tell(address, NodeHubs.DELETE, null));
        nodes.child(owner).say("unmute");
        nodes.child(owner).awaitLine("HEARD AGAIN", BOUND);
    }

    private static void isBeatenForNoMore() {
        int frozen = beats();
        intervals(4);
        assertThat(beats()).isLessThanOrEqualTo(frozen + 1);
        int still = beats();
        intervals(4);
        assertThat(beats()).isEqualTo(still);
    }

    @Test
    @Order(3)
    void h3TheSameWhenTheOwnersNodeIsKilledAfterTheAnswerAndBeforeIt() {
        List<MeshAddress> known = fresh("c", "iso", SEVERAL);
        List<MeshAddress> unknown = fresh("c", "iso", SEVERAL);
        known.forEach(address -> tell(address, NodeHubs.PUT, country(1)));
        unknown.forEach(address -> tell(address, NodeHubs.PUT, country(1)));
        List<SyncStream<JsonObject>> told = known.stream().map(this::watch).toList();
        List<SyncStream<JsonObject>> untold = unknown.stream().map(this::watch).toList();
        streams.forEach(stream -> awaitLive(stream, "content", new JsonObject().put("n", 1)));
        endUnannounced("c", known);
        told.forEach(RefusalsAndSilenceIT::awaitNotFound);

        try (LostOnTheWay beats = LostOnTheWay.beats(nodes.hub().vertx()).begin()) {
            endUnannounced("c", unknown);
            await().atMost(BOUND).until(() -> beats.lost() > 1);
            await().atMost(BOUND)
                    .until(() -> untold.stream().allMatch(stream -> stream.state() instanceof SyncState.RidingOut));
            int asked = subscribes();
            nodes.kill("c");
            untold.forEach(RefusalsAndSilenceIT::awaitNotFound);
            assertThat(subscribes()).isGreaterThanOrEqualTo(asked + SEVERAL);
        }

        isBeatenForNoMore();
        assertThat(streams).allMatch(stream -> stream.state() instanceof SyncState.Dormant);
        streams.forEach(stream -> tell(stream.address(), NodeHubs.PUT, country(2)));
        streams.forEach(stream -> awaitLive(stream, "content", new JsonObject().put("n", 2)));
    }

    @Test
    @Order(4)
    void l2TheSameWhenTheNodeOfTheParkedOwnerIsKilled() {
        nodes.join("d");
        List<MeshAddress> boards = fresh("d", "board", SEVERAL);
        SyncStream<JsonObject> stream = watch(boards.get(0));
        awaitLive(stream, "node", "d");
        park(stream);
        boards.stream().skip(1).forEach(board -> {
            SyncStream<JsonObject> other = watch(board);
            awaitLive(other, "node", "d");
            tell(board, MeshRouter.RECYCLE, new JsonObject().put("park", true));
            await().atMost(BOUND).until(() -> other.state() instanceof SyncState.RidingOut);
        });
        int asked = subscribes();

        nodes.kill("d");

        streams.forEach(
                each -> awaitLive(each, "n", Integer.parseInt(each.address().name())));
        assertThat(streams).noneMatch(each -> isLiveWith(each, "node", "d"));
        assertThat(subscribes()).isGreaterThanOrEqualTo(asked + SEVERAL);
    }
}
