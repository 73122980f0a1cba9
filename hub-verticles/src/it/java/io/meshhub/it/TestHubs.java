package io.meshhub.it;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hubs that tests ask across processes. */
final class TestHubs {

    private TestHubs() {}

    /** Who are you? */
    record WhoAreYou() {}

    /** The node and activation that answered, and how many messages it has handled. */
    record Me(String node, long activation, int handled) {}

    /** Note this number, and tell all that were noted. */
    record Note(int number) {}

    /** The numbers in order of arrival. */
    record Noted(List<Integer> numbers) {}

    /** Answer only after so long. */
    record Sleep(long millis) {}

    /** Fail with the failure of that kind. */
    record FailAs(String kind) {}

    /** Tells who it is, notes numbers, sleeps. */
    static final class Witness extends HubVerticle {

        private final List<Integer> numbers = new ArrayList<>();
        private int handled;

        @Override
        protected void configure(HubSetup setup) {
            setup.on(WhoAreYou.class, ask -> Future.succeededFuture(me()));
            setup.on(Note.class, note -> {
                handled++;
                numbers.add(note.number());
                return Future.succeededFuture(new Noted(List.copyOf(numbers)));
            });
            setup.on(Sleep.class, sleep -> {
                Promise<Me> promise = Promise.promise();
                vertx.setTimer(sleep.millis(), id -> promise.complete(me()));
                return promise.future();
            });
        }

        private Me me() {
            return new Me(hub().node(), hub().activation().value(), ++handled);
        }
    }

    /** Fails as it is told. */
    static final class Failing extends HubVerticle {

        @Override
        protected void configure(HubSetup setup) {
            setup.on(FailAs.class, ask -> Future.failedFuture(failure(ask.kind())));
        }
    }

    /** A failure of the kind with all that can be known. */
    static MeshException failure(String kind) {
        MeshException failure = FAILURES.get(kind);
        if (failure == null) {
            throw new IllegalArgumentException("no failure of kind " + kind);
        }
        return failure;
    }

    private static final FailureDetail DETAIL = new FailureDetail(
            "other/1",
            ActivationId.of(61_000_000, 7),
            RunLevel.QUIESCING,
            "far",
            3,
            Duration.ofMillis(1500),
            Duration.ofMillis(250),
            false);

    /** One of each kind, about another address than the failing one. */
    static final Map<String, MeshException> FAILURES = Map.ofEntries(
            Map.entry("NotFound", new NotFound("not found", DETAIL)),
            Map.entry("NotHandled", new NotHandled("not handled", DETAIL, "Ask", List.of("Get", "Put"))),
            Map.entry("ShuttingDown", new ShuttingDown("shutting down", DETAIL)),
            Map.entry("Unavailable", new Unavailable("unavailable", DETAIL, true)),
            Map.entry(
                    "DeadlineExceeded",
                    new DeadlineExceeded(
                            "late",
                            DETAIL,
                            new DeadlineExceeded.Owner(4, "Ask", Duration.ofMillis(900)),
                            new ShuttingDown("before", DETAIL))),
            Map.entry(
                    "QueryProviderStalled",
                    new QueryProviderStalled(
                            "stalled",
                            DETAIL,
                            List.of(new Stall("inventory", Duration.ofSeconds(9), Duration.ofSeconds(6), 1)),
                            Duration.ofSeconds(15))),
            Map.entry("Overloaded", new Overloaded("overloaded", DETAIL)),
            Map.entry("StartFailed", new StartFailed("no start", DETAIL, "java.io.IOException", "gone")),
            Map.entry("HandlerFailed", new HandlerFailed("handler", DETAIL, "java.io.IOException", "gone")),
            Map.entry("Rejected", new Rejected("rejected", DETAIL, 4)),
            Map.entry("Unauthorized", new Unauthorized("who", DETAIL)),
            Map.entry("Forbidden", new Forbidden("no", DETAIL)),
            Map.entry("Conflict", new Conflict("conflict", DETAIL, 12)),
            Map.entry("RoutingLoop", new RoutingLoop("loop", DETAIL)));
}
