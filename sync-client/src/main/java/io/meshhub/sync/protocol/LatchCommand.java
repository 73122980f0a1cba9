package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.failure.MeshException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a {@link Latch} wants to be done next. */
public sealed interface LatchCommand {

    /** Nothing. */
    record Nothing() implements LatchCommand {}

    /** Subscribe now; the answer names this attempt. */
    record Ask(int attempt) implements LatchCommand {}

    /** Say {@link LatchEvent.Rested} then, instead of whenever was said before. */
    record Rest(long untilNanos) implements LatchCommand {}

    /** Say {@link LatchEvent.LocalDisposed} once this activation has completed its disposal; at once when it has. */
    record AwaitDisposal(ActivationId activation) implements LatchCommand {}

    /**
     * Log one warning; the stream is dormant.
     *
     * @param activation the activation that refused last; empty when its id is not known
     * @param bound the bound that was hit
     * @param allowed what the bound allows
     * @param observed what was counted
     * @param last the refusal at which it was hit
     */
    record GiveUp(
            MeshAddress owner,
            Optional<ActivationId> activation,
            Axis bound,
            int allowed,
            int observed,
            MeshException last)
            implements LatchCommand {}

    /** Keep no timer and send no beat until there is a {@link LatchEvent.Wake}. */
    record Dormant(LatchState.Reason reason) implements LatchCommand {}

    /** Leave nothing behind; the cause is the failure that ended it. */
    record End(LatchState.Reason reason, @Nullable MeshException cause) implements LatchCommand {}
}
