package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.FailureCodecs;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller sees of addresses that live in another process: R1, R5, R12, A1, A3, M12 and the codecs of section 2. */
@Timeout(120)
class AcrossTwoProcessesIT {

    private static TwoNodes nodes;

    @BeforeAll
    static void start() {
        nodes = TwoNodes.start();
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static MeshException failure(Future<?> future) {
        return catchThrowableOfType(MeshException.class, () -> {
            try {
                future.toCompletionStage().toCompletableFuture().join();
            } catch (CompletionException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    void everyFailureArrivesTypedOverTheBareBus() {
        for (Class<? extends MeshException> leaf : FailureCodecs.leaves()) {
            MeshException sent = TestHubs.failure(leaf.getSimpleName());

            // A failure that is sent as a body arrives as the reply's failure, in its own class.
            MeshException arrived =
                    failure(nodes.hub().vertx().eventBus().request(Failures.ADDRESS, leaf.getSimpleName()));

            assertThat(arrived).isExactlyInstanceOf(leaf);
            assertThat(FailureJson.write(arrived)).isEqualTo(FailureJson.write(sent));
        }
    }

    @Test
    void everyFailureOfAHandlerArrivesTypedThroughTheMesh() {
        MeshAddress address = nodes.addressesOn("b", "failing", 1).get(0);
        for (Class<? extends MeshException> leaf : FailureCodecs.leaves()) {
            MeshException sent = TestHubs.failure(leaf.getSimpleName());

            MeshException arrived =
                    failure(nodes.mesh().request(address, new TestHubs.FailAs(leaf.getSimpleName()), Object.class));

            assertThat(arrived).isExactlyInstanceOf(leaf);
            assertThat(arrived.entered()).isTrue();
            assertThat(arrived.isVerdictAbout(address)).isFalse();
            assertThat(FailureJson.write(arrived)).isEqualTo(FailureJson.write(sent.asEntered()));
        }
    }

    @Test
    void aThousandRequestsAtOnceToOneColdAddressMakeOneActivation() {
        MeshAddress address = nodes.addressesOn("b", "witness/cold", 1).get(0);

        List<Future<TestHubs.Me>> asked = IntStream.range(0, 1000)
                .mapToObj(i -> nodes.mesh().request(address, new TestHubs.WhoAreYou(), TestHubs.Me.class))
                .toList();
        List<TestHubs.Me> answers = asked.stream().map(TwoNodes::get).toList();

        Set<Long> activations = new HashSet<>();
        answers.forEach(answer -> activations.add(answer.activation()));
        assertThat(activations).hasSize(1);
        assertThat(answers).extracting(TestHubs.Me::node).containsOnly("b");
        assertThat(answers)
                .extracting(TestHubs.Me::handled)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 1000).boxed().toList());
    }

    @Test
    void messagesOfOneContextArriveInOrderOnTheOtherNode() {
        MeshAddress address = nodes.addressesOn("b", "witness/order", 1).get(0);
        List<Future<TestHubs.Noted>> sent = new ArrayList<>();

        TwoNodes.get(Future.<Void>future(promise -> nodes.hub().vertx().runOnContext(turn -> {
            for (int i = 0; i < 500; i++) {
                sent.add(nodes.mesh().request(address, new TestHubs.Note(i), TestHubs.Noted.class));
            }
            promise.complete();
        })));
        TestHubs.Noted last = TwoNodes.get(sent.get(499));

        assertThat(last.numbers())
                .containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
    }

    @Test
    void anAddressWithoutATypeIsNotFoundFromBothNodesAlike() {
        MeshAddress here = nodes.addressesOn("a", "nowhere", 1).get(0);
        MeshAddress there = nodes.addressesOn("b", "nowhere", 1).get(0);

        assertThat(failure(nodes.mesh().request(here, null, Object.class))).isExactlyInstanceOf(NotFound.class);
        assertThat(failure(nodes.mesh().request(there, null, Object.class))).isExactlyInstanceOf(NotFound.class);
    }

    @Test
    void aLiveHubWithoutAHandlerSaysWhatItHandles() {
        MeshAddress address = nodes.addressesOn("b", "witness", 1).get(0);

        MeshException failure =
                failure(nodes.mesh().request(address, "x", Object.class, MeshOptions.DEFAULT.withType("unheard")));

        assertThat(failure)
                .isInstanceOfSatisfying(
                        NotHandled.class,
                        refusal -> assertThat(refusal.allowed()).containsExactly("Note", "Sleep", "WhoAreYou"));
    }

    @Test
    void aNodeThatOnlyCallsIsAnsweredAndOwnsNothing() {
        MeshAddress here = nodes.addressesOn("a", "witness/called", 1).get(0);
        MeshAddress there = nodes.addressesOn("b", "witness/called", 1).get(0);
        int port = FreePorts.of(1).get(0);
        MeshHub caller = TwoNodes.get(MeshHub.builder()
                .cluster(TestNode.described("caller", nodes.cluster(), port, nodes.seed())
                        .lite(true)
                        .build())
                .callerOnly()
                .start());
        try {
            for (MeshAddress address : List.of(here, there)) {
                TestHubs.Me me =
                        TwoNodes.get(caller.mesh().request(address, new TestHubs.WhoAreYou(), TestHubs.Me.class));
                assertThat(me.node()).isEqualTo(address.equals(here) ? "a" : "b");
            }
            assertThat(nodes.owned("caller")).isZero();
        } finally {
            TwoNodes.get(caller.stop());
        }
    }

    @Test
    void activationsOfARecycledAddressRise() {
        MeshAddress address = nodes.addressesOn("b", "witness/recycled", 1).get(0);
        List<Long> activations = new ArrayList<>();

        for (int i = 0; i < 5; i++) {
            activations.add(TwoNodes.get(nodes.mesh().request(address, new TestHubs.WhoAreYou(), TestHubs.Me.class))
                    .activation());
            TwoNodes.get(nodes.mesh().recycle(address));
        }

        assertThat(activations).isSorted().doesNotHaveDuplicates();
    }
}
