package io.meshhub.hub.access.policy;

import static io.meshhub.hub.access.Permission.READ;
import static io.meshhub.hub.access.policy.ModelBuilder.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.routing.MeshAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of decisions, and for how long. */
class DecisionsTest {

    private static final MeshAddress WHERE = MeshAddress.of("acme/x");
    private static final Granted YES = new Granted("because");

    private final Decisions decisions = new Decisions();

    @Test
    void oneHoldsWhileAllStandsThatItWasMadeFrom() {
        Standing control = new Standing();
        Standing partition = new Standing();
        decisions.keep(ANN, READ, WHERE, YES, List.of(control, partition));

        assertThat(decisions.known(ANN, READ, WHERE)).isEqualTo(YES);
        partition.end();
        assertThat(decisions.known(ANN, READ, WHERE)).isNull();
    }

    @Test
    void whatIsUndeterminedIsNeverKept() {
        decisions.keep(ANN, READ, WHERE, new Undetermined(List.of("p"), "it stalled"), List.of());

        assertThat(decisions.known(ANN, READ, WHERE)).isNull();
    }

    @Test
    void theCacheIsBoundedAndKeepsWhatIsAskedFor() {
        TwoGenerations<Integer, String> cache = new TwoGenerations<>(10);
        for (int i = 0; i < 1_000; i++) {
            cache.put(i, "v" + i);
            assertThat(cache.size()).isLessThanOrEqualTo(20);
            assertThat(cache.get(0)).isEqualTo("v0");
        }
        assertThat(cache.get(1)).isNull();
        assertThat(cache.get(999)).isEqualTo("v999");
    }
}
