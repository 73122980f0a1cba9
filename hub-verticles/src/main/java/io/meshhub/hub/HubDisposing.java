package io.meshhub.hub;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import org.jspecify.annotations.Nullable;

/**
 * A hosted hub cannot be made any more, since its host, or a host of that, is ending.
 *
 * <p>A handler that fails with it, or with anything that has it as a cause, is no bug: its caller is told {@link
 * io.meshhub.routing.failure.ShuttingDown}, after a handler was entered.
 */
public final class HubDisposing extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    // A chain of causes can be a ring.
    private static final int DEPTH = 64;

    private HubDisposing(String message) {
        super(message);
    }

    public static HubDisposing at(MeshAddress host, String name, MeshAddress ending, RunLevel level) {
        return new HubDisposing(
                "Hub " + host + " cannot host '" + name + "': hub " + ending + " is ending (runLevel=" + level + ")");
    }

    /** Whether it is this error, or one that was caused by it. */
    public static boolean isCauseOf(@Nullable Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < DEPTH; depth++) {
            if (each instanceof HubDisposing) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }
}
