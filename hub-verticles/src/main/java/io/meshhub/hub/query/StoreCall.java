package io.meshhub.hub.query;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One query at a store: not reading yet, reading, or live. What changes while it reads is looked at once more after it has
 * told what it read. Touched only on the context of the store's provider.
 */
final class StoreCall {

    /** How far it is. */
    enum State {
        /** It waits until changes are heard. */
        WAITING,
        /** The store was asked, and a change may come before or after what it answers. */
        READING,
        /** It has told its first result. */
        LIVE
    }

    private final ProviderCall call;
    private final Query query;
    private final Set<MeshAddress> meanwhile = new HashSet<>();
    private State state = State.WAITING;

    StoreCall(ProviderCall call) {
        this.call = call;
        this.query = call.query();
    }

    ProviderCall call() {
        return call;
    }

    Query query() {
        return query;
    }

    /** What is followed for it; null for all. */
    @Nullable
    String partition() {
        MeshAddress path = query.path();
        return path == null ? null : path.partition();
    }

    State state() {
        return state;
    }

    void reads() {
        state = State.READING;
    }

    /**
     * Tells what was read.
     *
     * @return the addresses that changed meanwhile
     */
    Set<MeshAddress> first(List<QueryNode> nodes, boolean cut) {
        state = State.LIVE;
        call.first(nodes, cut);
        Set<MeshAddress> changed = Set.copyOf(meanwhile);
        meanwhile.clear();
        return changed;
    }

    /**
     * What stands at an address that its scope takes in.
     *
     * @param node empty when there is none
     * @return false when it cannot remember that, and has to begin anew
     */
    boolean stands(MeshAddress address, Optional<QueryNode> node) {
        switch (state) {
            case WAITING -> {
                // It reads later than this.
            }
            case READING -> {
                meanwhile.add(address);
                return meanwhile.size() <= Rereads.MOST_WAITING;
            }
            case LIVE -> node.filter(query::matches).ifPresentOrElse(call::updated, () -> call.removed(address));
        }
        return true;
    }
}
