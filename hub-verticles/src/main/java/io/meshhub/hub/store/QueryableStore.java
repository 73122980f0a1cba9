package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;

/** A store that answers queries over its nodes. */
public interface QueryableStore {

    /** The most nodes of one answer. */
    int MAX_ANSWER = Query.MAX_SKIP + Query.MAX_LIMIT;

    /**
     * The nodes that match, in the order of the query, cut by its skip and limit; the source that it names is not looked
     * at.
     *
     * @param most the most nodes to answer with, from 1 to {@link #MAX_ANSWER}
     * @param begun run when the question has left the queue and a thread of the store has begun with it: until then it
     *     only waits. Runs on that thread, and must neither block nor throw
     * @return fails with {@link io.meshhub.routing.spi.StoreException} when the store could not be asked
     */
    Future<StoreAnswer> query(Query query, int most, Runnable begun);

    /**
     * The same, for whoever may lose interest.
     *
     * @param isOver whether nobody waits for the answer any more: then the store gives the question up as soon as it can,
     *     also in the middle of a scan. Asked over and over on threads of the store, and must neither block nor throw
     * @return fails with {@link io.meshhub.routing.spi.StoreException} as well when it was given up
     */
    default Future<StoreAnswer> query(Query query, int most, Runnable begun, BooleanSupplier isOver) {
        return query(query, most, begun);
    }

    /** The same, for whoever need not know when it begins. */
    default Future<StoreAnswer> query(Query query, int most) {
        return query(query, most, () -> {});
    }

    /** Refuses an answer size that no store gives. */
    static void checkMost(int most) {
        if (most < 1 || most > MAX_ANSWER) {
            throw new IllegalArgumentException("most = " + most + " must be between 1 and " + MAX_ANSWER);
        }
    }
}
