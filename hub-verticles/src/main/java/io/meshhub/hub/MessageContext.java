package io.meshhub.hub;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came along with a message.
 *
 * @param from the address that sent it; null when no hub did
 * @param principal on whose behalf it was sent
 * @param correlationId ties together all that one request caused
 * @param type the message type
 * @param deadlineNanos when its time is over, on the clock
 * @param clock the clock of this node
 */
public record MessageContext(
        @Nullable MeshAddress from,
        @Nullable String principal,
        @Nullable String correlationId,
        String type,
        long deadlineNanos,
        MeshClock clock) {

    static MessageContext of(Envelope envelope, long deadlineNanos, MeshClock clock) {
        return new MessageContext(
                envelope.from(), envelope.principal(), envelope.correlationId(), envelope.type(), deadlineNanos, clock);
    }

    /** The time that is left for an answer now; never negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - clock.nanoTime()));
    }
}
