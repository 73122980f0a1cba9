package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A3: of the lives of one address each later one has a higher number, wherever it goes on. */
@Timeout(180)
class IdsRiseAcrossNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final MeshExtension mesh =
            MeshExtension.cluster(2).hub("orders", Orders::new).build();

    private Orders.Pieces ask(MeshAddress address) {
        return await(mesh.mesh(1).request(address, new Orders.Add(), Orders.Pieces.class));
    }

    private static <T> T await(Future<T> future) {
        return Patience.value(future, PATIENCE);
    }

    @Test
    void idsOnlyRiseAndConsecutiveTagsDifferOverRecyclesAndAMove() {
        List<MeshAddress> addresses = new ArrayList<>();
        for (int i = 0; addresses.size() < 5; i++) {
            MeshAddress address = MeshAddress.of("orders/moved/" + i);
            if (ask(address).node().equals("node-2")) {
                addresses.add(address);
            }
        }
        Map<MeshAddress, List<Orders.Pieces>> lives = new HashMap<>();
        recycled(addresses, lives);
        await(mesh.node(2).stop(PATIENCE));
        recycled(addresses, lives);

        lives.forEach((address, met) -> {
            assertThat(met).extracting(Orders.Pieces::node).containsSubsequence("node-2", "node-1");
            List<ActivationId> ids = met.stream()
                    .map(life -> new ActivationId(life.activation()))
                    .toList();
            assertThat(ids).isSorted().doesNotHaveDuplicates();
            for (int i = 1; i < ids.size(); i++) {
                assertThat(ids.get(i).tag()).isNotEqualTo(ids.get(i - 1).tag());
            }
        });
    }

    private void recycled(List<MeshAddress> addresses, Map<MeshAddress, List<Orders.Pieces>> lives) {
        for (int i = 0; i < 4; i++) {
            for (MeshAddress address : addresses) {
                lives.computeIfAbsent(address, key -> new ArrayList<>()).add(ask(address));
                await(mesh.mesh(1).recycle(address));
            }
        }
    }
}
