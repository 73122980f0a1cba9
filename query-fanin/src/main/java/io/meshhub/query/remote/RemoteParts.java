package io.meshhub.query.remote;

import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Context;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;

/**
 * What {@link RemoteProviders} work with.
 *
 * @param context where all of it happens
 * @param membership who is lost
 * @param beat how often nodes tell each other that a provider is there and that a call is wanted; a call of
 *     which nothing is heard for three beats is given up
 */
public record RemoteParts(
        Context context, Membership membership, MeshClock clock, Pacer pacer, MeshMetrics metrics, Duration beat) {

    /** How often: 5 s. */
    public static final Duration DEFAULT_BEAT = Duration.ofSeconds(5);

    /** How many beats a node may miss: {@value}. */
    static final int MISSED = 3;

    public RemoteParts {
        if (beat.isNegative() || beat.isZero()) {
            throw new IllegalArgumentException("beat = " + beat + " must be > 0");
        }
    }

    EventBus bus() {
        return context.owner().eventBus();
    }

    String node() {
        return membership.self().name();
    }

    String incarnation() {
        return membership.self().incarnation();
    }

    long now() {
        return clock.nanoTime();
    }

    /** Whether that was so long ago that who was heard then is given up. */
    boolean isLongAgo(long heard) {
        return now() - heard > beat.multipliedBy(MISSED).toNanos();
    }

    void execute(Runnable action) {
        context.runOnContext(turn -> action.run());
    }
}
