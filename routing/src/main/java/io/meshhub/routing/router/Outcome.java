package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.MeshException;

/** How one attempt to deliver a message ended. */
sealed interface Outcome {

    /** The activation replied. */
    record Replied(MeshBody body, ActivationId activation) implements Outcome {}

    /** The activation accepted a message that expects no reply. */
    record Accepted(ActivationId activation) implements Outcome {}

    /** There is no reply. */
    record Failed(MeshException failure) implements Outcome {}

    /** The receiver is not the owner, or knows a later epoch: route again by the row of at least that epoch. */
    record Corrected(long epoch) implements Outcome {}
}
