package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.sync.protocol.LatchCommand;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L4: what people are told of a stream that is given up. */
@Timeout(10)
class SyncStatesTest {

    @Test
    void l4TheWarningNamesTheOwnerTheActivationTheBoundAndTheObservedCount() {
        MeshAddress address = MeshAddress.of("orders/1");
        ActivationId refusing = ActivationId.of(4, 1);
        LatchCommand.GiveUp warning = new LatchCommand.GiveUp(
                address,
                Optional.of(refusing),
                Axis.TIME,
                16,
                17,
                ShuttingDown.refusal(address, refusing, RunLevel.DEAD, "b"));

        assertThat(SyncStates.givenUp(address, warning, "a"))
                .contains("Stream of orders/1 is given up")
                .contains(refusing.toString())
                .contains("bound=16 of TIME")
                .contains("observed=17")
                .contains("node=a")
                .contains("dormant until there is news");
    }
}
