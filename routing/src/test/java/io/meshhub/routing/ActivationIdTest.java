package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The id of an activation: two halves in one number whose order is the order of lives. */
class ActivationIdTest {

    @Property
    void bothHalvesComeBackAsTheyWereJoined(
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_EPOCH) long epoch,
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_COUNTER) long counter) {
        ActivationId id = ActivationId.of(epoch, counter);

        assertThat(id.epoch()).isEqualTo(epoch);
        assertThat(id.counter()).isEqualTo(counter);
        assertThat(new ActivationId(id.value())).isEqualTo(id);
    }

    @Property
    void idsAreOrderedByEpochAndThenByCounter(
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_EPOCH) long epoch,
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_COUNTER) long counter,
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_EPOCH) long otherEpoch,
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_COUNTER) long otherCounter) {
        int expected = epoch == otherEpoch ? Long.compare(counter, otherCounter) : Long.compare(epoch, otherEpoch);

        assertThat(Integer.signum(ActivationId.of(epoch, counter).compareTo(ActivationId.of(otherEpoch, otherCounter))))
                .isEqualTo(expected);
    }

    @Test
    void theFirstActivationOfAnEpochIsAboveTheLastOfTheOneBefore() {
        assertThat(ActivationId.of(8, 0)).isGreaterThan(ActivationId.of(7, ActivationId.MAX_COUNTER));
    }

    @Test
    void halvesOutOfTheirRangeAreRefusedWithValueAndBounds() {
        assertThatThrownBy(() -> ActivationId.of(-1, 0)).hasMessage("epoch = -1 must be between 0 and 2147483647");
        assertThatThrownBy(() -> ActivationId.of(1L << 31, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ActivationId.of(0, -1)).hasMessage("counter = -1 must be between 0 and 4294967295");
        assertThatThrownBy(() -> ActivationId.of(0, 1L << 32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ActivationId(-1)).hasMessage("value = -1 must be >= 0");
    }

    @Test
    void theHighestIdIsTheHighestPositiveNumber() {
        assertThat(ActivationId.of(ActivationId.MAX_EPOCH, ActivationId.MAX_COUNTER)
                        .value())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anIdReadsAsMarkerAndTag() {
        ActivationId id = ActivationId.of(1, 1);

        assertThat(id.tag()).isEqualTo("4D80FE65");
        assertThat(id).hasToString("activation #4D80FE65");
    }

    @Test
    void runLevelsRiseInTheirOrderAndOnlyTheFirstTwoAcceptMessages() {
        assertThat(RunLevel.values())
                .containsExactly(
                        RunLevel.STARTING,
                        RunLevel.STARTED,
                        RunLevel.QUIESCING,
                        RunLevel.DISPOSING_HOSTED_HUBS,
                        RunLevel.SHUT_DOWN,
                        RunLevel.DEAD);
        assertThat(RunLevel.values())
                .filteredOn(RunLevel::accepts)
                .containsExactly(RunLevel.STARTING, RunLevel.STARTED);
    }
}
