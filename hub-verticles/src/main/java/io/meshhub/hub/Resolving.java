package io.meshhub.hub;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one question whether an address may be woken, and the messages that wait for its answer: does the catalogue hold
 * it, or is its shard taken anew. A question that nobody waits for any more is forgotten, so that the next message asks
 * afresh.
 */
final class Resolving implements Slot {

    private record Waiting(Delivery delivery, long until) {}

    private final HubLoop loop;
    private final MeshAddress address;
    private final HubType type;
    private final String what;
    private final boolean forCatalogue;
    private final long until;
    private List<Waiting> waiting = new ArrayList<>(2);
    private boolean over;
    private long armedFor;
    private Pacer.@Nullable Cancellable timer;

    /**
     * @param what who is asked, for people
     * @param forCatalogue whether a creating message makes the question idle
     */
    Resolving(HubLoop loop, MeshAddress address, HubType type, String what, boolean forCatalogue) {
        this.loop = loop;
        this.address = address;
        this.type = type;
        this.what = what;
        this.forCatalogue = forCatalogue;
        this.until = loop.now() + loop.services().budgets().permission().toNanos();
    }

    @Override
    public void deliver(Delivery delivery) {
        String messageType = delivery.envelope().type();
        if (SystemMessages.handleCold(delivery, loop)) {
            return;
        }
        if (waiting.size() >= loop.options().startQueue()) {
            loop.overloaded(delivery, "startQueue", waiting.size());
            return;
        }
        enqueue(delivery);
        if (forCatalogue && !type.needsRow(messageType)) {
            wake();
        } else if (timer != null) {
            arm();
        }
    }

    void enqueue(Delivery delivery) {
        long now = loop.now();
        Duration remaining = Duration.ofNanos(Math.max(0, delivery.deadlineNanos() - now));
        Duration bound = BudgetLadder.inner(loop.services().budgets().permission(), remaining);
        long own = now + bound.toNanos();
        waiting.add(new Waiting(delivery, own - until < 0 ? own : until));
    }

    /** Asks, once. */
    void ask(Supplier<Future<Boolean>> question) {
        Future<Boolean> answer;
        try {
            answer = question.get();
        } catch (RuntimeException e) {
            answer = Future.failedFuture(e);
        }
        if (answer.isComplete()) {
            answered(answer.result(), answer.cause());
            return;
        }
        arm();
        answer.onComplete((exists, cause) -> loop.execute(() -> answered(exists, cause)));
    }

    private void answered(@Nullable Boolean exists, @Nullable Throwable cause) {
        if (over) {
            return;
        }
        if (cause != null) {
            loop.metrics().count("hub.resolve.failed");
            refuse(what + " could not be asked: " + cause.getMessage());
        } else if (exists != null && exists) {
            wake();
        } else {
            for (Delivery delivery : leave()) {
                delivery.fail(NotFound.noNode(address, loop.node()));
            }
        }
    }

    private void wake() {
        loop.activate(address, type, leave());
    }

    /** Tells all who wait that it could not be found out. */
    void refuse(String reason) {
        for (Delivery delivery : leave()) {
            delivery.fail(Unavailable.notSent(address, loop.node(), reason));
        }
    }

    private List<Delivery> leave() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        loop.leave(address, this);
        List<Delivery> left = new ArrayList<>(waiting.size());
        waiting.forEach(each -> left.add(each.delivery));
        return left;
    }

    // One timer for all: it is set for the one who may wait least.
    private void arm() {
        long earliest = until;
        for (Waiting each : waiting) {
            earliest = each.until - earliest < 0 ? each.until : earliest;
        }
        if (timer != null) {
            if (armedFor - earliest <= 0) {
                return;
            }
            timer.cancel();
        }
        armedFor = earliest;
        Duration delay = Duration.ofNanos(Math.max(0, earliest - loop.now()));
        timer = loop.services().pacer().after(delay, () -> loop.execute(this::timedOut));
    }

    private void timedOut() {
        if (over) {
            return;
        }
        long now = loop.now();
        List<Waiting> on = new ArrayList<>();
        List<Delivery> out = new ArrayList<>();
        for (Waiting each : waiting) {
            if (now - each.until >= 0) {
                out.add(each.delivery);
            } else {
                on.add(each);
            }
        }
        waiting = on;
        timer = null;
        if (on.isEmpty()) {
            leave();
        } else {
            arm();
        }
        loop.metrics().count("hub.resolve.timeout");
        for (Delivery delivery : out) {
            delivery.fail(Unavailable.notSent(address, loop.node(), what + " did not answer in time"));
        }
    }
}
