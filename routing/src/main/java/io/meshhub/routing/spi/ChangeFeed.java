package io.meshhub.routing.spi;

import java.util.function.Consumer;

/** Announces changes of nodes, after they are durable, in the order of their commits. */
@FunctionalInterface
public interface ChangeFeed {

    /** Nothing ever changes. */
    ChangeFeed NONE = listener -> () -> {};

    /**
     * Calls the listener with each change from now on, on any thread; it must not block.
     *
     * @return ends the subscription
     */
    Subscription subscribe(Consumer<NodeChange> listener);

    /** Ends a subscription; idempotent. */
    @FunctionalInterface
    interface Subscription {

        /** No call is begun after this one returned. */
        void cancel();
    }
}
