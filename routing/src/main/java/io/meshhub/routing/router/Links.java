package io.meshhub.routing.router;

import io.meshhub.routing.spi.NodeInfo;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The links of a node to the others, one for each incarnation that it has to do with. */
final class Links {

    // An incarnation that was dropped never comes back; the newest of them are remembered for late frames of theirs.
    private static final int REMEMBERED = 1024;

    private final Map<String, PeerLink> links = new ConcurrentHashMap<>();
    private final Set<String> dropped = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));
    private final Function<NodeInfo, PeerLink> maker;

    Links(Function<NodeInfo, PeerLink> maker) {
        this.maker = maker;
    }

    /** The link to a node, made when there is none; empty when it was dropped. */
    Optional<PeerLink> to(NodeInfo peer) {
        PeerLink link = links.get(peer.incarnation());
        if (link != null) {
            return Optional.of(link);
        }
        if (dropped.contains(peer.incarnation())) {
            return Optional.empty();
        }
        // Asked again inside: a link that was made while its node was dropped would never be lost.
        return Optional.ofNullable(links.computeIfAbsent(
                peer.incarnation(), incarnation -> dropped.contains(incarnation) ? null : maker.apply(peer)));
    }

    /** The link to an incarnation, when there is one. */
    Optional<PeerLink> find(String incarnation) {
        return Optional.ofNullable(links.get(incarnation));
    }

    /** Whether the incarnation was dropped. */
    boolean isDropped(String incarnation) {
        return dropped.contains(incarnation);
    }

    /** The incarnation is gone: all that waits for it ends. */
    void drop(String incarnation, String reason) {
        dropped.add(incarnation);
        PeerLink link = links.remove(incarnation);
        if (link != null) {
            link.lose(reason);
        }
    }

    /**
     * Begins anew, for an incarnation of this node that knows of nobody's end yet: those that a former one took for lost,
     * since it was cut off itself, may be there. Late frames of the others went to addresses that are gone.
     */
    void forgetDropped() {
        dropped.clear();
    }

    /** Nothing that waits can be answered any more, and new links begin anew. */
    void reset(String reason) {
        for (String incarnation : Set.copyOf(links.keySet())) {
            PeerLink link = links.remove(incarnation);
            if (link != null) {
                link.lose(reason);
            }
        }
    }

    Collection<PeerLink> all() {
        return links.values();
    }
}
