package io.meshhub.hub.life;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.router.MeshRouter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.internal.ContextInternal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The mesh as one activation sends with it: knows what it has asked and is not yet answered, and sends nothing once the
 * activation is over. Safe from any thread.
 *
 * <p>Requests and sends are tracked; what goes over {@link #eventBus} or ends an activation with {@link #recycle} is not.
 */
public final class OwnCalls implements Mesh {

    /** Gives up what is under way; says whether it still was. */
    @FunctionalInterface
    private interface Under {
        boolean now();
    }

    private final Mesh mesh;
    private final Supplier<MeshException> refusal;
    private final Supplier<@Nullable MeshException> barred;
    private final Runnable quiet;
    private final Set<Under> pending = new HashSet<>(2);
    private volatile boolean awaited;
    private volatile boolean closed;

    /**
     * Nothing is under way.
     *
     * @param mesh sends
     * @param refusal what is said to whoever sends after the end
     * @param barred why nothing may be sent now, though the hub lives; null where it may
     * @param quiet called when the last one has ended, if that is waited for; on any thread
     */
    public OwnCalls(
            Mesh mesh, Supplier<MeshException> refusal, Supplier<@Nullable MeshException> barred, Runnable quiet) {
        this.mesh = mesh;
        this.refusal = refusal;
        this.barred = barred;
        this.quiet = quiet;
    }

    /** How many are under way. */
    public int pending() {
        synchronized (pending) {
            return pending.size();
        }
    }

    /** From now on somebody waits for the last one to end. */
    public void await() {
        awaited = true;
    }

    /**
     * Gives up all that are under way: they fail with {@link DeadlineExceeded}, since their outcome is unknown.
     *
     * @return how many
     */
    public int cancel() {
        List<Under> open;
        synchronized (pending) {
            open = List.copyOf(pending);
            pending.clear();
        }
        int cancelled = 0;
        for (Under each : open) {
            cancelled += each.now() ? 1 : 0;
        }
        return cancelled;
    }

    /** Gives up all, and sends nothing more. */
    public int close() {
        closed = true;
        return cancel();
    }

    private @Nullable MeshException whyNot() {
        return closed ? refusal.get() : barred.get();
    }

    private void track(Future<?> answer, Under giveUp) {
        if (answer.isComplete()) {
            return;
        }
        synchronized (pending) {
            pending.add(giveUp);
        }
        answer.onComplete(ended -> untrack(giveUp));
        // The end may have come between the look and the entry.
        if (closed) {
            giveUp.now();
        }
    }

    private void untrack(Under giveUp) {
        boolean last;
        synchronized (pending) {
            last = pending.remove(giveUp) && pending.isEmpty();
        }
        if (last && awaited) {
            quiet.run();
        }
    }

    private record Refused(Future<MeshReply> answer) implements MeshCall<MeshReply> {
        @Override
        public boolean cancel() {
            return false;
        }
    }

    private MeshCall<MeshReply> tracked(Supplier<MeshCall<MeshReply>> call) {
        MeshException why = whyNot();
        if (why != null) {
            return new Refused(Future.failedFuture(why));
        }
        MeshCall<MeshReply> made = call.get();
        track(made.answer(), made::cancel);
        return made;
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
        return MeshRouter.read(call(to, message, options).answer(), to, replyType);
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options) {
        return tracked(() -> mesh.call(to, message, options));
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions options) {
        return tracked(() -> mesh.call(envelope, options));
    }

    @Override
    public Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options) {
        MeshException why = whyNot();
        if (why != null) {
            return Future.failedFuture(why);
        }
        Future<Void> sent = mesh.send(to, message, options);
        if (sent.isComplete()) {
            return sent;
        }
        ContextInternal context = ContextInternal.current();
        Promise<Void> promise = context == null ? Promise.promise() : context.promise();
        sent.onComplete(done -> {
            if (done.succeeded()) {
                promise.tryComplete();
            } else {
                promise.tryFail(done.cause());
            }
        });
        track(sent, () -> promise.tryFail(givenUp(to)));
        return promise.future();
    }

    private DeadlineExceeded givenUp(MeshAddress to) {
        return new DeadlineExceeded(
                "A message to hub " + to + " was given up by its sender, which is ending; the outcome is unknown",
                FailureDetail.about(to).on(mesh.node()),
                DeadlineExceeded.Owner.UNKNOWN,
                null);
    }

    @Override
    public void notify(MeshAddress to, @Nullable Object message, MeshOptions options) {
        if (whyNot() == null) {
            mesh.notify(to, message, options);
        }
    }

    @Override
    public EventBus eventBus() {
        return mesh instanceof MeshRouter router ? router.eventBus(this::whyNot) : mesh.eventBus();
    }

    @Override
    public void addPartition(String partition) {
        mesh.addPartition(partition);
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        MeshException why = whyNot();
        // A hub that ends itself like this must not wait for its own end.
        return why == null ? mesh.recycle(address) : Future.failedFuture(why);
    }
}
