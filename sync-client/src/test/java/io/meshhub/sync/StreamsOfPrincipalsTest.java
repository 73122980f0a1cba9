package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S10, the client's half: one subscription for each principal, in whose name all is asked. */
@Timeout(30)
class StreamsOfPrincipalsTest {

    private static final MeshAddress A = MeshAddress.of("orders/1");

    private final FakeOwners owners = new FakeOwners(SyncOptions.ofDefaults());
    private final List<SyncStream<JsonObject>> streams = new ArrayList<>();

    @AfterEach
    void close() {
        streams.forEach(SyncStream::close);
        owners.close();
    }

    private SyncStream<JsonObject> watch(WatchOptions how) {
        SyncStream<JsonObject> stream = owners.client.watch(A, JsonObject.class, how);
        streams.add(stream);
        owners.settle();
        return stream;
    }

    /** Does something while a message of that principal is handled, on the loop of the client. */
    private <T> T handling(@Nullable String principal, Supplier<T> action) {
        ContextInternal message = ((ContextInternal) owners.context).duplicate();
        new CallScope(principal, null, null).enter(message);
        CompletableFuture<T> done = new CompletableFuture<>();
        message.runOnContext(turn -> done.complete(action.get()));
        T result = done.join();
        owners.settle();
        return result;
    }

    private List<Optional<String>> askers() {
        return owners.asked.stream().map(FakeOwners.Asked::principal).toList();
    }

    @Test
    void eachPrincipalHasASubscriptionOfItsOwnWhichItsStreamsShare() {
        for (int i = 0; i < 10; i++) {
            watch(WatchOptions.asPrincipal("alice"));
            watch(WatchOptions.asPrincipal("bob"));
            watch(WatchOptions.DEFAULT);
        }

        assertThat(askers()).containsExactly(Optional.of("alice"), Optional.of("bob"), Optional.empty());
    }

    @Test
    void whatOnePrincipalSeesNoOtherDoes() {
        SyncStream<JsonObject> alice = watch(WatchOptions.asPrincipal("alice"));
        FakeOwners.Asked asked = owners.last();
        SyncStream<JsonObject> bob = watch(WatchOptions.asPrincipal("bob"));
        owners.accept(asked, 1);
        owners.full(asked, 1, 1, 7);

        assertThat(alice.value()).contains(new JsonObject().put("n", 7));
        assertThat(bob.value()).isEmpty();
    }

    @Test
    void aStreamThatAHandlerMakesIsOfThePrincipalOfItsMessageUnlessItSaysOtherwise() {
        streams.add(handling("alice", () -> owners.client.watch(A)));
        streams.add(handling(
                "alice", () -> owners.client.watch(A, JsonObject.class, WatchOptions.asPrincipal("the-service"))));
        streams.add(handling(null, () -> owners.client.watch(A)));

        assertThat(askers()).containsExactly(Optional.of("alice"), Optional.of("the-service"), Optional.empty());
    }

    @Test
    void itIsAskedAgainInTheNameOfItsPrincipal() {
        watch(WatchOptions.asPrincipal("alice"));
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 7);
        owners.lose(FakeOwners.OTHER);

        assertThat(askers()).containsExactly(Optional.of("alice"), Optional.of("alice"));
    }

    @Test
    void anUpdateIsMadeInTheNameOfTheStreamWhoeverCallsForIt() {
        SyncStream<JsonObject> alice = watch(WatchOptions.asPrincipal("alice"));
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 7);
        SyncStream<JsonObject> nobody = watch(WatchOptions.DEFAULT);
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, 7);

        FakeOwners.await(handling("bob", () -> alice.update(it -> it.put("n", 8))));
        FakeOwners.await(handling("bob", () -> nobody.update(it -> it.put("n", 9))));

        assertThat(owners.updaters).containsExactly(Optional.of("alice"), Optional.empty());
    }
}
