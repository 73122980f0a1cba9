package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A mesh whose answers come when the test says so. */
final class PendingMesh implements Mesh {

    /** One request or send that waits. */
    record Pending(MeshAddress to, Promise<MeshReply> promise) implements MeshCall<MeshReply> {

        void answer(Object body) {
            promise.complete(new MeshReply(MeshBody.of(body), ActivationId.of(7, 1), "b"));
        }

        @Override
        public Future<MeshReply> answer() {
            return promise.future();
        }

        @Override
        public boolean cancel() {
            return promise.tryFail(
                    new DeadlineExceeded("given up", FailureDetail.about(to), DeadlineExceeded.Owner.UNKNOWN, null));
        }
    }

    final List<Pending> asked = new CopyOnWriteArrayList<>();
    final AtomicInteger notified = new AtomicInteger();

    @Override
    public String node() {
        return "a";
    }

    @Override
    public BudgetLadder budgets() {
        return BudgetLadder.ofDefaults();
    }

    @Override
    public <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> type, MeshOptions options) {
        return Future.failedFuture(new AssertionError("a hub's requests are calls"));
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options) {
        Pending pending = new Pending(to, Promise.promise());
        asked.add(pending);
        return pending;
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions options) {
        return call(envelope.to(), envelope.body(), options);
    }

    @Override
    public Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options) {
        return call(to, message, options).answer().mapEmpty();
    }

    @Override
    public void notify(MeshAddress to, @Nullable Object message, MeshOptions options) {
        notified.incrementAndGet();
    }

    @Override
    public EventBus eventBus() {
        throw new AssertionError("no event bus in this test");
    }

    @Override
    public void addPartition(String partition) {
        throw new AssertionError("no event bus in this test");
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        return call(address, null, MeshOptions.DEFAULT).answer().mapEmpty();
    }
}
