package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.sync.SyncClient;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.sync.WatchOptions;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S10, the owner's half: where a principal is required, each follows by itself, and sees only what it may read. */
@Timeout(30)
class WhoMayFollowTest {

    private static final MeshAddress BOARD = MeshAddress.of("board/1");
    private static final MeshAddress MIRROR = MeshAddress.of("mirror/1");

    private final Counts counts = new Counts();
    private final Set<String> readers = ConcurrentHashMap.newKeySet();
    private Supplier<@Nullable SyncClient> client = () -> null;

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .options(HubOptions.ofDefaults().withPrincipalRequired(true))
            .hub("board", Board::new)
            .hub("mirror", Mirrors::new)
            .configure(node -> node.metrics(counts)
                    .readGate(this::mayRead)
                    .sync(SyncOptions.ofDefaults().withIdleRelease(Duration.ZERO)))
            .build();

    /** Follows the board on behalf of whoever tells it to. */
    private final class Mirrors extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on("follow", MeshBody.class, body -> {
                SyncClient sync = client.get();
                if (sync == null) {
                    return Future.failedFuture(new AssertionError("no client"));
                }
                SyncStream<JsonObject> stream = sync.watch(BOARD);
                return stream.first().map(Object::toString).onComplete(told -> stream.close());
            });
        }
    }

    private Future<?> mayRead(MeshAddress address, String view, @Nullable String principal) {
        return principal != null && readers.contains(principal)
                ? Future.succeededFuture()
                : Future.failedFuture(Forbidden.at(address, "read", "node-1"));
    }

    private Watched watch(String principal) {
        return watch(WatchOptions.asPrincipal(principal));
    }

    private Watched watch(WatchOptions how) {
        Watched watched = new Watched(mesh.node().sync().watch(BOARD, JsonObject.class, how));
        settle();
        return watched;
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private void set(int n) {
        await(mesh.mesh()
                .request(
                        BOARD,
                        new JsonObject().put("n", n),
                        Object.class,
                        MeshOptions.DEFAULT.withType("set").withPrincipal("the-owner")));
        settle();
    }

    private static MeshException refusal(SyncStream<?> stream) {
        assertThat(stream.state())
                .isInstanceOfSatisfying(
                        SyncState.Ended.class,
                        ended -> assertThat(ended.reason()).isEqualTo(SyncState.Reason.REFUSED));
        return ((SyncState.Ended) stream.state()).cause().orElseThrow();
    }

    @Test
    void s10ManyStreamsOfTwoPrincipalsAreTwoSubscriptionsAndTwoFramesForEachChange() {
        readers.addAll(Set.of("alice", "bob"));
        List<Watched> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(watch("alice"));
            all.add(watch("bob"));
        }
        assertThat(counts.of("sync.subscribes")).isEqualTo(2);
        long frames = counts.of("sync.frames");

        set(1);

        assertThat(counts.of("sync.frames") - frames).isEqualTo(2);
        all.forEach(watched -> watched.isLiveWith(1));
        all.forEach(Watched::close);
    }

    @Test
    void s10NobodySeesWhatItsPrincipalMayNotRead() {
        readers.add("alice");
        Watched alice = watch("alice");
        Watched mallory = watch("mallory");
        set(1);

        alice.isLiveWith(1);
        assertThat(refusal(mallory.stream)).isInstanceOf(Forbidden.class);
        assertThat(mallory.stream.value()).isEmpty();
        assertThat(mallory.changes).isEmpty();
        alice.close();
    }

    @Test
    void whoNamesNoPrincipalIsRefusedAndTheStreamSaysSo() {
        Watched nobody = watch(WatchOptions.DEFAULT);

        assertThat(refusal(nobody.stream)).isInstanceOf(Unauthorized.class);
        assertThat(counts.of("sync.subscribes")).isEqualTo(1);
    }

    @Test
    void whoMayReadNoLongerIsRefusedWhenItsStreamAsksAgain() {
        readers.add("alice");
        Watched alice = watch("alice").isLiveWith(0);
        readers.remove("alice");
        mesh.owner(BOARD).recycle();
        mesh.time().advance(Duration.ofSeconds(2));

        assertThat(refusal(alice.stream)).isInstanceOf(Forbidden.class);
    }

    @Test
    void aHubFollowsOnBehalfOfThePrincipalWhoseMessageItHandles() {
        readers.add("alice");
        client = () -> mesh.node().sync();
        MeshOptions follow = MeshOptions.DEFAULT.withType("follow");

        assertThat(await(mesh.mesh().request(MIRROR, null, String.class, follow.withPrincipal("alice"))))
                .contains("0");
        Future<String> mallory = mesh.mesh().request(MIRROR, null, String.class, follow.withPrincipal("mallory"));
        settle();
        assertThat(MeshExtension.awaitFailure(mallory)).isInstanceOf(MeshException.class);
        assertThat(counts.of("sync.subscribes")).isEqualTo(2);
    }

    @Test
    void aGateThatDecidesLaterAndElsewhereIsWaitedFor() {
        Promise<Void> decided = Promise.promise();
        mesh.node().runtime().sync().gate((address, view, principal) -> decided.future());
        Watched alice = watch("alice");
        set(1);
        assertThat(alice.stream.state()).isInstanceOf(SyncState.Connecting.class);
        assertThat(alice.stream.value()).isEmpty();

        decided.complete();
        settle();
        alice.isLiveWith(1);
        alice.close();
    }
}
