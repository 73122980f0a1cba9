package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a failure, whatever its kind: whom it concerns, where, after how many attempts.
 *
 * @param address the address that the failure is about, as text since a malformed one can be meant
 * @param activation the activation that failed or refused
 * @param runLevel its level at that moment
 * @param node the name of the node that said so
 * @param attempts how often the message was tried, as observed; 0 when not counted
 * @param elapsed the time from the first attempt to the last answer, as observed
 * @param retryAfter when asking again makes sense
 * @param entered whether a handler had been entered, so that work may have been done
 */
public record FailureDetail(
        @Nullable String address,
        @Nullable ActivationId activation,
        @Nullable RunLevel runLevel,
        @Nullable String node,
        int attempts,
        @Nullable Duration elapsed,
        @Nullable Duration retryAfter,
        boolean entered) {

    /** Nothing is known. */
    public static final FailureDetail NONE = new FailureDetail(null, null, null, null, 0, null, null, false);

    public FailureDetail {
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts = " + attempts + " must be >= 0");
        }
    }

    /** Only the address is known. */
    public static FailureDetail about(MeshAddress address) {
        return about(address.toString());
    }

    /** Only the address is known, which may be malformed. */
    public static FailureDetail about(String address) {
        return new FailureDetail(address, null, null, null, 0, null, null, false);
    }

    /** The same, said by this node. */
    public FailureDetail on(@Nullable String newNode) {
        return new FailureDetail(address, activation, runLevel, newNode, attempts, elapsed, retryAfter, entered);
    }

    /** The same, of this activation at this level. */
    public FailureDetail of(@Nullable ActivationId newActivation, @Nullable RunLevel newLevel) {
        return new FailureDetail(address, newActivation, newLevel, node, attempts, elapsed, retryAfter, entered);
    }

    /** The same, after so many attempts in so much time. */
    public FailureDetail after(int newAttempts, @Nullable Duration newElapsed) {
        return new FailureDetail(address, activation, runLevel, node, newAttempts, newElapsed, retryAfter, entered);
    }

    /** The same, with a hint when to ask again. */
    public FailureDetail retryAfter(@Nullable Duration newRetryAfter) {
        return new FailureDetail(address, activation, runLevel, node, attempts, elapsed, newRetryAfter, entered);
    }

    /** Level, tag and node for people, as far as they are known: with a blank before and in brackets, or nothing. */
    String inBrackets() {
        StringJoiner known = new StringJoiner(", ", " (", ")").setEmptyValue("");
        if (runLevel != null) {
            known.add("runLevel=" + runLevel);
        }
        if (activation != null) {
            known.add(ActivationTag.render(activation));
        }
        if (node != null) {
            known.add("node=" + node);
        }
        return known.toString();
    }

    /** The same, with a handler entered. */
    public FailureDetail enter() {
        return new FailureDetail(address, activation, runLevel, node, attempts, elapsed, retryAfter, true);
    }
}
