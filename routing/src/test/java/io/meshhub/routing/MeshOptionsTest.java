package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How one message is sent: each `with` makes another set of options that differs in one thing. */
class MeshOptionsTest {

    private static final MeshAddress FROM = MeshAddress.of("orders/7");

    @Test
    void byDefaultAMessageIsRiddenOutAndNotIdempotentAndNamesNothing() {
        assertThat(values(MeshOptions.DEFAULT)).containsExactly("-", "true", "false", "-", "-", "-", "-");
    }

    @Test
    void eachWithChangesOneThingAndLeavesTheRestAndTheOriginalAlone() {
        MeshOptions full = MeshOptions.DEFAULT
                .withDeadline(Duration.ofSeconds(2))
                .withRideOut(false)
                .withIdempotent(true)
                .withType("greet")
                .withFrom(FROM)
                .withPrincipal("ann")
                .withCorrelationId("c-1");
        assertThat(values(full)).containsExactly("PT2S", "false", "true", "greet", "orders/7", "ann", "c-1");

        List<UnaryOperator<MeshOptions>> changes = List.of(
                o -> o.withDeadline(Duration.ofSeconds(3)),
                o -> o.withRideOut(true),
                o -> o.withIdempotent(false),
                o -> o.withType("other"),
                o -> o.withFrom(null),
                o -> o.withPrincipal(null),
                o -> o.withCorrelationId(null));
        for (int i = 0; i < changes.size(); i++) {
            List<String> changed = values(changes.get(i).apply(full));
            for (int j = 0; j < changed.size(); j++) {
                assertThat(changed.get(j).equals(values(full).get(j)))
                        .as("change %s, value %s", i, j)
                        .isEqualTo(i != j);
            }
        }
        assertThat(values(MeshOptions.DEFAULT)).containsExactly("-", "true", "false", "-", "-", "-", "-");
    }

    @Test
    void aDeadlineThatIsNotPositiveIsRefused() {
        assertThatThrownBy(() -> MeshOptions.DEFAULT.withDeadline(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deadline = PT0S must be > 0");
        assertThatThrownBy(() -> MeshOptions.DEFAULT.withDeadline(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> values(MeshOptions options) {
        return List.of(
                options.deadline().map(Duration::toString).orElse("-"),
                Boolean.toString(options.rideOut()),
                Boolean.toString(options.idempotent()),
                options.type().orElse("-"),
                options.from().map(MeshAddress::toString).orElse("-"),
                options.principal().orElse("-"),
                options.correlationId().orElse("-"));
    }
}
