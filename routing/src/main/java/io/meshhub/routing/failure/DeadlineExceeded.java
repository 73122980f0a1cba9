package io.meshhub.routing.failure;

import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** No answer came in time; the outcome is unknown. Carries what is known of the owner. */
public final class DeadlineExceeded extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5040;

    /**
     * What the owner could say of itself.
     *
     * @param mailboxDepth messages that wait at the hub; -1 when not known
     * @param messageType the type of the message in progress
     * @param messageAge for how long that one has been in progress
     */
    public record Owner(
            int mailboxDepth,
            @Nullable String messageType,
            @Nullable Duration messageAge) {

        /** Nothing is known. */
        public static final Owner UNKNOWN = new Owner(-1, null, null);
    }

    private final Owner owner;
    private final @Nullable MeshException lastRefusal;

    /**
     * Says so, with what is known.
     *
     * @param owner what the owner could say of itself
     * @param lastRefusal the last refusal that was ridden out before the attempt that got no answer
     */
    public DeadlineExceeded(String message, FailureDetail detail, Owner owner, @Nullable MeshException lastRefusal) {
        super(ReplyFailure.TIMEOUT, CODE, message, detail);
        this.owner = owner;
        this.lastRefusal = lastRefusal;
    }

    /** What the owner could say of itself. */
    public Owner owner() {
        return owner;
    }

    /** The last refusal that was ridden out before the attempt that got no answer. */
    public Optional<MeshException> lastRefusal() {
        return Optional.ofNullable(lastRefusal);
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.RETRY_IF_IDEMPOTENT;
    }

    @Override
    public DeadlineExceeded withDetail(FailureDetail newDetail) {
        return new DeadlineExceeded(getMessage(), newDetail, owner, lastRefusal);
    }
}
