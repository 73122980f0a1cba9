package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * S9, S12 and L15 over real processes: one mirrors another, then one that follows is killed, then one that owns. In this
 * order, since a start of three processes is most of the time that each costs.
 */
@Timeout(60)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamsSurviveKillsIT {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int WATCHED = 500;
    private static final int FOLLOWED = 20;
    private static final int APART = 1_000_000;

    @TempDir
    static Path store;

    private static SyncNodes nodes;

    @BeforeAll
    @Timeout(120)
    static void start() {
        nodes = SyncNodes.start(SyncNode.sync(SyncOptions.DEFAULT_BEAT_INTERVAL), store, "b", "c");
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static JsonObject value(int number, String node) {
        return new JsonObject().put("n", number).put("node", node);
    }

    private static int number(MeshAddress address) {
        return Integer.parseInt(address.name());
    }

    private static boolean isLiveWith(SyncStream<JsonObject> stream, JsonObject value) {
        return stream.state() instanceof SyncState.Live
                && stream.value().filter(value::equals).isPresent();
    }

    private static void awaitAll(Map<MeshAddress, SyncStream<JsonObject>> streams, String node) {
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(streams.entrySet().stream()
                                .filter(each -> !isLiveWith(each.getValue(), value(number(each.getKey()), node)))
                                .map(each ->
                                        each.getKey() + " " + each.getValue().state() + " "
                                                + each.getValue().value())
                                .limit(5))
                        .as("streams that do not follow node %s", node)
                        .isEmpty());
    }

    @Test
    @Order(1)
    void s9WhatOneProcessChangesASecondSeesAndAThirdSeesThroughTheSecond() {
        String mirror = nodes.addressesOn("a", "mirror", APART, 1).get(0).toString();
        MeshAddress board = MeshAddress.of(mirror.replace("mirror", "board"));
        SyncStream<JsonObject> own = nodes.hub().sync().watch(board).onChange(change -> {});
        nodes.child("b").say("watch " + mirror);
        nodes.child("b").awaitLine("SEES " + mirror + " {\"n\":" + board.name() + ",", BOUND);

        nodes.child("c").say("set " + board + " 77");
        nodes.child("c").awaitLine("SET " + board + " 77 done", BOUND);

        nodes.child("b").awaitLine("SEES " + mirror + " {\"n\":77,", BOUND);
        await().atMost(BOUND)
                .until(() -> own.value().map(it -> it.getInteger("n")).equals(Optional.of(77)));
        own.close();
    }

    @Test
    @Order(2)
    void s12AFollowersProcessThatIsKilledIsForgottenWhenItsNodeIsLost() {
        List<MeshAddress> addresses = nodes.addressesOn("a", "board", 0, FOLLOWED);
        addresses.forEach(address -> nodes.child("b").say("watch " + address));
        addresses.forEach(address -> nodes.child("b").awaitLine("SEES " + address + " ", BOUND));
        assertThat(addresses).allMatch(address -> followers(address) == 1);

        nodes.child("b").kill();

        // Long before three intervals of beats are over, which are 45 s each.
        await().atMost(BOUND).until(() -> addresses.stream().allMatch(address -> followers(address) == 0));
        MeshAddress one = addresses.get(0);
        SyncStream<JsonObject> later = nodes.hub().sync().watch(one).onChange(change -> {});
        await().atMost(BOUND).until(() -> isLiveWith(later, value(number(one), "a")));
        later.close();
    }

    private static int followers(MeshAddress address) {
        Future<Integer> count =
                nodes.hub().mesh().request(address, null, Integer.class, MeshOptions.DEFAULT.withType("followers"));
        return TwoNodes.get(count);
    }

    @Test
    @Order(3)
    void l15EveryStreamOfAnOwnersProcessThatIsKilledIsLiveAgainAndFewAskAtOneTime() {
        // The one that was killed before left shards behind.
        await().atMost(BOUND).until(() -> nodes.hub().standing().shardsToMove() == 0);
        List<MeshAddress> addresses = nodes.addressesOn("c", "board", 0, WATCHED);
        Map<MeshAddress, SyncStream<JsonObject>> streams = new LinkedHashMap<>();
        addresses.forEach(address ->
                streams.put(address, nodes.hub().sync().watch(address).onChange(change -> {})));
        awaitAll(streams, "c");
        int before = TwoNodes.get(nodes.hub().sync().subscriptions());
        SyncHubs.MOST_STARTING.set(0);

        nodes.child("c").kill();

        awaitAll(streams, "a");
        assertThat(SyncHubs.MOST_STARTING.get()).isBetween(1, SyncNode.IN_FLIGHT);
        MeshAddress one = addresses.get(WATCHED / 2);
        TwoNodes.get(SyncNode.set(nodes.hub(), one, -1));
        await().atMost(BOUND).until(() -> isLiveWith(streams.get(one), value(-1, "a")));
        assertThat(TwoNodes.get(nodes.hub().sync().subscriptions())).isBetween(WATCHED, before);
    }
}
