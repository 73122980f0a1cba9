package io.meshhub.sync;

import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.sync.protocol.FeedNews;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of changes of nodes, whichever process of the cluster made them, as long as somebody follows their partition.
 *
 * <p>Touched only on its context, and calls its listeners there. What this process changes is heard whole; what others
 * tell may have gaps, and each one that may be there is told.
 */
public final class NodeNews {

    private final Context context;
    private final Membership membership;
    private final ChangeFeed feed;
    private final Consumer<NodeChange> changed;
    private final FeedReader others;
    private final Set<Object> followers = new HashSet<>();
    private ChangeFeed.Subscription own = () -> {};

    /**
     * Hears nothing before {@link #follow}.
     *
     * @param feed the changes of this process
     * @param changed takes each change: all of this process, and of others those of partitions that are followed
     * @param missed takes a partition of which something may not have been heard; {@link FeedNews#EVERY} for all
     */
    public NodeNews(
            Context context,
            Membership membership,
            ChangeFeed feed,
            Consumer<NodeChange> changed,
            Consumer<String> missed) {
        this.context = context;
        this.membership = membership;
        this.feed = feed;
        this.changed = changed;
        this.others = new FeedReader(context, membership.self().incarnation(), changed, missed);
        membership.onChange((change, node) -> {
            if (change != Membership.Change.STATE) {
                context.runOnContext(turn -> members());
            }
        });
    }

    private void members() {
        others.membersAre(membership.nodes().stream().map(NodeInfo::incarnation).toList());
    }

    /**
     * Follows a partition for somebody, who follows no other one.
     *
     * @param partition null for all
     * @return completes on the context when its changes are heard
     */
    public Future<Void> follow(@Nullable String partition, Object who) {
        if (followers.isEmpty()) {
            own = feed.subscribe(change -> context.runOnContext(turn -> heard(change)));
        }
        followers.add(who);
        others.watch(place(partition), who);
        return others.heard(place(partition));
    }

    private void heard(NodeChange change) {
        if (!followers.isEmpty()) {
            changed.accept(change);
        }
    }

    /** Follows it for him no more; idempotent. */
    public void unfollow(@Nullable String partition, Object who) {
        others.unwatch(place(partition), who);
        if (followers.remove(who) && followers.isEmpty()) {
            own.cancel();
        }
    }

    private static String place(@Nullable String partition) {
        return partition == null ? FeedNews.EVERY : partition;
    }

    /** Hears nothing any more. */
    public Future<Void> close() {
        followers.clear();
        own.cancel();
        return others.close();
    }
}
