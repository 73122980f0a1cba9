package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S and C on one node whose time the test owns: what a watcher of a hub sees. */
@Timeout(30)
class FollowedHubTest {

    private static final MeshAddress BOARD = MeshAddress.of("board/1");

    private final Counts counts = new Counts();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .hub("board", Board::new)
            .hub("mute", Mute::new)
            .configure(node -> node.metrics(counts))
            .build();

    private Watched watch() {
        Watched watched = new Watched(mesh.node().sync().watch(BOARD));
        settle();
        return watched;
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private void tell(String type, JsonObject body) {
        await(mesh.mesh().request(BOARD, body, Object.class, MeshOptions.DEFAULT.withType(type)));
        settle();
    }

    private static JsonObject n(int value) {
        return new JsonObject().put("n", value);
    }

    private int followers() {
        return await(mesh.mesh().request(BOARD, null, Integer.class, MeshOptions.DEFAULT.withType("followers")));
    }

    @Test
    void aWatcherGetsTheStateAndEachChange() {
        try (Watched watched = watch()) {
            watched.isLiveWith(0);
            tell("set", n(1));
            tell("set", n(2));

            watched.saw(0, 1, 2);
            assertThat(watched.stream.version()).isEqualTo(3);
            assertThat(watched.stream.age()).contains(Duration.ZERO);
            assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        }
    }

    @Test
    void changesOfOneTurnAreOneFrame() {
        try (Watched watched = watch()) {
            long before = counts.of("sync.frames");
            tell("set-twice", n(7));

            watched.saw(0, 7);
            assertThat(counts.of("sync.frames") - before).isEqualTo(1);
        }
    }

    @Test
    void equalValuesInAnotherMemberOrderEmitOnce() {
        try (Watched watched = watch()) {
            tell("set", new JsonObject("{\"n\":1,\"a\":{\"b\":1,\"c\":2}}"));
            tell("set", new JsonObject("{\"a\":{\"c\":2,\"b\":1},\"n\":1}"));

            watched.saw(0, 1);
        }
    }

    @Test
    void s10AThousandStreamsOfOneAddressAreOneSubscriptionAndOneFrameForEachChange() {
        List<SyncStream<JsonObject>> streams = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            streams.add(mesh.node().sync().watch(BOARD));
        }
        settle();
        long before = counts.of("sync.frames");
        tell("set", n(5));

        assertThat(streams).allSatisfy(stream -> assertThat(stream.value()).contains(n(5)));
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        assertThat(counts.of("sync.frames") - before).isEqualTo(1);
        assertThat(followers()).isEqualTo(1);
        streams.forEach(SyncStream::close);
    }

    @Test
    void s1AMissingOwnerEndsTheStreamOnceWithNotFound() {
        Watched watched = new Watched(mesh.node().sync().watch(MeshAddress.of("nothing/here")));
        Throwable failure = awaitFailure(watched.stream.first());
        mesh.time().advance(Duration.ofMinutes(5));

        assertThat(failure).isInstanceOf(NotFound.class);
        assertThat(watched.states.stream().filter(SyncState.Ended.class::isInstance))
                .hasSize(1);
        assertThat(watched.stream.state()).isInstanceOfSatisfying(SyncState.Ended.class, ended -> {
            assertThat(ended.reason()).isEqualTo(SyncState.Reason.NOT_FOUND);
            assertThat(ended.cause()).containsInstanceOf(NotFound.class);
        });
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        assertThat(counts.of("sync.beats")).isZero();
        assertThat(await(mesh.node().sync().subscriptions())).isZero();
    }

    @Test
    void aHubWithoutAStateAnswersNotHandled() {
        Throwable failure =
                awaitFailure(mesh.node().sync().watch(MeshAddress.of("mute/1")).first());

        assertThat(failure).isInstanceOf(NotHandled.class);
    }

    @Test
    void anOutsiderCannotSendASubscriptionThatNobodyCanRead() {
        Throwable failure = awaitFailure(mesh.mesh()
                .request(BOARD, new JsonObject(), Object.class, MeshOptions.DEFAULT.withType("mesh.subscribe")));

        assertThat(failure).isInstanceOf(Rejected.class);
    }

    @Test
    void s2AnOwnerThatTakesSecondsToAnswerIsAskedOnce() {
        mesh.owner(BOARD).hangNext(1);
        Watched watched = watch();
        mesh.time().advance(Duration.ofSeconds(15));
        assertThat(watched.stream.state()).isInstanceOf(SyncState.Connecting.class);

        mesh.owner(BOARD).letGo();
        watched.isLiveWith(0);

        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
        watched.close();
    }

    @Test
    void s5AClosedStreamTellsItsListenersOnceAndKeepsItsValue() {
        Watched watched = watch();
        List<String> reader = new ArrayList<>();
        watched.stream.changes().endHandler(end -> reader.add("end")).handler(change -> reader.add("change"));
        settle();

        watched.stream.close();
        watched.stream.close();
        settle();
        tell("set", n(9));

        assertThat(reader).containsExactly("change", "end");
        watched.saw(0);
        assertThat(watched.stream.value()).contains(n(0));
        assertThat(watched.stream.ended().succeeded()).isTrue();
        assertThat(watched.stream.state())
                .isEqualTo(new SyncState.Ended(SyncState.Reason.CLOSED, java.util.Optional.empty()));
    }

    @Test
    void s6AnErrorOfTheOwnersStreamReachesTheWatcher() {
        Watched watched = watch();
        tell("fail", null);

        assertThat(watched.stream.state()).isInstanceOfSatisfying(SyncState.Ended.class, ended -> {
            assertThat(ended.reason()).isEqualTo(SyncState.Reason.FAILED);
            assertThat(ended.cause()).containsInstanceOf(HandlerFailed.class);
        });
        assertThat(followers()).isZero();
    }

    @Test
    void s11AFinalStateEndsTheStreamWithItsValueAndALaterOneToo() {
        Watched watched = watch();
        tell("set", n(4));
        tell("end", null);
        Watched later = watch();

        for (Watched each : List.of(watched, later)) {
            assertThat(each.stream.value()).contains(n(4));
            assertThat(each.stream.state())
                    .isInstanceOfSatisfying(
                            SyncState.Ended.class,
                            ended -> assertThat(ended.reason()).isEqualTo(SyncState.Reason.COMPLETED));
        }
        assertThat(followers()).isZero();
        assertThat(await(mesh.node().sync().subscriptions())).isZero();
    }

    @Test
    void aViewFollowsItsPartAndNothingElse() {
        SyncStream<Object> stream = mesh.node().sync().watch(BOARD, "/a/0");
        List<Object> seen = new ArrayList<>();
        stream.onChange(change -> seen.add(change.value().orElse("nothing")));
        settle();
        tell("set", new JsonObject("{\"a\":[\"x\"],\"n\":1}"));
        tell("set", new JsonObject("{\"a\":[\"x\"],\"n\":2}"));
        tell("set", new JsonObject("{\"a\":[\"y\"],\"n\":2}"));

        assertThat(seen).containsExactly("nothing", "x", "y");
        stream.close();
    }

    @Test
    void aStateIsReadAsTheClassThatWasAskedFor() {
        SyncStream<Mute.Numbered> stream = mesh.node().sync().watch(BOARD, Mute.Numbered.class);

        assertThat(await(stream.first())).contains(new Mute.Numbered(0));
        stream.close();
    }

    @Test
    void c1AnIdleSubscriptionIsReleasedAndOneThatIsWatchedStays() {
        Watched first = watch();
        Watched second = watch();
        first.close();
        mesh.time().advance(Duration.ofMinutes(1));
        assertThat(followers()).isEqualTo(1);

        second.close();
        mesh.time().advance(Duration.ofSeconds(4));
        assertThat(followers()).isEqualTo(1);
        mesh.time().advance(Duration.ofSeconds(2));
        assertThat(followers()).isZero();
        assertThat(await(mesh.node().sync().subscriptions())).isZero();
    }

    @Test
    void c2AFailedSubscriptionIsForgottenAndTheNextCallerBuildsANewOne() {
        mesh.owner(BOARD).failNext(new IllegalStateException("not now"));
        assertThat(awaitFailure(mesh.node().sync().watch(BOARD).first())).isInstanceOf(HandlerFailed.class);

        try (Watched next = watch()) {
            next.isLiveWith(0);
            assertThat(await(mesh.node().sync().subscriptions())).isEqualTo(1);
        }
    }

    @Test
    void c3ALaterWatcherGetsTheStateOfNow() {
        try (Watched first = watch()) {
            tell("set", n(3));
            try (Watched second = watch()) {
                second.saw(3);
                first.saw(0, 3);
            }
        }
    }

    @Test
    void whatAHubWatchesEndsWithThatHub() {
        MeshAddress watcher = MeshAddress.of("mute/watcher");
        Mute.client = mesh.node()::sync;
        await(mesh.mesh().request(watcher, BOARD.toString(), Object.class, MeshOptions.DEFAULT.withType("watch")));
        settle();
        assertThat(followers()).isEqualTo(1);

        mesh.owner(watcher).recycle();
        mesh.time().advance(Duration.ofSeconds(10));

        assertThat(followers()).isZero();
    }
}
