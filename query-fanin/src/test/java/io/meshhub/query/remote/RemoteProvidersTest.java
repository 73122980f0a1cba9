package io.meshhub.query.remote;

import static io.meshhub.query.QueryHouse.RUNG;
import static io.meshhub.query.QueryHouse.await;
import static io.meshhub.query.QueryHouse.node;
import static io.meshhub.query.QueryHouse.paths;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryHouse;
import io.meshhub.query.QueryHouse.Stub;
import io.meshhub.query.QueryResult;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Q13: providers elsewhere, over one event bus, with two memberships and time in the test's hands. */
@Timeout(60)
class RemoteProvidersTest {

    private static final Duration BEAT = Duration.ofSeconds(1);

    /** What one node sees of the other. */
    private static final class Seen implements Membership {

        private final NodeInfo self;
        private final Map<String, NodeInfo> nodes = new ConcurrentHashMap<>();
        private final List<Listener> listeners = new CopyOnWriteArrayList<>();

        Seen(String name) {
            self = info(name);
            nodes.put("a-1", info("a"));
            nodes.put("b-1", info("b"));
        }

        static NodeInfo info(String name) {
            return new NodeInfo(name, name + "-1", NodeInfo.State.UP, 1, "hub", Set.of(), "", "test");
        }

        void join(String name) {
            nodes.put(name + "-1", info(name));
            listeners.forEach(listener -> listener.changed(Change.JOINED, info(name)));
        }

        void drop(String name) {
            nodes.remove(name + "-1");
            listeners.forEach(listener -> listener.changed(Change.DROPPED, info(name)));
        }

        @Override
        public NodeInfo self() {
            return self;
        }

        @Override
        public Collection<NodeInfo> nodes() {
            return nodes.values();
        }

        @Override
        public Optional<NodeInfo> node(String incarnation) {
            return Optional.ofNullable(nodes.get(incarnation));
        }

        @Override
        public Future<Void> announce(NodeInfo.State state) {
            return Future.succeededFuture();
        }

        @Override
        public void onChange(Listener listener) {
            listeners.add(listener);
        }
    }

    private final Stub far = new Stub("stock");
    private final QueryHouse house = new QueryHouse();
    private final Seen seenHere = new Seen("a");
    private final Seen seenThere = new Seen("b");
    private List<RemoteProviders> both = List.of();

    private RemoteProviders start(Seen seen) {
        Context context = ((VertxInternal) house.vertx).createEventLoopContext();
        RemoteParts parts = new RemoteParts(context, seen, house, house, house, BEAT);
        Future<RemoteProviders> starts = RemoteProviders.start(parts, house.fanIn);
        house.settle();
        house.pass(RollCall.BOUND);
        RemoteProviders made = await(starts);
        assertThat(made).isNotNull();
        return made;
    }

    private RemoteProviders here() {
        return both.get(0);
    }

    private RemoteProviders there() {
        return both.get(1);
    }

    @BeforeEach
    void twoNodes() {
        both = List.of(start(seenHere), start(seenThere));
        await(there().serve(far));
        house.settle();
        assertThat(await(house.fanIn.providers("nodes"))).containsExactly("stock@b");
    }

    @AfterEach
    void close() {
        both.forEach(node -> await(node.close()));
        house.settle();
        assertThat(await(here().sizes())).containsExactly(0, 0, 0);
        assertThat(await(there().sizes())).containsExactly(0, 0, 0);
        house.close();
    }

    private List<QueryFrame> live() {
        List<QueryFrame> frames = house.follow();
        far.last().first(List.of(node("iso/CH", 1)), false);
        house.settle();
        assertThat(frames).hasSize(1);
        return frames;
    }

    @Test
    void whatAProviderElsewhereTellsArrivesInOrder() {
        List<QueryFrame> frames = house.follow(QueryHouse.QUERY, QueryCaller.of("ann"));
        ProviderCall call = far.last();
        assertThat(call.principal()).contains("ann");
        assertThat(call.query()).isEqualTo(QueryHouse.QUERY);
        List<QueryNode> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(node("iso/n" + (1000 + i), 1));
        }
        call.first(many, false);
        call.updated(node("iso/n1000", 2));
        call.removed(node("iso/n1001", 1).path());
        call.added(node("iso/o", 1));
        house.settle();
        house.pass(Duration.ofMillis(50));

        assertThat(((QueryFrame.Initial) frames.get(0)).nodes()).isEqualTo(many);
        assertThat(frames.subList(1, frames.size()))
                .containsExactly(
                        new QueryFrame.Removed(List.of(node("iso/n1001", 1).path())),
                        new QueryFrame.Updated(List.of(node("iso/n1000", 2))),
                        new QueryFrame.Added(List.of(node("iso/o", 1))));
    }

    @Test
    void aFailureElsewhereIsToldAsItIs() {
        Future<QueryResult> result = house.ask();
        far.last().fail(new IllegalStateException("disk"));
        house.settle();

        assertThat(result.result()).isInstanceOfSatisfying(QueryResult.Failed.class, failed -> {
            assertThat(failed.providers()).containsExactly("stock@b");
            assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                            HandlerFailed.class, e -> assertThat(e.node()).contains("b"));
        });
    }

    @Test
    void oneThatHangsIsNamedAtTheRungAndItsCallEnds() {
        Future<QueryResult> result = house.ask();
        house.pass(RUNG);

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Stalled.class,
                        stalled -> assertThat(stalled.failure().providers()).containsExactly("stock@b"));
        assertThat(far.cancelled).hasValue(1);
    }

    @Test
    void ofOneWhosePlaceDoesNotAnswerItIsSaidThatNothingWasHeard() {
        seenHere.join("mute");
        say("here", "mute");
        MessageConsumer<JsonObject> frozen = house.vertx.eventBus().consumer("nowhere.mute", asked -> {});
        await(frozen.completion());
        Future<QueryResult> result = house.ask();
        house.pass(RUNG);

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Stalled.class,
                        stalled -> assertThat(stalled.failure().stalls())
                                .containsExactly(
                                        new Stall("shop@mute", RUNG, Duration.ZERO, 1, false),
                                        new Stall("stock@b", Duration.ZERO, RUNG, 1)));
        await(frozen.unregister());
        seenHere.drop("mute");
    }

    @Test
    void aPauseOfItsOwnLosesNobodyAndItAsksWhoIsThere() {
        List<QueryFrame> frames = live();
        List<String> said = new CopyOnWriteArrayList<>();
        MessageConsumer<JsonObject> heard = house.vertx
                .eventBus()
                .consumer(Wire.ANNOUNCEMENTS, message -> said.add(message.body().getString("say")));
        await(heard.completion());
        MessageConsumer<JsonObject> silent = house.vertx.eventBus().consumer("nowhere.peer", asked -> {});
        await(silent.completion());
        Announcement outsider = new Announcement("till", "nodes", "peer", "", "nowhere.peer");
        house.vertx.eventBus().publish(Wire.ANNOUNCEMENTS, outsider.toJson("here"));
        house.settle();
        assertThat(await(house.fanIn.providers("nodes"))).contains("till@peer");

        house.freeze(BEAT.multipliedBy(10));

        assertThat(said).contains("who");
        assertThat(await(house.fanIn.providers("nodes"))).contains("till@peer", "stock@b");
        assertThat(await(there().sizes())).startsWith(1);
        assertThat(far.calls).hasSize(1);
        // Without a pause, three silent beats are the end of what is no member.
        house.pass(BEAT.multipliedBy(5));
        assertThat(await(house.fanIn.providers("nodes"))).containsExactly("stock@b");
        assertThat(frames).filteredOn(QueryFrame.Ended.class::isInstance).isEmpty();
        await(heard.unregister());
        await(silent.unregister());
    }

    @Test
    void rowsOfLargeNodesTravelInMessagesOfABoundedSize() {
        List<QueryNode> large = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            QueryNode node = node("iso/n" + (10 + i), 1);
            large.add(new QueryNode(
                    node.path(), "country", node.name(), new JsonObject().put("text", "x".repeat(100_000)), 1));
        }
        assertThat(Wire.rows(large, 0)).isEqualTo(3);
        assertThat(Wire.rows(large, 18)).isEqualTo(20);
        List<QueryFrame> frames = house.follow();
        far.last().first(large, false);
        house.settle();

        assertThat(((QueryFrame.Initial) frames.get(0)).nodes()).isEqualTo(large);
    }

    @Test
    void oneThatIsKilledBeforeItsFirstResultFailsTheQueryByName() {
        Future<QueryResult> result = house.ask();
        seenHere.drop("b");
        house.settle();

        assertThat(result.result())
                .isInstanceOfSatisfying(
                        QueryResult.Failed.class,
                        failed -> assertThat(failed.providers()).containsExactly("stock@b"));
    }

    @Test
    void oneThatIsKilledAfterItsFirstResultLeavesAResetThatNamesIt() {
        List<QueryFrame> frames = live();
        seenHere.drop("b");
        house.settle();

        assertThat(frames).last().isEqualTo(new QueryFrame.Reset(List.of(), List.of("stock@b")));
        house.pass(BEAT.multipliedBy(3));
        assertThat(await(house.fanIn.providers("nodes"))).isEmpty();
    }

    @Test
    void oneThatIsWithdrawnAndComesBackIsOpenedAgain() {
        List<QueryFrame> frames = live();
        await(there().withdraw(far));
        house.settle();
        assertThat(frames).last().isEqualTo(new QueryFrame.Reset(List.of(), List.of("stock@b")));
        assertThat(far.cancelled).hasValue(1);
        await(there().serve(far));
        house.settle();
        house.pass(Duration.ofMillis(500));
        assertThat(far.calls).hasSize(2);
        far.last().first(List.of(node("iso/DE", 1)), false);
        house.settle();

        assertThat(frames).last().isEqualTo(new QueryFrame.Added(List.of(node("iso/DE", 1))));
    }

    @Test
    void aGapIsSeenAndTheProviderIsReadOnceAgain() {
        List<QueryFrame> frames = live();
        house.pass(BEAT);
        // A frame of the call that overtakes those before it.
        String client = clientOf();
        house.vertx
                .eventBus()
                .send(
                        client,
                        new JsonObject()
                                .put("call", client + "/1")
                                .put("seq", 99L)
                                .put("tell", "started"));
        house.settle();
        assertThat(far.calls).hasSize(2);
        far.last().first(List.of(node("iso/DE", 2)), false);
        house.settle();

        assertThat(frames)
                .last()
                .isInstanceOfSatisfying(
                        QueryFrame.Reset.class,
                        reset -> assertThat(paths(reset.nodes())).containsExactly("iso/DE"));
        assertThat(house.counted("query.remote.gaps")).isEqualTo(1);
    }

    private String clientOf() {
        String place = here().clientPlace().result();
        assertThat(place).isNotNull();
        return place;
    }

    @Test
    void whoServesForgetsACallWhoseClientIsDropped() {
        live();
        seenThere.drop("a");
        house.settle();

        assertThat(far.cancelled).hasValue(1);
    }

    @Test
    void aCallThatIsBeatenStays() {
        List<QueryFrame> frames = live();
        for (int i = 0; i < 20; i++) {
            house.pass(BEAT);
        }

        assertThat(far.calls).hasSize(1);
        assertThat(far.cancelled).hasValue(0);
        assertThat(frames).hasSize(1);
    }

    @Test
    void rowsThatCannotBeReadEndTheCallWhereItIsServedAndWhereItIsAsked() {
        List<QueryNode> broken = new AbstractList<>() {
            @Override
            public QueryNode get(int index) {
                throw new IllegalStateException("no such row");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        Future<QueryResult> result = house.ask();
        far.last().first(broken, false);
        house.settle();

        assertThat(result.result()).isInstanceOf(QueryResult.Failed.class);
        assertThat(far.cancelled).hasValue(1);
        assertThat(await(here().sizes())).startsWith(0, 0);
    }

    @Test
    void whoStartsWaitsForTheProvidersOfAllThatAreUp() {
        QueryHouse other = new QueryHouse();
        Context context = ((VertxInternal) house.vertx).createEventLoopContext();
        Seen seen = new Seen("c");
        seen.join("mute");
        Future<RemoteProviders> starts =
                RemoteProviders.start(new RemoteParts(context, seen, house, house, house, BEAT), other.fanIn);
        house.settle();
        assertThat(starts.isComplete()).isFalse();
        seen.drop("mute");
        RemoteProviders made = await(starts);

        assertThat(made).isNotNull();
        assertThat(await(other.fanIn.providers("nodes"))).containsExactly("stock@b");
        await(made.close());
        other.close();
    }

    @Test
    void anAnnouncementOfAProcessThatIsNotSeenYetWaitsForIt() {
        say("here", "late");
        assertThat(await(house.fanIn.providers("nodes"))).containsExactly("stock@b");
        seenHere.join("late");
        house.settle();

        assertThat(await(house.fanIn.providers("nodes"))).containsExactlyInAnyOrder("stock@b", "shop@late");
        say("gone", "late");
    }

    @Test
    void aSilentMemberStaysAndStallsTheQueryByName() {
        seenHere.join("mute");
        say("here", "mute");
        house.pass(BEAT.multipliedBy(10));
        assertThat(await(house.fanIn.providers("nodes"))).contains("shop@mute");
        seenHere.drop("mute");
        house.settle();

        assertThat(await(house.fanIn.providers("nodes"))).containsExactly("stock@b");
    }

    @Test
    void whoTellsAllThatHeHasTakesBackWhatIsNotAmongIt() {
        seenHere.join("mute");
        say("here", "mute");
        say("all", "mute");

        assertThat(await(house.fanIn.providers("nodes"))).containsExactly("stock@b");
    }

    private void say(String what, String node) {
        Announcement announcement = new Announcement("shop", "nodes", node, node + "-1", "nowhere." + node);
        house.vertx.eventBus().publish(Wire.ANNOUNCEMENTS, announcement.toJson(what));
        house.settle();
    }
}
