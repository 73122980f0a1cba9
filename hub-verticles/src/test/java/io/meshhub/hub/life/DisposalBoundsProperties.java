package io.meshhub.hub.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Bounds nest, however deep hubs host each other (promise 4, D8). */
class DisposalBoundsProperties {

    @Property
    void aHostedHubHasStrictlyLessThanItsHostHasLeft(
            @ForAll @LongRange(min = 2, max = 900_000) long watchdogMs,
            @ForAll @LongRange(min = 1, max = 900_000) long quiesceMs,
            @ForAll @IntRange(min = 1, max = 15) int depth) {
        long quiesce = Math.min(quiesceMs, watchdogMs - 1);
        DisposalBounds bounds = new DisposalBounds(Duration.ofMillis(quiesce), Duration.ofMillis(watchdogMs));
        for (int i = 0; i < depth; i++) {
            // The worst case: the host used up its time for quiescing and for its actions.
            Duration left = bounds.watchdog().minus(bounds.actions());
            DisposalBounds inner = bounds.within(left);
            // Below a microsecond there is nothing to share out.
            if (left.compareTo(Duration.ofNanos(1_000)) > 0) {
                assertThat(inner.watchdog()).isLessThan(left).isLessThan(bounds.watchdog());
            }
            assertThat(inner.quiesce()).isLessThanOrEqualTo(bounds.quiesce());
            assertThat(inner.actions()).isBetween(inner.quiesce(), inner.watchdog());
            bounds = inner;
        }
    }

    @Property
    void noTimeLeftStillMakesBounds(@ForAll @LongRange(min = -1_000, max = 1_000) long nanos) {
        DisposalBounds bounds = new DisposalBounds(Duration.ofSeconds(2), Duration.ofMillis(7500));
        DisposalBounds inner = bounds.within(Duration.ofNanos(nanos));
        assertThat(inner.quiesce()).isPositive();
        assertThat(inner.watchdog()).isGreaterThan(inner.quiesce()).isLessThan(bounds.watchdog());
    }
}
