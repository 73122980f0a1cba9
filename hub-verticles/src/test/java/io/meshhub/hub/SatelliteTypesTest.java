package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A type of a satellite is that of each partition's, whatever type the rest of the partition has. */
@Timeout(30)
class SatelliteTypesTest {

    private final HubTypes types = new HubTypes()
            .register("", SatelliteTypesTest::hub)
            .register("orders", SatelliteTypesTest::hub)
            .register("own/_Activity", SatelliteTypesTest::hub)
            .register("*/_Activity", SatelliteTypesTest::hub);

    private static TestHub hub() {
        return new TestHub((hub, setup) -> {});
    }

    private String prefix(String address) {
        return types.find(MeshAddress.of(address)).orElseThrow().prefix();
    }

    @Test
    void theSatelliteOfEveryPartitionHasItsType() {
        assertThat(prefix("acme/_Activity")).isEqualTo("*/_Activity");
        assertThat(prefix("acme/_Activity/a")).isEqualTo("*/_Activity");
        assertThat(prefix("orders/_Activity/a/b")).isEqualTo("*/_Activity");
        assertThat(prefix("own/_Activity/a")).isEqualTo("own/_Activity");
    }

    @Test
    void nothingElseHasIt() {
        assertThat(prefix("acme")).isEmpty();
        assertThat(prefix("acme/_Activities/a")).isEmpty();
        assertThat(prefix("acme/b/_Activity/a")).isEmpty();
        assertThat(prefix("_Activity/a")).isEmpty();
        assertThat(prefix("orders/_Other/a")).isEqualTo("orders");
    }

    @Test
    void aStarIsNoOtherPrefix() {
        assertThatThrownBy(() -> types.register("*/orders", SatelliteTypesTest::hub))
                .isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> types.register("*/_A/", SatelliteTypesTest::hub))
                .isInstanceOf(Rejected.class);
    }
}
