package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever is told of a stream may do with it what he likes, since the client is done with its own work by then. */
@Timeout(30)
class HandlersOfAStreamTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults());

    @AfterEach
    void close() {
        owners.close();
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private SyncStream<JsonObject> watch() {
        SyncStream<JsonObject> stream = owners.client.watch(ADDRESS);
        owners.settle();
        return stream;
    }

    @Test
    void oneThatClosesTheStreamAtItsFirstValueTakesItFromNobodyElseWhoWaitsForIt() {
        SyncStream<JsonObject> stream = watch();
        List<Future<Optional<JsonObject>>> first = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            first.add(stream.first());
        }
        Future<Void> closed = first.get(0).onSuccess(value -> stream.close()).mapEmpty();
        owners.settle();

        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);

        assertThat(first).allSatisfy(each -> assertThat(done(each)).isPresent());
        done(closed);
        done(stream.ended());
        assertThat(stream.state()).isInstanceOf(SyncState.Ended.class);
    }

    @Test
    void oneThatOpensAndClosesStreamsAtTheEndOfAnotherLeavesTheOthersWhatTheyWere() {
        SyncStream<JsonObject> stays = watch();
        SyncStream<JsonObject> ends = watch();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 5);
        List<SyncStream<JsonObject>> opened = new ArrayList<>();
        Future<Void> more = ends.ended().compose(over -> {
            opened.add(owners.client.watch(ADDRESS));
            opened.add(owners.client.watch(ADDRESS));
            opened.get(1).close();
            return opened.get(0).first().mapEmpty();
        });

        ends.close();

        done(more);
        assertThat(opened.get(0).value()).isEqualTo(stays.value());
        assertThat(stays.state()).isInstanceOf(SyncState.Live.class);
        assertThat(owners.asked).hasSize(1);
    }
}
