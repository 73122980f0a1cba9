package io.meshhub.it;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Callers on one node that ask hubs, each the next one a moment after it was answered, until they are told to end. */
final class SteadyCallers {

    private static final int CALLERS = 16;
    private static final long PAUSE_MS = 5;

    // To ask who a hub is changes nothing, so that one who may have been heard asks again.
    private static final MeshOptions AGAIN = MeshOptions.DEFAULT.withIdempotent(true);

    private final MeshHub hub;
    private final List<MeshAddress> addresses;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Future<Void>> lines = new ArrayList<>();
    private volatile boolean over;

    private SteadyCallers(MeshHub hub, List<MeshAddress> addresses) {
        this.hub = hub;
        this.addresses = addresses;
    }

    static SteadyCallers start(MeshHub hub, List<MeshAddress> addresses) {
        SteadyCallers callers = new SteadyCallers(hub, addresses);
        for (int i = 0; i < CALLERS; i++) {
            Promise<Void> ended = Promise.promise();
            callers.lines.add(ended.future());
            callers.ask(i, ended);
        }
        return callers;
    }

    private void ask(int index, Promise<Void> ended) {
        long asked = System.nanoTime();
        MeshAddress address = addresses.get(index % addresses.size());
        hub.mesh()
                .request(address, new TestHubs.WhoAreYou(), TestHubs.Me.class, AGAIN)
                .onComplete((me, cause) -> {
                    longest.accumulateAndGet(System.nanoTime() - asked, Math::max);
                    if (cause == null) {
                        answered.incrementAndGet();
                    } else {
                        failures.add(address + ": " + cause);
                    }
                    if (over) {
                        ended.complete();
                    } else {
                        hub.vertx().setTimer(PAUSE_MS, fired -> ask(index + CALLERS, ended));
                    }
                });
    }

    /** Lets them ask nothing more; completes when all have their outcome. */
    Future<Void> end() {
        over = true;
        return Future.all(lines).mapEmpty();
    }

    /** How many requests were answered. */
    int answered() {
        return answered.get();
    }

    /** How long the slowest outcome took, in milliseconds. */
    long longestMs() {
        return longest.get() / 1_000_000;
    }

    /** What requests failed with. */
    List<String> failures() {
        return List.copyOf(failures);
    }
}
