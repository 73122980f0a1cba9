package io.meshhub.query;

/**
 * Answers queries from one place: a store, the live activations of a node, a file.
 *
 * <p>Whoever implements it may do wrong: what is said after the end is ignored, a failure that is thrown is one that is
 * said, and one that says nothing at all ends its query with its name.
 */
public interface QueryProvider {

    /**
     * Its name, unique in a fan-in and stable: it orders equal values and stands in failures and metrics. 1 to 128
     * letters, digits and {@code . _ ~ @ + -}.
     */
    String name();

    /** The source of the queries that it answers, such as {@link io.meshhub.query.language.Query#NODES}. */
    String source();

    /**
     * Whether it says itself, by {@link ProviderCall#started}, when it has got a thread or a connection. Its own time
     * begins at once where it does not.
     */
    default boolean saysWhenStarted() {
        return false;
    }

    /**
     * Whether it runs elsewhere, so that a call may not even get there. It says by {@link ProviderCall#reached} that one did.
     */
    default boolean isElsewhere() {
        return false;
    }

    /**
     * Begins to answer. It listens to changes first, and reads then, so that none is between; what it hears meanwhile it
     * tells after its first result. Called on the event loop of the fan-in: it must not block.
     *
     * @return ends the call; called once at most, and not where the provider ended it
     */
    Opened open(ProviderCall call);

    /** A call that was opened. */
    @FunctionalInterface
    interface Opened {

        /** Nothing to end. */
        Opened NONE = () -> {};

        /** Nobody listens any more: nothing is to be kept for the call. */
        void cancel();
    }
}
