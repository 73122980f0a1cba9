package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.vertx.core.Future;

/** A store that answers queries over its nodes. */
public interface QueryableStore {

    /** The most nodes of one answer. */
    int MAX_ANSWER = Query.MAX_SKIP + Query.MAX_LIMIT;

    /**
     * The nodes that match, in the order of the query, cut by its skip and limit; the source that it names is not looked
     * at.
     *
     * @param most the most nodes to answer with, from 1 to {@link #MAX_ANSWER}
     * @return fails with {@link io.meshhub.routing.spi.StoreException} when the store could not be asked
     */
    Future<StoreAnswer> query(Query query, int most);
}
