package io.meshhub.routing.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** R20: whoever sees only a text reads the address from it, and level and tag where they are known. */
class FailureMessagesTest {

    private static final MeshAddress A = MeshAddress.of("orders/42");
    private static final ActivationId ID = ActivationId.of(7, 9);
    private static final FailureDetail KNOWN =
            FailureDetail.about(A).of(ID, RunLevel.STARTING).on("node-b");

    static Stream<MeshException> made() {
        IOException cause = new IOException("disk");
        return Stream.of(
                NotFound.noType(A, "node-b", 3),
                NotFound.noNode(A, "node-b"),
                NotHandled.at(A, ID, RunLevel.STARTED, "node-b", "greet", List.of("b", "a")),
                ShuttingDown.refusal(A, ID, RunLevel.DEAD, "node-b"),
                Unavailable.notSent(A, "node-b", "no lease"),
                Unavailable.sent(A, "node-b", "node was lost"),
                Overloaded.at(A, "node-b", "mailbox", 1024, Duration.ofMillis(250)),
                StartFailed.of(A, KNOWN, cause),
                HandlerFailed.of(A, "greet", KNOWN, cause),
                HandlerFailed.of(A, "greet", FailureDetail.about(A), cause),
                Rejected.message(A, "too large"),
                Rejected.address("orders/42", 6, "Address 'orders/42' has a fault"),
                Unauthorized.at(A, "node-b"),
                Forbidden.at(A, "write", "node-b"),
                Conflict.at(A, "node-b", 3, 4),
                RoutingLoop.after(A, 9, "node-b"));
    }

    @ParameterizedTest
    @MethodSource("made")
    void theTextHoldsTheAddressAndLevelAndTagWhereTheyAreKnown(MeshException failure) {
        String text = failure.getMessage();

        assertThat(text).contains("orders/42").doesNotContain("null");
        failure.runLevel().ifPresent(level -> assertThat(text).contains("runLevel=" + level));
        failure.activation().ifPresent(id -> {
            assertThat(ActivationTag.parse(text)).isPresent();
            assertThat(ActivationTag.matches(ActivationTag.parse(text).orElseThrow(), id))
                    .isTrue();
            assertThat(failure.node())
                    .hasValueSatisfying(node -> assertThat(text).contains("node=" + node));
        });
        assertThat(failure.address()).contains("orders/42");
    }

    @ParameterizedTest
    @MethodSource("made")
    void levelAndTagSurviveOnAPeerWithoutOurCodecs(MeshException failure) {
        MeshException flat = MeshFailures.ofCode(failure.failureCode(), failure.getMessage(), A, "node-a");

        assertThat(flat.runLevel()).isEqualTo(failure.runLevel());
        assertThat(ActivationTag.parse(flat.getMessage()).isPresent())
                .isEqualTo(failure.activation().isPresent());
    }

    @Test
    void aRefusalSaysWhatWhoWhereAndWhatFollows() {
        assertThat(ShuttingDown.refusal(A, ID, RunLevel.DEAD, "b"))
                .hasMessage("Hub orders/42 is shutting down (runLevel=DEAD, " + ActivationTag.render(ID)
                        + ", node=b); the address may reactivate");
    }

    @Test
    void numbersAndNamesThatMatterAreInTheText() {
        assertThat(Overloaded.at(A, "b", "mailbox", 1024, Duration.ofMillis(250)))
                .hasMessageContaining("mailbox=1024")
                .hasMessageContaining("retry in 250 ms")
                .satisfies(e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(250)));
        assertThat(NotHandled.at(A, ID, RunLevel.STARTED, "b", "greet", List.of("b", "a")))
                .hasMessageContaining("'greet'")
                .hasMessageContaining("[a, b]")
                .satisfies(e -> assertThat(e.allowed()).containsExactly("a", "b"));
        assertThat(Conflict.at(A, "b", 3, 4)).hasMessageContaining("version 4").hasMessageContaining("version 3");
        assertThat(Conflict.at(A, "b", 0, 4)).hasMessageContaining("expected not to exist");
        assertThat(Conflict.at(A, "b", 3, 0)).hasMessageContaining("does not exist");
        assertThat(RoutingLoop.after(A, 9, "b")).hasMessageContaining("9 times");
        assertThat(HandlerFailed.of(A, "greet", KNOWN, new IOException("disk")))
                .hasMessageContaining("'greet'")
                .hasMessageContaining("java.io.IOException: disk");
    }

    /** Q2: who, how long, and not the time-out. */
    @Test
    void aStallNamesWhoStalledAndWhereTheTimeWent() {
        Stall own = new Stall("inventory", Duration.ofMillis(40), Duration.ofMillis(14_960), 1);
        Stall pool = new Stall("store", Duration.ofSeconds(14), Duration.ofSeconds(1), 4);
        FailureDetail detail = FailureDetail.about(A).on("node-b");

        assertThat(QueryProviderStalled.of("path:orders", detail, List.of(own, pool), Duration.ofSeconds(15), 3))
                .hasMessage("Query 'path:orders' ended after 15.0 s: no first result of 'inventory' (0.0 s waiting for "
                        + "its pool, 15.0 s of its own), 'store' (14.0 s waiting for its pool, 1.0 s of its own, asked "
                        + "4 times); 1 of 3 answered. Mend the provider; do not raise the caller's time-out");
        assertThat(QueryProviderStalled.of("path:orders", detail, List.of(pool), Duration.ofSeconds(15), 3))
                .hasMessageEndingWith(
                        "2 of 3 answered. Mend the pool that they wait for; do not raise the caller's time-out");
        Stall unheard = new Stall("stock@b", Duration.ofSeconds(15), Duration.ZERO, 1, false);
        assertThat(QueryProviderStalled.of("path:orders", detail, List.of(unheard), Duration.ofSeconds(15), 3))
                .hasMessageEndingWith(
                        "no first result of 'stock@b' (nothing was heard of it); 2 of 3 answered. Mend the "
                                + "node of the provider, or the way to it; do not raise the caller's time-out");
        assertThat(QueryProviderStalled.of("path:orders", detail, List.of(unheard, pool), Duration.ofSeconds(15), 3))
                .hasMessageEndingWith("Mend the provider; do not raise the caller's time-out");
        assertThat(QueryProviderStalled.of("q", detail, Collections.nCopies(300, own), Duration.ofSeconds(1), 300)
                        .getMessage())
                .contains(" and 284 more")
                .hasSizeLessThan(2000);
    }
}
