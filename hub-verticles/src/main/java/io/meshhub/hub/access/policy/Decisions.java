package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.routing.MeshAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions that were made of late, by principal. Each holds for as long as all that it was made from stands; one
 * that is undetermined is never kept. Safe from any thread.
 */
final class Decisions {

    /** The most principals of one generation. */
    static final int MOST_PRINCIPALS = 1_000;

    /** The most decisions of one generation about one principal. */
    static final int MOST_OF_ONE = 1_000;

    private record Asked(Permission what, MeshAddress where) {}

    private record Kept(AccessDecision decision, List<Standing> from) {}

    private final TwoGenerations<Principal, TwoGenerations<Asked, Kept>> byPrincipal =
            new TwoGenerations<>(MOST_PRINCIPALS);

    /** What was decided and still holds; null where nothing was. */
    @Nullable
    AccessDecision known(Principal who, Permission what, MeshAddress where) {
        TwoGenerations<Asked, Kept> ofOne = byPrincipal.get(who);
        if (ofOne == null) {
            return null;
        }
        Kept kept = ofOne.get(new Asked(what, where));
        if (kept == null) {
            return null;
        }
        List<Standing> from = kept.from;
        for (int i = 0; i < from.size(); i++) {
            if (!from.get(i).stands()) {
                return null;
            }
        }
        return kept.decision;
    }

    /** Keeps one that was made from what stood then; not one that is undetermined. */
    void keep(Principal who, Permission what, MeshAddress where, AccessDecision decision, List<Standing> from) {
        if (decision instanceof AccessDecision.Undetermined) {
            return;
        }
        TwoGenerations<Asked, Kept> ofOne = byPrincipal.get(who);
        if (ofOne == null) {
            ofOne = new TwoGenerations<>(MOST_OF_ONE);
            byPrincipal.put(who, ofOne);
        }
        ofOne.put(new Asked(what, where), new Kept(decision, List.copyOf(from)));
    }
}
