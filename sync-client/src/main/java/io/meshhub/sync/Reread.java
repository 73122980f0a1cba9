package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;

/**
 * Looks up what was not heard: the first time at once, what follows until a rest after that together once more. Touched
 * only on its context.
 */
final class Reread {

    /** The most addresses that are looked up at one time. */
    static final int IN_FLIGHT = 32;

    private final Context context;
    private final MeshClock clock;
    private final Pacer pacer;
    private final Duration rest;
    private final Function<Set<String>, Collection<MeshAddress>> watched;
    private final Function<MeshAddress, Future<?>> lookUp;
    private final Set<String> wanted = new LinkedHashSet<>();
    private final Queue<MeshAddress> waiting = new ArrayDeque<>();
    private OptionalLong notBefore = OptionalLong.empty();
    private Pacer.Cancellable round = Pacer.Cancellable.NONE;
    private boolean busy;
    private boolean closed;
    private int inFlight;

    /**
     * A look-up that was not asked for yet.
     *
     * @param rest between two rounds
     * @param watched the addresses that are watched in partitions
     * @param lookUp finds out how an address stands; whatever becomes of that ends it
     */
    Reread(
            Context context,
            MeshClock clock,
            Pacer pacer,
            Duration rest,
            Function<Set<String>, Collection<MeshAddress>> watched,
            Function<MeshAddress, Future<?>> lookUp) {
        this.context = context;
        this.clock = clock;
        this.pacer = pacer;
        this.rest = rest;
        this.watched = watched;
        this.lookUp = lookUp;
    }

    /** Something of the partition may not have been heard. */
    void of(String partition) {
        wanted.add(partition);
        if (!busy) {
            next();
        }
    }

    /** Looks nothing up any more. */
    void close() {
        closed = true;
        round.cancel();
        wanted.clear();
        waiting.clear();
    }

    // Without a timer while nothing is wanted.
    private void next() {
        busy = !wanted.isEmpty() && !closed;
        if (!busy) {
            return;
        }
        long early = notBefore.isEmpty() ? 0 : notBefore.getAsLong() - clock.nanoTime();
        if (early > 0) {
            round = pacer.after(Duration.ofNanos(early), () -> context.runOnContext(turn -> round()));
        } else {
            round();
        }
    }

    private void round() {
        waiting.addAll(watched.apply(Set.copyOf(wanted)));
        wanted.clear();
        advance();
    }

    private void advance() {
        while (inFlight < IN_FLIGHT && !waiting.isEmpty()) {
            inFlight++;
            lookUp.apply(waiting.remove())
                    .onComplete(known -> context.runOnContext(turn -> {
                        inFlight--;
                        advance();
                    }));
        }
        if (inFlight == 0) {
            notBefore = OptionalLong.of(clock.nanoTime() + rest.toNanos());
            next();
        }
    }
}
