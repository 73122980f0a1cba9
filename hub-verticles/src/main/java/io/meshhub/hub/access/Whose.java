package io.meshhub.hub.access;

import io.vertx.core.Future;
import java.util.List;

/** Says which principal an id or an e-mail address belongs to. Asked from any thread; must not block. */
@FunctionalInterface
public interface Whose {

    /**
     * Looks somebody up, and has its own bound: the future ends within the permission rung. A fault is {@link
     * Lookup.Unavailable}, never {@link Lookup.Unknown}; a future that fails is taken for one.
     */
    Future<Lookup> find(Key key);

    /** Where there is no directory. */
    Whose NOBODY_SAYS =
            key -> Future.succeededFuture(new Lookup.Unavailable(List.of(), "this node reads no directory"));
}
