package io.meshhub.testkit;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The mesh as the test sees it: knows which of its calls have no answer yet. */
final class TrackedMesh implements Mesh {

    private final Mesh mesh;
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();

    // Told apart by identity: two alike calls are two.
    private static final class Pending {
        private final String what;

        Pending(String what) {
            this.what = what;
        }
    }

    TrackedMesh(Mesh mesh) {
        this.mesh = mesh;
    }

    /** What has no answer, for people. */
    List<String> pending() {
        return pending.stream().map(call -> call.what).sorted().toList();
    }

    private <T> Future<T> track(String verb, MeshAddress to, @Nullable Object message, Future<T> answer) {
        if (!answer.isComplete()) {
            String body = message == null ? "" : " (" + message.getClass().getSimpleName() + ")";
            Pending call = new Pending(verb + " to " + to + body + " without an answer");
            pending.add(call);
            answer.onComplete(done -> pending.remove(call));
        }
        return answer;
    }

    @Override
    public String node() {
        return mesh.node();
    }

    @Override
    public BudgetLadder budgets() {
        return mesh.budgets();
    }

    @Override
    public <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> replyType, MeshOptions options) {
        return track("request", to, message, mesh.request(to, message, replyType, options));
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options) {
        MeshCall<MeshReply> call = mesh.call(to, message, options);
        track("call", to, message, call.answer());
        return call;
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions options) {
        MeshCall<MeshReply> call = mesh.call(envelope, options);
        track("call", envelope.to(), envelope, call.answer());
        return call;
    }

    @Override
    public Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options) {
        return track("send", to, message, mesh.send(to, message, options));
    }

    @Override
    public void notify(MeshAddress to, @Nullable Object message, MeshOptions options) {
        mesh.notify(to, message, options);
    }

    @Override
    public EventBus eventBus() {
        return mesh.eventBus();
    }

    @Override
    public void addPartition(String partition) {
        mesh.addPartition(partition);
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        return track("recycle", address, null, mesh.recycle(address));
    }
}
