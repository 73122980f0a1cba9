package io.meshhub.testkit;

import io.meshhub.hub.HubContext;
import io.meshhub.hub.HubTypes;
import io.meshhub.hub.MessageContext;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the test wants to go wrong, by address; safe from any thread. */
final class Faults implements HubTypes.Interceptor {

    private final Map<MeshAddress, Plan> plans = new ConcurrentHashMap<>();

    /** A handler that was to be entered and was not. */
    private record Held(
            HubContext hub, Context context, Supplier<? extends Future<?>> handler, Promise<Object> answer) {

        void letGo() {
            context.runOnContext(nothing -> {
                if (hub.level().compareTo(RunLevel.SHUT_DOWN) >= 0) {
                    answer.fail(new IllegalStateException("hub " + hub.address() + " ended while its message hung"));
                    return;
                }
                try {
                    handler.get().onComplete((value, cause) -> answer.complete(value, cause));
                } catch (RuntimeException e) {
                    answer.fail(e);
                }
            });
        }
    }

    /** For one address. */
    private static final class Plan {

        final Deque<Throwable> failures = new ArrayDeque<>();
        final Deque<Throwable> startFailures = new ArrayDeque<>();
        final List<Held> held = new ArrayList<>();
        int toHang;
    }

    private Plan plan(MeshAddress address) {
        return plans.computeIfAbsent(address, absent -> new Plan());
    }

    void hang(MeshAddress address, int messages) {
        Plan plan = plan(address);
        synchronized (plan) {
            plan.toHang = messages;
        }
    }

    void fail(MeshAddress address, Throwable cause) {
        Plan plan = plan(address);
        synchronized (plan) {
            plan.failures.add(cause);
        }
    }

    void failStart(MeshAddress address, Throwable cause) {
        Plan plan = plan(address);
        synchronized (plan) {
            plan.startFailures.add(cause);
        }
    }

    /** How many messages hang there now. */
    int hanging(MeshAddress address) {
        Plan plan = plan(address);
        synchronized (plan) {
            plan.held.removeIf(held -> held.answer.future().isComplete() || held.hub.level() == RunLevel.DEAD);
            return plan.held.size();
        }
    }

    /** Nothing is to go wrong there any more, and what hangs goes on. */
    void letGo(MeshAddress address) {
        Plan plan = plan(address);
        List<Held> free;
        synchronized (plan) {
            plan.toHang = 0;
            plan.failures.clear();
            plan.startFailures.clear();
            free = List.copyOf(plan.held);
            plan.held.clear();
        }
        free.forEach(Held::letGo);
    }

    void letAllGo() {
        plans.keySet().forEach(this::letGo);
        plans.clear();
    }

    @Override
    public Future<?> start(HubContext hub) {
        Plan plan = plans.get(hub.address());
        if (plan == null) {
            return Future.succeededFuture();
        }
        synchronized (plan) {
            Throwable failure = plan.startFailures.poll();
            return failure == null ? Future.succeededFuture() : Future.failedFuture(failure);
        }
    }

    @Override
    public Future<?> handle(HubContext hub, MessageContext message, Supplier<? extends Future<?>> handler) {
        Plan plan = plans.get(hub.address());
        if (plan == null) {
            return handler.get();
        }
        synchronized (plan) {
            Throwable failure = plan.failures.poll();
            if (failure != null) {
                return Future.failedFuture(failure);
            }
            if (plan.toHang > 0) {
                plan.toHang -= plan.toHang == Integer.MAX_VALUE ? 0 : 1;
                Promise<Object> answer = Promise.promise();
                plan.held.add(new Held(hub, Vertx.currentContext(), handler, answer));
                return answer.future();
            }
        }
        return handler.get();
    }
}
