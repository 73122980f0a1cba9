package io.meshhub.hub;

import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.spi.Delivery;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What an activation tells callers that get no reply. */
final class Verdicts {

    private Verdicts() {}

    static String handlerOf(String type) {
        return "Handler of '" + type + "'";
    }

    /**
     * What a caller is told when the handler failed. A failure of the family passes, so that a hub can answer with one;
     * but what was said about another address, or would be tried again by itself, is marked as come out of an entered
     * handler: it is no verdict about this address, and work may have been done. Only the dedicated error of a hub that
     * cannot host any more becomes a refusal; any other one is a bug in the handler.
     */
    static MeshException ofHandler(Activation activation, String type, Throwable thrown) {
        if (HubDisposing.isCauseOf(thrown)) {
            return activation.refusal().asEntered();
        }
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof MeshException failure) {
            boolean ownVerdict = failure.isVerdictAbout(activation.address())
                    && failure.remedy() != Remedy.RIDE_OUT
                    && failure.remedy() != Remedy.RETRY_LATER;
            return ownVerdict ? failure : failure.asEntered();
        }
        return HandlerFailed.of(activation.address(), type, detail(activation), cause);
    }

    /** What a caller is told whose time ends while the message waits. */
    static DeadlineExceeded deadline(Activation activation, Delivery delivery) {
        return deadline(activation, delivery, delivery.envelope().type());
    }

    /** What a caller is told whose time is over; called on any thread. */
    static DeadlineExceeded deadline(Activation activation, @Nullable Delivery delivery, String type) {
        Mailbox mailbox = activation.mailbox();
        Start start = activation.starting();
        InProgress oldest = mailbox == null ? null : mailbox.oldest();
        int depth = mailbox != null ? mailbox.depth() : start == null ? 0 : start.waiting();
        long now = activation.clock().nanoTime();
        Duration age = oldest == null ? null : Duration.ofNanos(Math.max(0, now - oldest.since()));
        StringBuilder text = new StringBuilder("Hub ").append(activation.address());
        text.append(" did not answer a message of type '").append(type).append('\'');
        String correlation = delivery == null ? null : delivery.envelope().correlationId();
        if (correlation != null) {
            text.append(" (correlation id ").append(correlation).append(')');
        }
        text.append(" in time: runLevel=").append(activation.level());
        text.append(", ").append(ActivationTag.render(activation.activation()));
        text.append(", mailbox=").append(depth);
        if (oldest != null && age != null) {
            text.append(", message in progress '").append(oldest.type()).append("' for ");
            text.append(age.toMillis()).append(" ms");
        } else if (start != null) {
            text.append(", waiting for ").append(start.describe()).append(" for ");
            text.append(start.age().toMillis()).append(" ms");
        }
        text.append(", node=").append(activation.node()).append("; the outcome is unknown");
        return new DeadlineExceeded(
                text.toString(),
                detail(activation),
                new DeadlineExceeded.Owner(depth, oldest == null ? null : oldest.type(), age),
                null);
    }

    static FailureDetail detail(Activation activation) {
        return FailureDetail.about(activation.address())
                .of(activation.activation(), activation.level())
                .on(activation.node());
    }
}
