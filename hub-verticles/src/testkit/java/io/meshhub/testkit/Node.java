package io.meshhub.testkit;

import io.meshhub.hub.ActivationInfo;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.router.MeshRouter;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One node of a test, and what is looked for on it when the test is over. */
final class Node {

    private static final int MOST_NAMED = 100;
    private static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, MeshAddress.SHARDS).boxed().collect(Collectors.toUnmodifiableSet());

    private final MeshHub hub;
    private final BusWatch bus;
    private final TrackedMesh mesh;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private Map<Object, String> atRest = Map.of();

    Node(MeshHub hub, BusWatch bus) {
        this.hub = hub;
        this.bus = bus;
        this.mesh = new TrackedMesh(hub.mesh());
        hub.onStop(() -> {
            stopped.set(true);
            return Future.succeededFuture();
        });
        rest();
    }

    MeshHub hub() {
        return hub;
    }

    TrackedMesh mesh() {
        return mesh;
    }

    boolean isUp() {
        return !stopped.get();
    }

    /** What is there now belongs there. */
    void rest() {
        atRest = registered();
    }

    /** Calls and messages that have no end yet. */
    List<String> unanswered() {
        List<String> left = new ArrayList<>(mesh.pending());
        for (ActivationInfo hubNow : activations()) {
            if (hubNow.mailboxDepth() > 0) {
                left.add(hubNow.mailboxDepth() + " messages in progress or waiting at hub " + hubNow.address() + " ("
                        + hubNow.activation() + ", " + hubNow.level() + ")");
            }
        }
        if (left.isEmpty() && hub.mesh() instanceof MeshRouter router) {
            add(left, router.inFlight(), "messages to other nodes without an answer");
            add(left, router.held(), "messages that wait for the owner of their shard");
            add(left, router.resting(), "calls that ride out a refusal");
        }
        return left;
    }

    private static void add(List<String> left, int count, String what) {
        if (count > 0) {
            left.add(count + " " + what);
        }
    }

    /** Ends every hub. */
    Future<Void> endHubs() {
        return hub.runtime().release(ALL_SHARDS, "the test is over");
    }

    /** Hubs that have not ended. */
    List<String> hubs() {
        return activations().stream()
                .map(info -> "hub " + info.address() + " that does not end (" + info.activation() + ", " + info.level()
                        + ")")
                .toList();
    }

    private List<ActivationInfo> activations() {
        return isUp() ? MeshExtension.await(hub.runtime().activations(MOST_NAMED)) : List.of();
    }

    /** Consumers, timers and deployments beyond those that belong there, each by what tells it apart. */
    Map<Object, String> registeredSince() {
        Map<Object, String> left = registered();
        left.keySet().removeAll(atRest.keySet());
        return left;
    }

    private Map<Object, String> registered() {
        Map<Object, String> all = new LinkedHashMap<>();
        if (isUp()) {
            VertxInternal vertx = (VertxInternal) hub.vertx();
            bus.handlers().forEach(handler -> all.put(handler, handler.toString()));
            VertxTimers.of(vertx).forEach(all::put);
            vertx.deploymentManager()
                    .deployments()
                    .forEach(deployment -> all.put(
                            deployment.id(),
                            "verticle " + deployment.deployment().identifier() + " that is still deployed"));
        }
        return all;
    }

    /** Stops it; names what had to be cut. One that does not end does not keep the next one from being stopped. */
    List<String> stop(Duration drain) {
        Duration bound = drain.plus(MeshHub.Builder.TAIL).plusSeconds(1);
        String name = hub.membership().self().name();
        Future<MeshHub.Stopped> stop = hub.stop(drain);
        try {
            return Patience.value(stop, bound)
                    .cut()
                    .map(cut -> List.of("a stop that was cut: " + cut + ", node=" + name))
                    .orElse(List.of());
        } catch (AssertionError e) {
            return List.of("a stop that did not end: " + e.getMessage() + ", node=" + name);
        }
    }
}
