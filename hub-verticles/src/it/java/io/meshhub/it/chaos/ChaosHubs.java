package io.meshhub.it.chaos;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hubs of the harness. */
final class ChaosHubs {

    static final String REGISTER = "register";
    static final String COUNTER = "counter";
    static final String LIST = "list";

    private ChaosHubs() {}

    /** What do you hold? */
    record Read(long op) {}

    /** Hold the op. */
    record Write(long op) {}

    /** Hold the op, if you hold the expected value. */
    record Cas(long op, long expected) {}

    /** Count up, and answer after so many milliseconds. */
    record Count(long op, long heldMs) {}

    /** Append the op. */
    record Append(long op) {}

    /** Which ops do you hold? */
    record Held(long op) {}

    /** What all have in common: they note each entry of a handler, and keep their state under their fence. */
    abstract static class Noting extends HubVerticle {

        private final Records records;

        Noting(Records records) {
            this.records = records;
        }

        /** Notes that a handler was entered, and says when. */
        final long enter(long op) {
            long started = System.nanoTime();
            records.executed(op, hub().address().toString(), hub().activation().value(), started);
            return started;
        }

        final Answer answer(long started, long value, boolean done, List<Long> list) {
            return new Answer(hub().node(), hub().activation().value(), started, System.nanoTime(), value, done, list);
        }
    }

    /** Counts in memory. */
    static final class Counter extends Noting {

        private long count;

        Counter(Records records) {
            super(records);
        }

        @Override
        protected void configure(HubSetup setup) {
            setup.on(Count.class, ask -> {
                long started = enter(ask.op());
                long value = ++count;
                return held(ask.heldMs()).map(over -> answer(started, value, true, List.of()));
            });
        }

        private Future<Void> held(long millis) {
            Promise<Void> over = Promise.promise();
            if (millis == 0) {
                over.complete();
            } else {
                vertx.setTimer(millis, fired -> over.complete());
            }
            return over.future();
        }
    }

    /** Keeps its state in the node store; whatever stands there is replaced, only the fence protects it. */
    abstract static class Durable extends Noting {

        private final NodeStore store;
        JsonObject state = new JsonObject();

        Durable(Records records, NodeStore store) {
            super(records);
            this.store = store;
        }

        final Future<Void> load() {
            return onHub(store.read(hub().address())).map(read -> {
                state = read.map(NodeRecord::content).map(JsonObject::copy).orElseGet(JsonObject::new);
                return null;
            });
        }

        final Future<Void> keep(JsonObject next) {
            NodeWrite write = new NodeWrite(
                    hub().address(),
                    "chaos",
                    "state",
                    next.copy(),
                    NodeWrite.ANY_VERSION,
                    hub().activation(),
                    hub().fence());
            return onHub(store.write(write))
                    .<Void>map(written -> {
                        state = next;
                        return null;
                    })
                    .onFailure(cause -> hub().dispose("its state could not be kept: " + cause.getMessage()));
        }

        // The store answers on a thread of its own; the fields of a hub belong to its context.
        private <T> Future<T> onHub(Future<T> answer) {
            Promise<T> here = Promise.promise();
            answer.onComplete((value, cause) -> context.runOnContext(nothing -> here.complete(value, cause)));
            return here.future();
        }
    }

    /** Holds one number. */
    static final class Register extends Durable {

        Register(Records records, NodeStore store) {
            super(records, store);
        }

        @Override
        protected void configure(HubSetup setup) {
            setup.init(this::load);
            setup.on(Read.class, ask -> {
                long started = enter(ask.op());
                return Future.succeededFuture(answer(started, value(), false, List.of()));
            });
            setup.on(Write.class, ask -> {
                        long started = enter(ask.op());
                        return set(ask.op(), started);
                    })
                    .exclusive();
            setup.on(Cas.class, ask -> {
                        long started = enter(ask.op());
                        return value() == ask.expected()
                                ? set(ask.op(), started)
                                : Future.succeededFuture(answer(started, value(), false, List.of()));
                    })
                    .exclusive();
        }

        private long value() {
            return Optional.ofNullable(state.getLong("value")).orElse(0L);
        }

        private Future<Answer> set(long op, long started) {
            long before = value();
            return keep(new JsonObject().put("value", op)).map(kept -> answer(started, before, true, List.of()));
        }
    }

    /** Appends numbers. */
    static final class Appender extends Durable {

        Appender(Records records, NodeStore store) {
            super(records, store);
        }

        @Override
        protected void configure(HubSetup setup) {
            setup.init(this::load);
            setup.on(Append.class, ask -> {
                        long started = enter(ask.op());
                        JsonArray next = held().copy().add(ask.op());
                        return keep(new JsonObject().put("list", next))
                                .map(kept -> answer(started, next.size(), true, List.of()));
                    })
                    .exclusive();
            setup.on(Held.class, ask -> {
                long started = enter(ask.op());
                List<Long> list = new ArrayList<>();
                held().forEach(entry -> list.add(((Number) entry).longValue()));
                return Future.succeededFuture(answer(started, list.size(), false, list));
            });
        }

        private JsonArray held() {
            return Optional.ofNullable(state.getJsonArray("list")).orElseGet(JsonArray::new);
        }
    }
}
