package io.meshhub.query.remote;

import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Waits at the start until each other node that is up has told its providers and those are registered: a query that came
 * before would be answered without them. Bounded, and never fails. Touched only on the context.
 */
final class RollCall {

    /** How long it waits at most: 2 s. */
    static final Duration BOUND = Duration.ofSeconds(2);

    private final RemoteParts parts;
    private final Set<String> awaited = new HashSet<>();
    private final List<Future<Void>> registering = new ArrayList<>();
    private final Promise<Void> complete = Promise.promise();
    private Pacer.Cancellable bound = Pacer.Cancellable.NONE;
    private boolean over;

    RollCall(RemoteParts parts) {
        this.parts = parts;
    }

    /** Begins: they are asked now. */
    void begin() {
        parts.membership().nodes().stream()
                .filter(node -> node.state() == NodeInfo.State.UP)
                .map(NodeInfo::incarnation)
                .filter(incarnation -> !incarnation.equals(parts.incarnation()))
                .forEach(awaited::add);
        bound = parts.pacer().after(BOUND, () -> parts.execute(this::end));
        endWhenAllAreHere();
    }

    /** Completes once all have answered, or at the bound. */
    Future<Void> complete() {
        return complete.future();
    }

    /** A provider was announced and is being registered. */
    void registers(Future<Void> registered) {
        if (!over) {
            registering.add(registered);
        }
    }

    /** The node has told all that it has, or is lost. */
    void answered(String incarnation) {
        if (awaited.remove(incarnation)) {
            endWhenAllAreHere();
        }
    }

    private void endWhenAllAreHere() {
        if (awaited.isEmpty() && !over) {
            Future.join(registering).onComplete(done -> parts.execute(this::end));
        }
    }

    /** Waits no more. */
    void end() {
        if (!over) {
            over = true;
            bound.cancel();
            registering.clear();
            complete.complete();
        }
    }
}
