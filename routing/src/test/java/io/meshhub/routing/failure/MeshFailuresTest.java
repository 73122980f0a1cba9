package io.meshhub.routing.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a throwable means for a message, also where it reached us without our codecs. */
class MeshFailuresTest {

    private static final MeshAddress ADDRESS = FailureSamples.ADDRESS;
    private static final String NODE = "node-a";

    /** R8, and the promise that `NotFound` is knowledge. */
    @Test
    void noHandlersMeansAStaleRouteAndNeverNotFound() {
        MeshException failure = classify(new ReplyException(ReplyFailure.NO_HANDLERS, -1, "No handlers for x"));

        assertThat(failure).isInstanceOf(Unavailable.class);
        assertThat(failure.remedy()).isEqualTo(Remedy.RIDE_OUT);
        assertThat(failure).hasMessageContaining("stale route").hasMessageContaining("No handlers for x");
        assertAboutUs(failure);
    }

    /** Also where the code of the raw failure looks like one of ours. */
    @Test
    void noHandlersIsNotReadByItsCode() {
        assertThat(classify(new ReplyException(ReplyFailure.NO_HANDLERS, NotFound.CODE, "x")))
                .isInstanceOf(Unavailable.class);
    }

    @Test
    void theBusesTimeoutMeansThatTheOutcomeIsUnknown() {
        MeshException failure = classify(new ReplyException(ReplyFailure.TIMEOUT, -1, "Timed out after 5 ms"));

        assertThat(failure).isInstanceOf(DeadlineExceeded.class);
        assertThat(failure.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
        assertThat(failure).hasMessageContaining("Timed out after 5 ms").hasMessageContaining("outcome is unknown");
        assertAboutUs(failure);
    }

    @Test
    void theBusesOwnErrorIsARejectedMessage() {
        MeshException failure = classify(new ReplyException(ReplyFailure.ERROR, -1, "No codec"));

        assertThat(failure).isInstanceOf(Rejected.class).hasMessageContaining("No codec");
        assertThat(failure.address()).contains("orders/42");
    }

    static Stream<MeshException> all() {
        return FailureSamples.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFlattenedFailureIsMadeAgainFromCodeAndText(MeshException original) {
        MeshException failure = classify(
                new ReplyException(ReplyFailure.RECIPIENT_FAILURE, original.failureCode(), original.getMessage()));

        assertThat(failure.getClass()).isEqualTo(original.getClass());
        assertThat(failure.failureCode()).isEqualTo(original.failureCode());
        assertThat(failure.getMessage()).isEqualTo(original.getMessage());
        assertThat(failure.remedy()).isEqualTo(original.remedy());
        assertAboutUs(failure);
    }

    /** R20. */
    @Test
    void levelAndTagOfAFlattenedRefusalAreReadFromItsText() {
        ActivationId activation = ActivationId.of(7, 9);
        ShuttingDown refusal = ShuttingDown.refusal(ADDRESS, activation, RunLevel.DEAD, "b");
        MeshException failure = classify(
                new ReplyException(ReplyFailure.RECIPIENT_FAILURE, refusal.failureCode(), refusal.getMessage()));

        assertThat(failure.runLevel()).contains(RunLevel.DEAD);
        assertThat(ActivationTag.matches(
                        ActivationTag.parse(failure.getMessage()).orElseThrow(), activation))
                .isTrue();
        assertThat(classify(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 5030, "runLevel=MOLTEN"))
                        .runLevel())
                .isEmpty();
    }

    @Test
    void aFlattenedFailureOfAHandlerCameOutOfAnEnteredHandler() {
        MeshException ours = classify(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, HandlerFailed.CODE, "boom"));
        MeshException foreign = classify(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 42, "boom"));

        assertThat(ours.entered()).isTrue();
        assertThat(foreign).isInstanceOf(HandlerFailed.class);
        assertThat(foreign.entered()).isTrue();
        assertThat(foreign).hasMessage("Handler at orders/42 failed with code 42: boom");
        assertThat(((HandlerFailed) foreign).causeType()).isEqualTo("code 42");
    }

    @Test
    void aFailureOfTheFamilyStaysAsItIsAlsoInsideOfWrappers() {
        MeshException failure = NotFound.noNode(MeshAddress.of("other"), "b");

        assertThat(classify(failure)).isSameAs(failure);
        assertThat(classify(new CompletionException(failure))).isSameAs(failure);
        assertThat(classify(new ExecutionException(new CompletionException(failure))))
                .isSameAs(failure);
    }

    @Test
    void withoutAConnectionNothingWasExecuted() {
        for (Throwable thrown : new Throwable[] {
            new ConnectException("Connection refused"),
            new CompletionException(new ConnectException("Connection refused"))
        }) {
            MeshException failure = classify(thrown);

            assertThat(failure).isInstanceOf(Unavailable.class).hasMessageContaining("Connection refused");
            assertThat(failure.remedy()).isEqualTo(Remedy.RIDE_OUT);
            assertAboutUs(failure);
        }
    }

    @Test
    void everythingElseIsAFaultOfTheHandlersCode() {
        MeshException failure = classify(new CompletionException(new IOException("disk")));

        assertThat(failure).isInstanceOf(HandlerFailed.class);
        assertThat(((HandlerFailed) failure).causeType()).isEqualTo("java.io.IOException");
        assertThat(((HandlerFailed) failure).causeMessage()).isEqualTo("disk");
        assertThat(failure.entered()).isTrue();
        assertAboutUs(failure);
        assertThat(classify(new CompletionException("alone", null))).isInstanceOf(HandlerFailed.class);
        assertThat(classify(new NullPointerException())).isInstanceOf(HandlerFailed.class);
    }

    private static void assertAboutUs(MeshException failure) {
        assertThat(failure.address()).contains("orders/42");
        assertThat(failure.node()).contains(NODE);
    }

    private static MeshException classify(Throwable thrown) {
        return MeshFailures.classify(thrown, ADDRESS, NODE);
    }
}
