package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns whatever went wrong into a {@link MeshException}; the only place that may look at a raw {@link ReplyException}.
 */
public final class MeshFailures {

    private static final Pattern LEVEL = Pattern.compile("runLevel=([A-Z_]+)");

    private MeshFailures() {}

    /**
     * Says what a throwable means for a message to the address.
     *
     * <p>A failure of the family stays as it is. One that reached us flattened is made again from its code and text. Of
     * the bus's own failures, "no handlers" means a stale route, never that nothing is there; "time-out" means that the
     * outcome is unknown. Everything else is a fault of the handler's code.
     */
    public static MeshException classify(Throwable thrown, MeshAddress address, String node) {
        Throwable cause = unwrap(thrown);
        if (cause instanceof MeshException failure) {
            return failure;
        }
        if (cause instanceof ReplyException reply) {
            return ofReply(reply, address, node);
        }
        if (cause instanceof ConnectException) {
            return Unavailable.notSent(address, node, "no connection: " + cause.getMessage());
        }
        return HandlerFailed.of(address, "unknown", FailureDetail.about(address).on(node), cause);
    }

    private static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static MeshException ofReply(ReplyException reply, MeshAddress address, String node) {
        String text = String.valueOf(reply.getMessage());
        if (reply.failureType() == ReplyFailure.NO_HANDLERS) {
            return Unavailable.notSent(address, node, "stale route: " + text);
        }
        if (reply.failureType() == ReplyFailure.TIMEOUT) {
            return new DeadlineExceeded(
                    "Hub " + address + " did not answer in time (" + text + "); the outcome is unknown",
                    FailureDetail.about(address).on(node),
                    DeadlineExceeded.Owner.UNKNOWN,
                    null);
        }
        if (reply.failureType() == ReplyFailure.ERROR) {
            return Rejected.message(address, text);
        }
        return ofCode(reply.failureCode(), text, address, node);
    }

    /**
     * Makes a failure again from what a peer without our codecs sees of it.
     *
     * @param code the wire code; one that is not ours makes a {@link HandlerFailed}
     */
    public static MeshException ofCode(int code, String text, MeshAddress address, String node) {
        FailureDetail detail = FailureDetail.about(address).on(node).of(null, levelIn(text));
        return switch (code) {
            case NotFound.CODE -> new NotFound(text, detail);
            case NotHandled.CODE -> new NotHandled(text, detail, "", java.util.List.of());
            case ShuttingDown.CODE -> new ShuttingDown(text, detail);
            case ShuttingDown.CODE_ENTERED -> new ShuttingDown(text, detail.enter());
            case Unavailable.CODE -> new Unavailable(text, detail, false);
            case Unavailable.CODE_SENT -> new Unavailable(text, detail, true);
            case DeadlineExceeded.CODE -> new DeadlineExceeded(text, detail, DeadlineExceeded.Owner.UNKNOWN, null);
            case QueryProviderStalled.CODE ->
                new QueryProviderStalled(text, detail, java.util.List.of(), java.time.Duration.ZERO);
            case Overloaded.CODE -> new Overloaded(text, detail);
            case Overloaded.CODE_ENTERED -> new Overloaded(text, detail.enter());
            case StartFailed.CODE -> new StartFailed(text, detail, "unknown", text);
            case HandlerFailed.CODE -> new HandlerFailed(text, detail.enter(), "unknown", text);
            case Rejected.CODE -> new Rejected(text, detail, -1);
            case Unauthorized.CODE -> new Unauthorized(text, detail);
            case Forbidden.CODE -> new Forbidden(text, detail);
            case Conflict.CODE -> new Conflict(text, detail, 0);
            case RoutingLoop.CODE -> new RoutingLoop(text, detail);
            default ->
                new HandlerFailed(
                        "Handler at " + address + " failed with code " + code + ": " + text,
                        detail.enter(),
                        "code " + code,
                        text);
        };
    }

    private static @org.jspecify.annotations.Nullable RunLevel levelIn(String text) {
        Matcher matcher = LEVEL.matcher(text);
        if (!matcher.find()) {
            return null;
        }
        for (RunLevel level : RunLevel.values()) {
            if (level.name().equals(matcher.group(1))) {
                return level;
            }
        }
        return null;
    }
}
