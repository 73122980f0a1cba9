package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Remembers what was delivered, in order, and does with it what a test says; at first it accepts and echoes. */
final class RecordingActivator implements Activator {

    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    private final Set<Integer> stalled = ConcurrentHashMap.newKeySet();
    private final Map<MeshAddress, MeshException> refusals = new ConcurrentHashMap<>();
    private volatile Consumer<Delivery> behaviour = RecordingActivator::echo;

    /** Replies with the body, as the first activation under the epoch that the message came with. */
    static void echo(Delivery delivery) {
        ActivationId activation = activation(delivery);
        delivery.accepted(activation);
        delivery.reply(delivery.envelope().body(), activation);
    }

    static ActivationId activation(Delivery delivery) {
        return ActivationId.of(delivery.envelope().epoch(), 1);
    }

    /** The loop counts as blocked, and the address as who blocks it. */
    void blocked(int loop, MeshAddress address, MeshException refusal) {
        refusals.put(address, refusal);
        stalled.add(loop);
    }

    void freed() {
        refusals.clear();
        stalled.clear();
    }

    @Override
    public boolean isStalled(int loop) {
        return stalled.contains(loop);
    }

    @Override
    public Optional<MeshException> refusal(MeshAddress address) {
        return Optional.ofNullable(refusals.get(address));
    }

    void behave(Consumer<Delivery> newBehaviour) {
        behaviour = newBehaviour;
    }

    /** The n-th delivery is treated by the n-th behaviour, later ones by the last. */
    void behaveInTurn(List<Consumer<Delivery>> behaviours) {
        Queue<Consumer<Delivery>> turns = new ConcurrentLinkedQueue<>(behaviours);
        Consumer<Delivery> last = behaviours.get(behaviours.size() - 1);
        behave(delivery -> {
            Consumer<Delivery> next = turns.poll();
            (next == null ? last : next).accept(delivery);
        });
    }

    List<Delivery> deliveries() {
        return new ArrayList<>(deliveries);
    }

    List<Object> bodies() {
        return deliveries.stream()
                .map(delivery -> delivery.envelope().body().as(Object.class).orElse("none"))
                .toList();
    }

    int count() {
        return deliveries.size();
    }

    @Override
    public void deliver(Delivery delivery) {
        deliveries.add(delivery);
        behaviour.accept(delivery);
    }

    @Override
    public Future<Void> release(Set<Integer> shards, String reason) {
        return Future.succeededFuture();
    }
}
