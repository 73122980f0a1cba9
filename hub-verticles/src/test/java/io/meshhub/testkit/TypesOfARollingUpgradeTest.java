package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** R15: a type that only some nodes of a role know, as in a rolling upgrade, is unavailable on the others and never not found. */
@Timeout(120)
class TypesOfARollingUpgradeTest {

    private static final int ADDRESSES = 64;

    private final AtomicInteger nodes = new AtomicInteger();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.cluster(2)
            .hub("orders", Orders::new)
            .configure(builder -> {
                // The second node is one of the next version.
                if (nodes.incrementAndGet() == 2) {
                    builder.hub("returns", Orders::new);
                }
            })
            .build();

    private Future<MeshReply> ask(int from, String address) {
        return mesh.mesh(from)
                .call(MeshAddress.of(address), new Orders.Add(), MeshOptions.DEFAULT.withRideOut(false))
                .answer();
    }

    @Test
    void typeThatOnlySomeNodesKnowIsNeverNotFound() {
        Set<String> seen = new HashSet<>();
        for (int from = 1; from <= 2; from++) {
            for (int i = 0; i < ADDRESSES; i++) {
                seen.add(outcome(ask(from, "returns/" + i)));
            }
        }

        assertThat(seen).containsExactlyInAnyOrder("answered by node-2", "unavailable on node-1");
    }

    @Test
    void typeThatNobodyKnowsIsNotSaidToBeMissingWhileNodesDiffer() {
        for (int i = 0; i < ADDRESSES; i++) {
            assertThat(outcome(ask(1, "unknown/" + i))).startsWith("unavailable on ");
        }
    }

    private static String outcome(Future<MeshReply> answer) {
        Patience.end(answer, Duration.ofSeconds(30));
        if (answer.succeeded()) {
            return "answered by " + answer.result().node();
        }
        assertThat(answer.cause())
                .isInstanceOfSatisfying(
                        Unavailable.class, refusal -> assertThat(refusal.sent()).isFalse());
        return "unavailable on " + ((Unavailable) answer.cause()).node().orElseThrow();
    }
}
