package io.meshhub.it.chaos;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.SeamsOf;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A fault of the product that is built in on purpose, to show that the check of the history finds it. */
enum Plant {
    /** Nothing is broken. */
    NONE,
    /** The store takes every write, whoever owns the shard by now: a superseded activation overwrites. */
    IGNORE_FENCES,
    /** A node serves whether it has a lease or not. */
    SERVE_PAST_LEASE,
    /** Every process keeps the first owner of each shard that it hears of, and such an owner goes on serving. */
    STALE_ROW,
    /** Now and then a message that has reached its owner is dropped. */
    DROP_MESSAGE,
    /** Messages are dropped, and no caller's time ever runs out. */
    SILENCE,
    /** Now and then what was executed is said not to have been. */
    DENY,
    /** What may have been executed is sent again. */
    RESEND,
    /** Now and then a write is acknowledged that was not made. */
    LOSE_WRITE;

    private static final int EVERY = 150;
    private static final Duration LONG = Duration.ofMillis(600);

    /** The plant of that name, as a command line writes it; an empty name is none. */
    static Plant of(String name) {
        return name.isEmpty() ? NONE : valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The faults under which it shows. */
    Set<Fault.Kind> faults() {
        return switch (this) {
            case IGNORE_FENCES -> EnumSet.of(Fault.Kind.CUT_NODE);
            case SERVE_PAST_LEASE -> EnumSet.of(Fault.Kind.CUT_NODE, Fault.Kind.LONG_FREEZE);
            case STALE_ROW -> EnumSet.of(Fault.Kind.RESTART);
            case RESEND, LOSE_WRITE -> EnumSet.of(Fault.Kind.KILL);
            case NONE, DROP_MESSAGE, SILENCE, DENY -> EnumSet.noneOf(Fault.Kind.class);
        };
    }

    /** Breaks what is reached through the parts of a node. */
    void into(MeshHub.Builder builder) {
        switch (this) {
            case SERVE_PAST_LEASE -> SeamsOf.lease(builder, lease -> Lease.ALWAYS);
            case STALE_ROW -> SeamsOf.shards(builder, StaleRows::new);
            case DROP_MESSAGE -> SeamsOf.activator(builder, Plant::dropping);
            case SILENCE -> {
                SeamsOf.activator(builder, Plant::dropping);
                SeamsOf.pacer(builder, Plant::forgetful);
            }
            case DENY -> SeamsOf.activator(builder, Plant::denying);
            case NONE, IGNORE_FENCES, RESEND, LOSE_WRITE -> {
                // Broken elsewhere.
            }
        }
    }

    /** Breaks the store. */
    NodeStore into(NodeStore store) {
        return switch (this) {
            case IGNORE_FENCES -> new BrokenStore(store, true, false);
            case LOSE_WRITE -> new BrokenStore(store, false, true);
            default -> store;
        };
    }

    private static Activator dropping(Activator activator) {
        AtomicLong count = new AtomicLong();
        return activator(activator, delivery -> {
            if (count.incrementAndGet() % EVERY != 0) {
                activator.deliver(delivery);
            }
        });
    }

    private static Activator denying(Activator activator) {
        AtomicLong count = new AtomicLong();
        return activator(
                activator,
                delivery -> activator.deliver(count.incrementAndGet() % EVERY == 0 ? new Denied(delivery) : delivery));
    }

    private static Activator activator(Activator activator, Consumer<Delivery> deliver) {
        return new Activator() {
            @Override
            public void deliver(Delivery delivery) {
                deliver.accept(delivery);
            }

            @Override
            public Future<Void> release(Set<Integer> shards, String reason) {
                return activator.release(shards, reason);
            }
        };
    }

    private static Pacer forgetful(Pacer pacer) {
        return (delay, action) -> delay.compareTo(LONG) > 0 ? () -> true : pacer.after(delay, action);
    }

    /** Says of what was done that it was not. */
    private record Denied(Delivery delivery) implements Delivery {

        @Override
        public Envelope envelope() {
            return delivery.envelope();
        }

        @Override
        public long deadlineNanos() {
            return delivery.deadlineNanos();
        }

        @Override
        public boolean isEnded() {
            return delivery.isEnded();
        }

        @Override
        public void accepted(ActivationId activation) {
            delivery.accepted(activation);
        }

        @Override
        public void reply(MeshBody body, ActivationId activation) {
            delivery.fail(Unavailable.notSent(delivery.envelope().to(), "planted", "it is said so on purpose"));
        }

        @Override
        public void fail(MeshException failure) {
            delivery.fail(failure);
        }

        @Override
        public void describedBy(Supplier<MeshException> atDeadline) {
            delivery.describedBy(atDeadline);
        }
    }
}
