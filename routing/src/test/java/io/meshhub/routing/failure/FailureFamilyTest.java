package io.meshhub.routing.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.eventbus.ReplyFailure;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of failures: each leaf has its wire code and its remedy, and both say truly what was not executed. */
class FailureFamilyTest {

    @Test
    void theSealedFamilyItsCodecsItsJsonAndTheSamplesNameTheSameLeaves() {
        List<Class<?>> permitted = List.of(MeshException.class.getPermittedSubclasses());

        assertThat(permitted).hasSize(14).allMatch(leaf -> Modifier.isFinal(leaf.getModifiers()));
        assertThat(FailureCodecs.leaves()).containsExactlyInAnyOrderElementsOf(narrowed(permitted));
        assertThat(FailureJson.kinds())
                .containsExactlyInAnyOrderElementsOf(
                        permitted.stream().map(Class::getSimpleName).toList());
        assertThat(FailureSamples.full())
                .extracting(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(narrowed(permitted));
    }

    private static <T> List<Class<? extends T>> narrowed(List<Class<?>> leaves) {
        @SuppressWarnings("unchecked") // every permitted subclass is one
        List<Class<? extends T>> narrowed = (List<Class<? extends T>>) (List<?>) leaves;
        return narrowed;
    }

    @ParameterizedTest
    @CsvSource({
        "NotFound, 4040, 404, STOP",
        "NotHandled, 4050, 405, STOP",
        "ShuttingDown, 5030, 503, RIDE_OUT",
        "Unavailable, 5032, 503, RIDE_OUT",
        "DeadlineExceeded, 5040, 504, RETRY_IF_IDEMPOTENT",
        "QueryProviderStalled, 5041, 504, REPORT",
        "Overloaded, 4290, 429, RETRY_LATER",
        "StartFailed, 5001, 500, REPORT",
        "HandlerFailed, 5000, 500, REPORT",
        "Rejected, 4000, 400, STOP",
        "Unauthorized, 4010, 401, STOP",
        "Forbidden, 4030, 403, STOP",
        "Conflict, 4090, 409, REPORT",
        "RoutingLoop, 5080, 508, REPORT"
    })
    void eachLeafHasTheWireCodeAndTheRemedyOfTheTable(String kind, int code, int status, Remedy remedy) {
        for (MeshException failure : List.of(sample(kind), bare(kind))) {
            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(failure.failureCode()).isEqualTo(code);
            assertThat(failure.httpStatus()).isEqualTo(status).isEqualTo(failure.failureCode() / 10);
            assertThat(failure.remedy()).isEqualTo(remedy);
            assertThat(failure).hasToString(kind + " (" + code + "): " + failure.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NotFound, 4040, STOP",
        "NotHandled, 4050, STOP",
        "ShuttingDown, 5031, RETRY_IF_IDEMPOTENT",
        "Unavailable, 5033, RETRY_IF_IDEMPOTENT",
        "DeadlineExceeded, 5040, RETRY_IF_IDEMPOTENT",
        "QueryProviderStalled, 5041, REPORT",
        "Overloaded, 4291, RETRY_IF_IDEMPOTENT",
        "StartFailed, 5001, REPORT",
        "HandlerFailed, 5000, REPORT",
        "Rejected, 4000, STOP",
        "Unauthorized, 4010, STOP",
        "Forbidden, 4030, STOP",
        "Conflict, 4090, REPORT",
        "RoutingLoop, 5080, REPORT"
    })
    void whatLeavesAnEnteredHandlerIsNeverRiddenOut(String kind, int code, Remedy remedy) {
        MeshException before = sample(kind);
        MeshException entered = before.asEntered();

        assertThat(entered.getClass()).isEqualTo(before.getClass());
        assertThat(entered.entered()).isTrue();
        assertThat(entered.failureCode()).isEqualTo(code);
        assertThat(entered.remedy()).isEqualTo(remedy);
        assertThat(entered.getMessage()).isEqualTo(before.getMessage());
        assertThat(entered.detail()).isEqualTo(before.detail().enter());
        assertThat(entered.asEntered()).isSameAs(entered);
        assertThat(before.entered()).isFalse();
    }

    @Test
    void whatMayHaveBeenExecutedIsNotRiddenOut() {
        Unavailable sent = Unavailable.sent(FailureSamples.ADDRESS, "b", "its node was lost");
        Unavailable notSent = Unavailable.notSent(FailureSamples.ADDRESS, "b", "shard is moving");

        assertThat(sent.failureCode()).isEqualTo(5033);
        assertThat(sent.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
        assertThat(sent.sent()).isTrue();
        assertThat(notSent.failureCode()).isEqualTo(5032);
        assertThat(notSent.remedy()).isEqualTo(Remedy.RIDE_OUT);
        assertThat(notSent.sent()).isFalse();
        assertThat(((Unavailable) notSent.asEntered()).sent()).isTrue();
    }

    static Stream<MeshException> all() {
        return FailureSamples.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void onlyAnExceededDeadlineIsATimeout(MeshException failure) {
        assertThat(failure.failureType())
                .isEqualTo(failure instanceof DeadlineExceeded ? ReplyFailure.TIMEOUT : ReplyFailure.RECIPIENT_FAILURE);
    }

    @ParameterizedTest
    @MethodSource("all")
    void attemptsAreAddedWithoutChangingWhatTheFailureIs(MeshException failure) {
        MeshException counted = failure.withAttempts(5, Duration.ofSeconds(2));

        assertThat(counted.attempts()).isEqualTo(5);
        assertThat(counted.elapsed()).contains(Duration.ofSeconds(2));
        assertThat(FailureSamples.parts(counted.withDetail(failure.detail()))).isEqualTo(FailureSamples.parts(failure));
        assertThat(counted.failureCode()).isEqualTo(failure.failureCode());
    }

    @ParameterizedTest
    @MethodSource("all")
    void failuresAreAnswersAndCarryNoStackTrace(MeshException failure) {
        assertThat(failure.getStackTrace()).isEmpty();
    }

    @Test
    void aFailureIsAVerdictOnlyAboutTheAddressThatItNames() {
        MeshAddress asked = MeshAddress.of("a/b");
        NotFound here = NotFound.noNode(asked, "n");

        assertThat(here.isVerdictAbout(asked)).isTrue();
        assertThat(here.isVerdictAbout(MeshAddress.of("a"))).isFalse();
        assertThat(NotFound.noNode(MeshAddress.of("c/d"), "n").isVerdictAbout(asked))
                .isFalse();
        assertThat(new NotFound("m", FailureDetail.NONE).isVerdictAbout(asked)).isFalse();
        assertThat(here.asEntered().isVerdictAbout(asked)).isFalse();
    }

    @Test
    void whatIsKnownIsReadFromTheFailureItself() {
        MeshException full = sample("ShuttingDown");
        MeshException bare = bare("ShuttingDown");

        assertThat(full.address()).contains("orders/42");
        assertThat(full.activation()).contains(FailureSamples.ACTIVATION);
        assertThat(full.runLevel()).contains(FailureSamples.FULL.runLevel());
        assertThat(full.node()).contains("node-b");
        assertThat(full.attempts()).isEqualTo(17);
        assertThat(full.elapsed()).contains(Duration.ofMillis(8_500));
        assertThat(full.retryAfter()).contains(Duration.ofMillis(250));
        assertThat(List.of(bare.address(), bare.activation(), bare.runLevel(), bare.node()))
                .allSatisfy(unknown -> assertThat(unknown).isEmpty());
        assertThat(bare.elapsed()).isEmpty();
        assertThat(bare.retryAfter()).isEmpty();
    }

    private static MeshException sample(String kind) {
        return of(FailureSamples.full(), kind);
    }

    private static MeshException bare(String kind) {
        return of(FailureSamples.bare(), kind);
    }

    private static MeshException of(List<MeshException> samples, String kind) {
        return samples.stream()
                .filter(failure -> failure.getClass().getSimpleName().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
