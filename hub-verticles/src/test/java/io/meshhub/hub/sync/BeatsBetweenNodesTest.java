package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** H, S and L between two nodes: owners on the second, watchers on the first, and a bus that loses what it is told to. */
@Timeout(60)
class BeatsBetweenNodesTest {

    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final String CLIENTS = "__mesh.sync.node-1";
    private static final String OWNERS = "__mesh.sync.owners.node-2";
    private static final Counts COUNTS = new Counts();
    private static final SharedStore STORE = new SharedStore();

    @RegisterExtension
    static final MeshExtension MESH = MeshExtension.cluster(2)
            .hub("board", Board::new)
            .configure(node -> node.metrics(COUNTS)
                    .sync(SyncOptions.ofDefaults().withBeatInterval(INTERVAL).withIdleRelease(Duration.ZERO)))
            .configure(STORE::serve)
            .build();

    private static int next;

    private MeshAddress board;
    private long subscribed;

    @BeforeEach
    void freshBoard() {
        board = MESH.addressOn(2, "board/" + next++);
        subscribed = COUNTS.of("sync.subscribes");
    }

    private static Watched watch(MeshAddress address) {
        return new Watched(MESH.node(1).sync().watch(address));
    }

    private static void tell(MeshAddress to, String type, JsonObject body) {
        await(MESH.mesh().request(to, body, Object.class, MeshOptions.DEFAULT.withType(type)));
    }

    private static JsonObject n(int value) {
        return new JsonObject().put("n", value);
    }

    private static JsonObject country(int value) {
        return new JsonObject(Map.of("nodeType", "country", "name", "Switzerland", "content", n(value)));
    }

    private int followers() {
        return await(MESH.mesh().request(board, null, Integer.class, MeshOptions.DEFAULT.withType("followers")));
    }

    private long subscribes() {
        return COUNTS.of("sync.subscribes") - subscribed;
    }

    private void beatsMore(int count) {
        long from = COUNTS.of("sync.beats");
        Watched.eventually(count + " more beats", () -> COUNTS.of("sync.beats") >= from + count);
    }

    private static boolean isGoodbye(JsonObject batch) {
        JsonArray letters = batch.getJsonArray("letters");
        return letters != null
                && IntStream.range(0, letters.size())
                        .anyMatch(i -> letters.getJsonObject(i).containsKey("reason"));
    }

    @Test
    void h1HealthyStreamsAreBeatenAndNeverSubscribedAgain() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            beatsMore(8);
            tell(board, "set", n(1));
            watched.isLiveWith(1);

            assertThat(subscribes()).isEqualTo(1);
            assertThat(watched.stream.age().orElseThrow()).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void h5AStreamOfTheOwnProcessCostsNoBeat() {
        MeshAddress here = MESH.addressOn(1, "board/here" + next++);
        try (Watched own = watch(here).isLiveWith(0)) {
            try (Watched other = watch(board).isLiveWith(0)) {
                beatsMore(2);
                other.eventuallyIs(SyncState.Live.class);
            }
            long frozen = COUNTS.of("sync.beats");
            intervals(4);
            assertThat(COUNTS.of("sync.beats")).isLessThanOrEqualTo(frozen + 1);
            own.eventuallyIs(SyncState.Live.class);
        }
    }

    private static void intervals(int count) {
        await(MESH.node(1).vertx().timer(INTERVAL.toMillis() * count, TimeUnit.MILLISECONDS));
    }

    @Test
    void aSubscribedReaderRidesOutTheRecycleOfAnOwnerElsewhere() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            tell(board, "set", n(5));
            watched.isLiveWith(5);
            MESH.owner(board).recycle();

            watched.isLiveWith(0);
            tell(board, "set", n(6));
            watched.isLiveWith(6);
            watched.saw(0, 5, 0, 6);
        }
    }

    @Test
    void h3AnOwnerThatEndedForGoodWithNothingAnnouncedFreezesTheBeatsAndAReCreationWakesTheStream() {
        MeshAddress node = MESH.addressOn(2, "iso/h3");
        tell(node, NodeHubs.PUT, country(1));
        Watched watched = watch(node);
        Watched.eventually("the node", () -> watched.stream.value().isPresent());
        try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), CLIENTS, BeatsBetweenNodesTest::isGoodbye)) {
            tell(node, NodeHubs.DELETE, null);
            watched.eventuallyIs(SyncState.Dormant.class);
            assertThat(lossy.addresses).isNotEmpty();
        }
        assertThat(watched.stream.state()).isEqualTo(new SyncState.Dormant(SyncState.Reason.NOT_FOUND));
        assertThat(watched.stream.value()).contains(country(1));
        long frozen = COUNTS.of("sync.beats");
        intervals(4);
        assertThat(COUNTS.of("sync.beats")).isLessThanOrEqualTo(frozen + 1);
        assertThat(watched.stream.state()).isInstanceOf(SyncState.Dormant.class);
        assertThat(subscribes()).isEqualTo(1);

        tell(node, NodeHubs.PUT, country(3));

        Watched.eventually(
                "the new node",
                () -> watched.stream.value().filter(country(3)::equals).isPresent());
        watched.eventuallyIs(SyncState.Live.class);
        watched.close();
    }

    @Test
    void h4AndH7AWatcherWhoseBeatsAreLostIsForgottenAndIsCurrentAgainAfterItsNextBeat() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            try (LossyBus lossy = LossyBus.losing(MESH.node(1).vertx(), OWNERS, body -> body.containsKey("beat"))) {
                Watched.eventually("the owner forgets the watcher", () -> followers() == 0);
                assertThat(lossy.addresses).hasSize(1);
                tell(board, "set", n(4));
                beatsMore(2);
                assertThat(watched.stream.state()).isInstanceOf(SyncState.RidingOut.class);
                watched.saw(0);
                assertThat(subscribes()).as("silence asks for nothing").isEqualTo(1);
            }
            watched.isLiveWith(4);
            assertThat(subscribes()).isEqualTo(2);
            assertThat(followers()).isEqualTo(1);
        }
    }

    @Test
    void h4AStreamWhoseBeatIsNotAnsweredSaysSoUntilTheNextOneIsAndAsksForNothing() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            long silent = COUNTS.of("sync.beats.silent");
            try (LossyBus lossy = LossyBus.losing(MESH.node(1).vertx(), OWNERS, body -> body.containsKey("beat"))) {
                Watched.eventually("a beat without an answer", () -> COUNTS.of("sync.beats.silent") > silent);
                watched.eventuallyIs(SyncState.RidingOut.class);
                SyncState.RidingOut state = (SyncState.RidingOut) watched.stream.state();
                assertThat(state.axis()).isEmpty();
                assertThat(state.nextAt()).isPresent();
                assertThat(state.why()).contains(board.toString()).contains("activation #");
                assertThat(lossy.addresses).hasSize(1);
            }
            watched.eventuallyIs(SyncState.Live.class);
            assertThat(subscribes()).isEqualTo(1);
        }
    }

    @Test
    void h7ALostLastPatchIsHealedByTheNextBeatWithoutASubscribe() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), CLIENTS, body -> true)) {
                tell(board, "set", n(4));
                Watched.eventually("a frame that is lost", () -> !lossy.addresses.isEmpty());
            }
            watched.isLiveWith(4);
            assertThat(subscribes()).isEqualTo(1);
        }
    }

    @Test
    void s7AGapMakesOneAskForASnapshot() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), CLIENTS, body -> true)) {
                tell(board, "set", n(4));
                Watched.eventually("a frame that is lost", () -> !lossy.addresses.isEmpty());
            }
            tell(board, "set", n(5));
            watched.isLiveWith(5);
            tell(board, "set", n(6));
            watched.isLiveWith(6);
            assertThat(subscribes()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void h6ARecycledOwnerWhoseGoodbyeIsLostIsWokenByTheAnswerToABeat() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            tell(board, "set", n(5));
            watched.isLiveWith(5);
            try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), CLIENTS, BeatsBetweenNodesTest::isGoodbye)) {
                MESH.owner(board).recycle();
                watched.isLiveWith(0);
                assertThat(lossy.addresses).isNotEmpty();
            }
            assertThat(subscribes()).isEqualTo(2);
        }
    }

    @Test
    void s4AnOwnerThatSendsToAStreamThatIsGoneIsToldToStop() {
        try (Watched watched = watch(board)) {
            String place;
            try (LossyBus listening = LossyBus.losing(MESH.node(2).vertx(), CLIENTS, body -> false)) {
                watched.isLiveWith(0);
                tell(board, "set", n(1));
                watched.isLiveWith(1);
                place = listening.addresses.iterator().next();
            }
            JsonObject ghost =
                    new JsonObject(Map.of("stream", "ghost", "process", "node-1", "place", place, "view", ""));
            await(MESH.mesh().request(board, ghost, Object.class, MeshOptions.DEFAULT.withType("mesh.subscribe")));

            Watched.eventually("the ghost is let go", () -> followers() == 1);
            watched.eventuallyIs(SyncState.Live.class);
        }
    }

    @Test
    void h8ManyStreamsToOneNodeAreOneMessageInAnInterval() {
        List<Watched> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(watch(MESH.addressOn(2, "board/many" + i)));
        }
        all.forEach(watched -> watched.isLiveWith(0));
        long from = System.nanoTime();
        long sent = COUNTS.of("sync.beats");
        beatsMore(5);
        long intervals = (System.nanoTime() - from) / INTERVAL.toNanos();

        assertThat(COUNTS.of("sync.beats") - sent).isLessThanOrEqualTo(intervals + 2);
        assertThat(subscribes()).isEqualTo(300);
        all.forEach(Watched::close);
    }

    @Test
    void l2AnOwnerElsewhereThatIsParkedAtDeadIsAskedAtItsPaceAndConvergesOnceItIsReleased() {
        try (Watched watched = watch(board).isLiveWith(0)) {
            long refused = COUNTS.of("sync.refusals");
            long from = System.nanoTime();
            MESH.owner(board).park();
            Watched.eventually("four refusals", () -> COUNTS.of("sync.refusals") >= refused + 4);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(watched.stream.state()).isInstanceOf(SyncState.RidingOut.class);
            long asked = subscribes();

            MESH.owner(board).release();

            watched.isLiveWith(0);
            assertThat(subscribes()).isGreaterThan(asked);
        }
    }
}
