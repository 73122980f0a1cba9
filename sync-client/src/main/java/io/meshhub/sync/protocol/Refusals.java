package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.RideOutBudget;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The refusals since the last success, and what they were charged to; immutable.
 *
 * @param spent what was charged to the two axes
 * @param tags the tags of all activations that refused, for refusals that carry nothing else
 * @param count all refusals
 * @param delays how many of the latest in a row were charged to neither axis
 * @param local the activation that refused last, if it lives in this process
 */
record Refusals(
        RideOutBudget spent,
        Set<Long> tags,
        int count,
        int delays,
        @Nullable ActivationId local) {

    static final Refusals NONE = new Refusals(RideOutBudget.none(), Set.of(), 0, 0, null);

    /** One more, by an owner that shuts down. */
    Refusals charge(ShuttingDown refusal, boolean isLocal) {
        Optional<ActivationId> id = refusal.activation();
        if (id.isPresent()) {
            ActivationId known = id.get();
            Set<Long> seen = with(Long.parseLong(known.tag(), 16));
            return new Refusals(spent.charge(id), seen, count + 1, 0, isLocal ? known : null);
        }
        OptionalLong tag = ActivationTag.parse(refusal.getMessage());
        if (tag.isEmpty()) {
            return new Refusals(spent.charge(id), tags, count + 1, 0, null);
        }
        long read = tag.getAsLong();
        return new Refusals(spent.chargeTag(tags.contains(read)), with(read), count + 1, 0, null);
    }

    /** One more, charged to neither axis. */
    Refusals delay() {
        return new Refusals(spent, tags, count + 1, delays + 1, null);
    }

    /** To which axis the last one was charged; empty when to neither. */
    Optional<Axis> axis() {
        return delays > 0 ? Optional.empty() : spent.axis();
    }

    /** What the axis of the last one was charged with so far; 0 when it was charged to neither. */
    int observed() {
        return axis().map(axis -> axis == Axis.TIME ? spent.repeats() : spent.activations())
                .orElse(0);
    }

    /** How much the axis of the last one bears; 0 when it was charged to neither. */
    int allowed(RideOutPolicy policy) {
        return axis().map(axis -> axis == Axis.TIME ? policy.repeatBound() : policy.activationBound())
                .orElse(0);
    }

    /** Whether a failure says nothing against the address, and is waited out for as long as somebody watches. */
    static boolean isDelay(MeshException failure) {
        return failure instanceof Unavailable
                || failure instanceof Overloaded
                || failure instanceof DeadlineExceeded
                || failure instanceof StartFailed;
    }

    /** Whether a failure says that the stream is not to be had. */
    static boolean isVerdict(MeshException failure) {
        return failure instanceof NotHandled
                || failure instanceof Rejected
                || failure instanceof Unauthorized
                || failure instanceof Forbidden;
    }

    private Set<Long> with(long tag) {
        if (tags.contains(tag)) {
            return tags;
        }
        Set<Long> more = new HashSet<>(tags);
        more.add(tag);
        return Set.copyOf(more);
    }
}
