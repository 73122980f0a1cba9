package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What waits for its turn while a re-ask is outstanding or not yet due; immutable. It is judged when its turn comes.
 *
 * @param plain whether there is a sign that names neither activation nor version
 * @param woken whether there was a wake
 * @param version the highest version that was announced; negative when none was
 * @param going the highest activation that said or showed that it is going
 * @param local whether that one lives in this process
 */
record Pending(
        boolean plain,
        boolean woken,
        long version,
        @Nullable ActivationId going,
        boolean local) {

    static final Pending NONE = new Pending(false, false, -1, null, false);

    Pending with(LatchEvent.Trigger trigger) {
        if (trigger instanceof LatchEvent.Announced announced) {
            return new Pending(plain, woken, Math.max(version, announced.version()), going, local);
        }
        return trigger instanceof LatchEvent.Goodbye goodbye
                ? withGoing(Optional.of(goodbye.activation()), false)
                : withPlain();
    }

    /** An activation is going, which may be one that cannot be told. */
    Pending withGoing(Optional<ActivationId> activation, boolean isLocal) {
        ActivationId id = activation.orElse(null);
        if (id == null) {
            return withPlain();
        }
        int order = going == null ? 1 : id.compareTo(going);
        if (order < 0) {
            return this;
        }
        return new Pending(plain, woken, version, id, isLocal || (order == 0 && local));
    }

    Pending withPlain() {
        return new Pending(true, woken, version, going, local);
    }

    Pending withWake() {
        return new Pending(plain, true, version, going, local);
    }

    /** What is left once an activation has accepted the stream: it is not one of those that were going before it. */
    Pending afterSuccess(ActivationId accepted) {
        return going != null && going.compareTo(accepted) < 0
                ? new Pending(plain, false, version, null, false)
                : new Pending(plain, false, version, going, local);
    }

    /** Whether it asks for a re-ask of a stream that has received so much. */
    boolean isDue(long received) {
        return plain || going != null || version > received;
    }

    /** Whether it would have woken the stream. */
    boolean wakes() {
        return woken || version >= 0;
    }
}
