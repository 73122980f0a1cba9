package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M6: callers give up, and the answers come later. The kit finds what is left of a call, a message or a hub. */
class CallersThatGiveUpTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");
    private static final int MANY = 1000;

    private final Queue<Promise<Object>> running = new ConcurrentLinkedQueue<>();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .hub(
                    "orders",
                    () -> new TestHub((self, setup) -> {
                        setup.on("slow", MeshBody.class, body -> {
                            Promise<Object> promise = Promise.promise();
                            running.add(promise);
                            return promise.future();
                        });
                        setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                    }))
            .build();

    @Test
    void nothingIsLeftAndNoCallbackFiresForTheLateAnswer() {
        AtomicInteger ends = new AtomicInteger();
        AtomicInteger answers = new AtomicInteger();
        List<MeshCall<MeshReply>> calls = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            MeshCall<MeshReply> call = mesh.mesh().call(ORDER, "x", MeshOptions.DEFAULT.withType("slow"));
            call.answer().onComplete(end -> ends.incrementAndGet()).onSuccess(answer -> answers.incrementAndGet());
            calls.add(call);
        }
        Awaitility.await().until(() -> running.size() == MANY);
        assertThat(calls).allMatch(MeshCall::cancel);
        Awaitility.await().until(() -> ends.get() == MANY);

        running.forEach(promise -> promise.complete("too late"));
        MeshExtension.await(mesh.mesh().request(ORDER, "x", String.class, MeshOptions.DEFAULT.withType("quick")));
        assertThat(answers).hasValue(0);
        assertThat(ends).as("each ended once").hasValue(MANY);
        assertThat(MeshExtension.await(mesh.node().runtime().activations(10)))
                .singleElement()
                .satisfies(hub -> assertThat(hub.mailboxDepth()).isZero());
    }
}
