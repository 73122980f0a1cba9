package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a message that had no reply: what happened, to whom, and what the caller should do.
 *
 * <p>The {@link #failureCode()} is an HTTP status times 10 plus a digit, so that a failure which reaches a peer without
 * our codecs is still exact. Instances are immutable and carry no stack trace: they are answers, not accidents.
 */
public abstract sealed class MeshException extends ReplyException
        permits NotFound,
                NotHandled,
                ShuttingDown,
                Unavailable,
                DeadlineExceeded,
                QueryProviderStalled,
                Overloaded,
                StartFailed,
                HandlerFailed,
                Rejected,
                Unauthorized,
                Forbidden,
                Conflict,
                RoutingLoop {

    private final FailureDetail detail;

    MeshException(ReplyFailure type, int code, String message, FailureDetail detail) {
        super(type, code, message);
        this.detail = detail;
    }

    MeshException(int code, String message, FailureDetail detail) {
        this(ReplyFailure.RECIPIENT_FAILURE, code, message, detail);
    }

    /** What this kind of failure asks for when no handler was entered. */
    abstract Remedy ownRemedy();

    /** The same failure with another detail; the class and what is special to it stay. */
    public abstract MeshException withDetail(FailureDetail newDetail);

    /**
     * What the caller should do. Once a handler was entered nothing is ridden out or tried later by itself, since the
     * handler may have done work.
     */
    public final Remedy remedy() {
        Remedy own = ownRemedy();
        boolean again = own == Remedy.RIDE_OUT || own == Remedy.RETRY_LATER;
        return detail.entered() && again ? Remedy.RETRY_IF_IDEMPOTENT : own;
    }

    /** All that is known, whatever the kind. */
    public final FailureDetail detail() {
        return detail;
    }

    /** The address that the failure is about; it need not be the one that was asked. */
    public final Optional<String> address() {
        return Optional.ofNullable(detail.address());
    }

    /** The activation that failed or refused. */
    public final Optional<ActivationId> activation() {
        return Optional.ofNullable(detail.activation());
    }

    /** The level of that activation when it did. */
    public final Optional<RunLevel> runLevel() {
        return Optional.ofNullable(detail.runLevel());
    }

    /** The name of the node that said so. */
    public final Optional<String> node() {
        return Optional.ofNullable(detail.node());
    }

    /** How often the message was tried, as observed; 0 when not counted. */
    public final int attempts() {
        return detail.attempts();
    }

    /** The time that the attempts took, as observed. */
    public final Optional<Duration> elapsed() {
        return Optional.ofNullable(detail.elapsed());
    }

    /** When asking again makes sense. */
    public final Optional<Duration> retryAfter() {
        return Optional.ofNullable(detail.retryAfter());
    }

    /** Whether a handler had been entered, so that work may have been done. */
    public final boolean entered() {
        return detail.entered();
    }

    /** The HTTP status of this failure. */
    public final int httpStatus() {
        return failureCode() / 10;
    }

    /** The name of this kind of failure, such as {@code NotFound}. */
    public final String kind() {
        return getClass().getSimpleName();
    }

    /**
     * Whether this failure says something about the given address itself, and not about another one that its handler
     * asked: only then may a watcher of the address act on it.
     */
    public final boolean isVerdictAbout(MeshAddress asked) {
        return !detail.entered() && asked.toString().equals(detail.address());
    }

    /** The same failure, after so many attempts in so much time. */
    public final MeshException withAttempts(int attempts, Duration elapsed) {
        return withDetail(detail.after(attempts, elapsed));
    }

    /**
     * The same failure as it leaves an entered handler. A wire code that says "not executed" changes with it.
     */
    public final MeshException asEntered() {
        return detail.entered() ? this : withDetail(detail.enter());
    }

    /** A full sentence for people; never null, other than the type of the overridden method says. */
    @Override
    public final String getMessage() {
        @Nullable String message = super.getMessage();
        return message == null ? kind() : message;
    }

    @Override
    public final String toString() {
        return kind() + " (" + failureCode() + "): " + getMessage();
    }
}
