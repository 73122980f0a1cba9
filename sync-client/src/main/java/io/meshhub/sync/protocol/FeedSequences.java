package io.meshhub.sync.protocol;

import io.meshhub.routing.spi.NodeChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was heard of the change feed of one partition, from each sender: a pure state machine, immutable.
 *
 * <p>It holds one number for each sender that it was not told to forget. A process that starts again is another sender.
 */
public final class FeedSequences {

    /** Nothing was heard so far. */
    public static final FeedSequences NONE = new FeedSequences(Map.of());

    /**
     * What a message means.
     *
     * @param fresh the changes that were not heard before
     * @param missed whether there may be changes before it that were not heard: look the versions up
     */
    public record Step(FeedSequences sequences, List<NodeChange> fresh, boolean missed) {}

    private final Map<String, Long> heard;

    private FeedSequences(Map<String, Long> heard) {
        this.heard = heard;
    }

    /**
     * The state after a message. A sender of which nothing is known may have told something before, so its first message
     * counts as one after a gap; what comes late, after the message that showed the gap, is not heard again.
     */
    public Step on(FeedNews news) {
        Long last = heard.get(news.from());
        if (last == null || news.first() > last + 1) {
            return new Step(with(news.from(), news.last()), news.changes(), true);
        }
        if (news.last() <= last) {
            return new Step(this, List.of(), false);
        }
        int known = Math.toIntExact(last + 1 - news.first());
        List<NodeChange> fresh = news.changes().subList(known, news.changes().size());
        return new Step(with(news.from(), news.last()), fresh, false);
    }

    private FeedSequences with(String sender, long last) {
        Map<String, Long> next = new HashMap<>(heard);
        next.put(sender, last);
        return new FeedSequences(next);
    }

    /** The state without the senders that are not among those. */
    public FeedSequences retain(Collection<String> senders) {
        Map<String, Long> next = new HashMap<>(heard);
        return next.keySet().retainAll(senders) ? new FeedSequences(next) : this;
    }

    /** How many senders are known. */
    public int size() {
        return heard.size();
    }
}
