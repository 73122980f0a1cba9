package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** A call to a node that had no good answer: the node's problem document, or one of our own of the same form. */
final class CallFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient JsonObject problem;
    private final int exitCode;
    private final transient Optional<Duration> retryAfter;
    private final boolean answered;

    private CallFailure(JsonObject problem, int exitCode, Optional<Duration> retryAfter, boolean answered) {
        super(sentence(problem), null, false, false);
        this.problem = problem;
        this.exitCode = exitCode;
        this.retryAfter = retryAfter;
        this.answered = answered;
    }

    private static String sentence(JsonObject problem) {
        String detail = problem.getString("detail", "");
        return detail.isEmpty() ? problem.getString("title", "the node refused") : detail;
    }

    /** The node answered with a problem. */
    static CallFailure answered(int status, JsonObject problem, Optional<Duration> retryAfter) {
        return new CallFailure(problem, ExitCodes.ofStatus(status), retryAfter, true);
    }

    /** No node could be reached: nothing was executed. */
    static CallFailure unreachable(String detail) {
        JsonObject problem = new JsonObject()
                .put("title", "Unreachable")
                .put("status", 503)
                .put("detail", detail)
                .put("kind", "Unreachable")
                .put("remedy", "RIDE_OUT");
        return new CallFailure(problem, ExitCodes.UNAVAILABLE, Optional.empty(), false);
    }

    /** The connection ended, or time ran out, before an answer: the outcome is unknown. */
    static CallFailure unanswered(String detail, int exitCode) {
        JsonObject problem = new JsonObject()
                .put("title", "No answer")
                .put("status", 504)
                .put("detail", detail)
                .put("kind", "Unanswered")
                .put("remedy", "RETRY_IF_IDEMPOTENT");
        return new CallFailure(problem, exitCode, Optional.empty(), false);
    }

    /** The answer is not what the interface promises. */
    static CallFailure unreadable(String detail) {
        JsonObject problem = new JsonObject()
                .put("title", "Unreadable answer")
                .put("status", 502)
                .put("detail", detail)
                .put("kind", "Unreadable")
                .put("remedy", "REPORT");
        return new CallFailure(problem, ExitCodes.FAILED, Optional.empty(), true);
    }

    /** Somebody ended what was under way; no call failed. */
    static CallFailure ended(String detail) {
        JsonObject problem = new JsonObject()
                .put("title", "Cancelled")
                .put("status", 499)
                .put("detail", detail)
                .put("kind", "Cancelled")
                .put("remedy", "STOP");
        return new CallFailure(problem, ExitCodes.FAILED, Optional.empty(), true);
    }

    JsonObject problem() {
        return problem;
    }

    int exitCode() {
        return exitCode;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Whether a node answered at all. */
    boolean wasAnswered() {
        return answered;
    }

    String remedy() {
        return problem.getString("remedy", "");
    }

    @Override
    public String getMessage() {
        return sentence(problem);
    }
}
