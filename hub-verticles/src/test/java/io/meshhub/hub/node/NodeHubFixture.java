package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubRuntime;
import io.meshhub.hub.HubTypes;
import io.meshhub.hub.life.HubServices;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A node that hosts node hubs over a store in memory, without a router: messages are delivered by hand. */
abstract class NodeHubFixture {

    static final MeshAddress CH = MeshAddress.of("iso/CH");

    final InMemoryNodeStore memory = new InMemoryNodeStore();
    final GatedStore store = new GatedStore(memory);
    final List<ActivationId> answered = new CopyOnWriteArrayList<>();
    Vertx vertx;
    SingleNode node;
    HubRuntime runtime;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        NodeInfo self = new NodeInfo("a", "a-1", NodeInfo.State.STARTING, 1, "hub", Set.of(""), "memory", "test");
        node = SingleNode.start(self, memory, 10).await();
        HubServices services = new HubServices(
                node,
                MeshLoops.create(vertx, 2, loop -> false).await(),
                node,
                Lease.ALWAYS,
                new StoreCatalog(store),
                BudgetLadder.ofDefaults(),
                MeshClock.system(),
                (delay, action) -> {
                    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> action.run());
                    return () -> vertx.cancelTimer(id);
                },
                MeshMetrics.NONE,
                () -> {
                    throw new AssertionError("a node hub sends nothing");
                });
        runtime = new HubRuntime(services, new HubTypes().register(NodeHubs.type(store)), HubOptions.ofDefaults());
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    Future<MeshBody> ask(MeshAddress to, String type, Object body) {
        Answer answer = new Answer(new Envelope(
                to,
                type,
                MeshBody.of(body),
                Verb.REQUEST,
                null,
                20_000,
                0,
                null,
                null,
                null,
                node.row(to.shard()).epoch()));
        runtime.deliver(answer);
        return answer.promise.future();
    }

    JsonObject document(String type, Object body) {
        return ask(CH, type, body).await().as(JsonObject.class).orElseThrow();
    }

    <T extends MeshException> T refused(Class<T> kind, String type, Object body) {
        return refused(kind, ask(CH, type, body));
    }

    static <T extends MeshException> T refused(Class<T> kind, Future<?> asked) {
        Throwable failure = catchThrowable(asked::await);
        assertThat(failure).isInstanceOf(kind);
        return kind.cast(failure);
    }

    static JsonObject country(String name) {
        return new JsonObject()
                .put("nodeType", "country")
                .put("name", name)
                .put("content", new JsonObject().put("capital", "Bern"));
    }

    Future<MeshBody> recycle() {
        return ask(CH, "mesh.recycle", null);
    }

    /** One message by hand; an ended delivery stays as it ended. */
    private final class Answer implements Delivery {

        private final Envelope envelope;
        private final Promise<MeshBody> promise = Promise.promise();
        private final long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();

        Answer(Envelope envelope) {
            this.envelope = envelope;
        }

        @Override
        public Envelope envelope() {
            return envelope;
        }

        @Override
        public long deadlineNanos() {
            return deadline;
        }

        @Override
        public boolean isEnded() {
            return promise.future().isComplete();
        }

        @Override
        public void accepted(ActivationId activation) {}

        @Override
        public void reply(MeshBody body, ActivationId activation) {
            answered.add(activation);
            promise.tryComplete(body);
        }

        @Override
        public void fail(MeshException failure) {
            promise.tryFail(failure);
        }

        @Override
        public void describedBy(Supplier<MeshException> atDeadline) {}
    }
}
