package io.meshhub.hub.admin;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A mesh that answers as a test says, and remembers what it was asked. */
final class FakeMesh implements Mesh {

    static final ActivationId ACTIVATION = ActivationId.of(7, 3);

    final List<Envelope> asked = new CopyOnWriteArrayList<>();
    final List<MeshOptions> options = new CopyOnWriteArrayList<>();
    final List<MeshAddress> recycled = new CopyOnWriteArrayList<>();
    final AtomicInteger cancelled = new AtomicInteger();
    volatile Function<Envelope, Future<MeshBody>> answer = envelope -> Future.succeededFuture(MeshBody.NULL);
    volatile Future<Void> recycling = Future.succeededFuture();

    void reply(Object body) {
        answer = envelope -> Future.succeededFuture(MeshBody.of(body));
    }

    void fail(Throwable failure) {
        answer = envelope -> Future.failedFuture(failure);
    }

    Envelope last() {
        return asked.get(asked.size() - 1);
    }

    @Override
    public String node() {
        return "a";
    }

    @Override
    public BudgetLadder budgets() {
        return BudgetLadder.ofDefaults();
    }

    @Override
    public <R> Future<R> request(MeshAddress to, Object message, Class<R> replyType, MeshOptions requestOptions) {
        return Future.failedFuture(new AssertionError("the edge asks with envelopes"));
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, Object message, MeshOptions callOptions) {
        throw new AssertionError("the edge asks with envelopes");
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions callOptions) {
        asked.add(envelope);
        options.add(callOptions);
        Promise<MeshReply> promise = Promise.promise();
        answer.apply(envelope).map(body -> new MeshReply(body, ACTIVATION, "b")).onComplete(done -> {
            if (done.succeeded()) {
                promise.tryComplete(done.result());
            } else {
                promise.tryFail(done.cause());
            }
        });
        return new MeshCall<>() {
            @Override
            public Future<MeshReply> answer() {
                return promise.future();
            }

            @Override
            public boolean cancel() {
                boolean open = promise.tryFail(new IllegalStateException("cancelled"));
                if (open) {
                    cancelled.incrementAndGet();
                }
                return open;
            }
        };
    }

    @Override
    public Future<Void> send(MeshAddress to, Object message, MeshOptions sendOptions) {
        return Future.failedFuture(new AssertionError("the edge asks with envelopes"));
    }

    @Override
    public void notify(MeshAddress to, Object message, MeshOptions notifyOptions) {
        throw new AssertionError("the edge asks with envelopes");
    }

    @Override
    public EventBus eventBus() {
        throw new AssertionError("the edge needs no event bus");
    }

    @Override
    public void addPartition(String partition) {
        throw new AssertionError("the edge adds no partition");
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        recycled.add(address);
        return recycling;
    }
}
