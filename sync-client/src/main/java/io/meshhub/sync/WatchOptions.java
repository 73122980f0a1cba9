package io.meshhub.sync;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an address is watched; immutable, each {@code with} makes another. */
public final class WatchOptions {

    /** All of the state, on behalf of whom the message that is being handled was sent; on nobody's outside of one. */
    public static final WatchOptions DEFAULT = new WatchOptions("", null);

    private final String view;
    private final @Nullable String principal;

    private WatchOptions(String view, @Nullable String principal) {
        this.view = view;
        this.principal = principal;
    }

    /**
     * All of the state, on behalf of that principal. What is asked of the owner for the stream is asked in its name, its
     * updates included, wherever they are made; and no other principal shares the subscription.
     */
    public static WatchOptions asPrincipal(String principal) {
        return new WatchOptions("", principal);
    }

    /** The same for a part of the state, as a JSON pointer. */
    public WatchOptions withView(String newView) {
        return new WatchOptions(newView, principal);
    }

    /** What of the state is followed, as a JSON pointer; empty for all. */
    public String view() {
        return view;
    }

    /** On whose behalf, when it is named. */
    public Optional<String> principal() {
        return Optional.ofNullable(principal);
    }
}
