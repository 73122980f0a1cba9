package io.meshhub.hub.admin;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.access.AccessControl;
import io.meshhub.hub.access.RoleDecider;
import io.meshhub.hub.access.Tokens;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M2, M10 on two nodes: name and roles go along, and it is the owner's gate that decides. */
@Timeout(120)
class PrincipalsTravelBetweenNodesTest {

    @RegisterExtension
    static final MeshExtension MESH = MeshExtension.cluster(2)
            .options(HubOptions.ofDefaults().withPrincipalRequired(true))
            .hub("echo", Echo::new)
            .configure(node -> node.gates((vertx, pacer) -> new AccessControl.Parts(
                            "a",
                            Tokens.NONE,
                            Optional.empty(),
                            new RoleDecider(),
                            BudgetLadder.ofDefaults().permission(),
                            MeshMetrics.NONE)
                    .open(vertx, pacer)))
            .build();

    private static final class Echo extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on(
                    "who",
                    MeshBody.class,
                    (body, message) -> Future.succeededFuture(String.valueOf(message.principal())));
        }
    }

    private static MeshOptions as(@Nullable String principal) {
        return MeshOptions.DEFAULT.withType("who").withPrincipal(principal);
    }

    @Test
    void nameAndRolesGoAlongToTheOwnersGate() {
        MeshAddress there = MESH.addressOn(2, "echo");
        assertThat(await(MESH.mesh(1).request(there, null, String.class, as("ann editor"))))
                .isEqualTo("ann editor");
        assertThat(awaitFailure(MESH.mesh(1).request(there, null, String.class, as("ann viewer"))))
                .isInstanceOf(Forbidden.class)
                .hasMessageContaining("[viewer]");
        assertThat(awaitFailure(MESH.mesh(1).request(there, null, String.class, as(null))))
                .isInstanceOf(Unauthorized.class);
        assertThat(await(MESH.mesh(1).request(there, null, String.class, as("mesh:node-1"))))
                .isEqualTo("mesh:node-1");
    }

    @Test
    void aSystemPrincipalFromOutsideIsNobody() {
        for (int node = 1; node <= 2; node++) {
            Throwable refused = awaitFailure(MESH.node(1)
                    .vertx()
                    .eventBus()
                    .request(
                            "mesh.route",
                            null,
                            new DeliveryOptions()
                                    .addHeader(
                                            EnvelopeHeaders.TO,
                                            MESH.addressOn(node, "echo").toString())
                                    .addHeader(EnvelopeHeaders.TYPE, "who")
                                    .addHeader(EnvelopeHeaders.PRINCIPAL, "mesh:node-1")));
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            ReplyException.class,
                            failure -> assertThat(failure.failureCode()).isEqualTo(Unauthorized.CODE));
        }
    }
}
