package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Tells the streams of a client which versions their nodes have: what this process writes, what others tell of the
 * partitions in which streams are, and, where something of that was not heard, what the store says. Touched only on the
 * client's context.
 */
final class FeedFollower {

    private final SyncClient client;
    private final SyncClient.Parts parts;
    private final BiConsumer<MeshAddress, Consumer<SharedLatch>> latches;
    private final FeedReader others;
    private final Reread reread;
    private ChangeFeed.Subscription own = () -> {};

    /**
     * A follower that hears nothing before {@link #start}.
     *
     * @param latches has something done with all latches of an address; from any thread
     */
    FeedFollower(SyncClient client, SyncClient.Parts parts, BiConsumer<MeshAddress, Consumer<SharedLatch>> latches) {
        this.client = client;
        this.parts = parts;
        this.latches = latches;
        this.reread = new Reread(
                parts.context(),
                parts.clock(),
                parts.pacer(),
                client.options().latch().burst(),
                this::watchedIn,
                this::lookUp);
        this.others =
                new FeedReader(parts.context(), parts.membership().self().incarnation(), this::announced, reread::of);
    }

    void start() {
        own = parts.feed().subscribe(this::announced);
    }

    /** Somebody watches the stream. One that is only kept for the next one who does needs no news. */
    void watch(Upstream stream) {
        others.watch(stream.key().address().partition(), stream);
    }

    /** Nobody watches the stream any more; idempotent. */
    void unwatch(Upstream stream) {
        others.unwatch(stream.key().address().partition(), stream);
    }

    /** What became of a node. */
    void changed(Membership.Change change) {
        if (change != Membership.Change.STATE) {
            others.membersAre(parts.membership().nodes().stream()
                    .map(NodeInfo::incarnation)
                    .toList());
        }
    }

    Future<Void> close() {
        own.cancel();
        reread.close();
        return others.close();
    }

    // From any thread.
    private void announced(NodeChange change) {
        if (change.kind() != NodeChange.Kind.DELETED) {
            latches.accept(change.address(), latch -> latch.announced(change.version()));
        }
    }

    // Those at which a stream has had a value, and may have a newer one.
    private List<MeshAddress> watchedIn(Set<String> partitions) {
        return client.upstreams().all().stream()
                .filter(stream -> stream.seen().known() || stream.latch().isDormant())
                .map(stream -> stream.key().address())
                .filter(address -> partitions.contains(address.partition()))
                .distinct()
                .toList();
    }

    // A version that could not be found out is asked for from the owner, which knows it or says that it does not.
    private Future<?> lookUp(MeshAddress address) {
        client.count("feed.re-read");
        return parts.versions()
                .map(versions -> versions.apply(address)
                        .onSuccess(found ->
                                found.ifPresent(version -> latches.accept(address, latch -> found(latch, version))))
                        .onFailure(unknown -> latches.accept(address, SharedLatch::unsure)))
                .orElseGet(() -> {
                    latches.accept(address, SharedLatch::unsure);
                    return Future.succeededFuture();
                });
    }

    // One without a value so far is asking, and gets what there is.
    private static void found(SharedLatch latch, long version) {
        if (latch.isDormant()
                || latch.streams().stream().anyMatch(stream -> stream.seen().known())) {
            latch.announced(version);
        }
    }
}
