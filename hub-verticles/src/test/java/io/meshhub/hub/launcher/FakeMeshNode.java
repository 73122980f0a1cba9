package io.meshhub.hub.launcher;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A node whose start and stop end when a test says so. */
final class FakeMeshNode implements MeshNode {

    final Promise<Void> started = Promise.promise();
    final Promise<Drained> stopped = Promise.promise();
    final Queue<String> calls = new ConcurrentLinkedQueue<>();

    @Override
    public Future<Void> start() {
        calls.add("start");
        return started.future();
    }

    @Override
    public Future<Drained> stop(Duration drain) {
        calls.add("stop " + drain.toMillis());
        return stopped.future();
    }

    @Override
    public List<String> pending() {
        return List.of("hub orders/42");
    }
}
