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
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A fault of the product that is built in on purpose, to show that the check of the history finds it. */
public enum Plant {
    /** Nothing is broken. */
    NONE,
    /**
     * The store takes every write, whoever owns the shard by now: a superseded activation overwrites. With a quorum of 1,
     * since under a lease no such activation comes to write at all.
     */
    IGNORE_FENCES,
    /** A node serves whether it has a lease or not, and what it served before a lapse. */
    SERVE_PAST_LEASE,
    /** A node does not notice that a shard was given to another one, and goes on serving it. */
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
    private static final long FROZEN_MS = 20_000;
    private static final long CUT_MS = 12_000;

    /** The plant of that name, as a command line writes it; an empty name is none. */
    static Plant of(String name) {
        return name.isEmpty() ? NONE : valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The faults under which it shows. */
    List<Fault> faults() {
        return switch (this) {
            case IGNORE_FENCES -> List.of(fault(Fault.Kind.CUT_NODE, CUT_MS));
            // Long enough for the others to have taken what the node goes on with when it is thawed.
            case SERVE_PAST_LEASE -> List.of(fault(Fault.Kind.LONG_FREEZE, FROZEN_MS));
            case STALE_ROW -> List.of(fault(Fault.Kind.RESTART, 1000));
            case RESEND -> List.of(fault(Fault.Kind.KILL, 1000));
            case NONE, DROP_MESSAGE, SILENCE, DENY, LOSE_WRITE -> List.of();
        };
    }

    private static Fault fault(Fault.Kind kind, long lastsMs) {
        return new Fault(kind, 2000, lastsMs, 1, 0, false);
    }

    /** Whether a lease would keep it from showing. */
    boolean isWithoutLease() {
        return this == IGNORE_FENCES;
    }

    /**
     * The lease under which it shows, where it must be another than usual: so long that the others take over before the node
     * has been without one for so long that it gives itself up.
     */
    Optional<Duration> lease() {
        return this == SERVE_PAST_LEASE ? Optional.of(Duration.ofSeconds(8)) : Optional.empty();
    }

    /** Whether it can show on this machine. */
    boolean isPossible() {
        return faults().stream().noneMatch(fault -> fault.kind().isCut()) || Namespaces.areAllowed();
    }

    /** For how long it is asked after the last fault. */
    Duration tail() {
        return switch (this) {
            case IGNORE_FENCES, SERVE_PAST_LEASE -> Duration.ofSeconds(2);
            default -> Duration.ofSeconds(8);
        };
    }

    /** The load under which it shows. */
    ChaosOptions.Workload load() {
        List<Integer> deadlines =
                switch (this) {
                    // So long that what was sent to the killed node is sent again to the one that takes over.
                    case RESEND -> List.of(20_000);
                    case SILENCE -> List.of(1000);
                    default -> List.of(3000);
                };
        // A node that is thawed is expelled soon: its callers must have much to ask at once.
        int nodeWorkers = this == SERVE_PAST_LEASE ? 24 : 8;
        return new ChaosOptions.Workload(60, 20, nodeWorkers, deadlines, this == LOSE_WRITE ? 50 : 0);
    }

    /** The promises that it breaks, any of which tells of it. */
    Set<Violation.Kind> shownBy() {
        return switch (this) {
            case NONE -> EnumSet.noneOf(Violation.Kind.class);
            case IGNORE_FENCES -> EnumSet.of(Violation.Kind.ACKNOWLEDGED_LOST);
            case SERVE_PAST_LEASE, STALE_ROW ->
                EnumSet.of(Violation.Kind.TWO_ACTIVATIONS, Violation.Kind.SUPERSEDED_AT_WORK);
            case DROP_MESSAGE -> EnumSet.of(Violation.Kind.FAILED_WHILE_CALM);
            case SILENCE -> EnumSet.of(Violation.Kind.NO_OUTCOME);
            case DENY -> EnumSet.of(Violation.Kind.EXECUTED_ALTHOUGH_DENIED, Violation.Kind.EXECUTED_TWICE);
            case RESEND -> EnumSet.of(Violation.Kind.EXECUTED_TWICE);
            case LOSE_WRITE -> EnumSet.of(Violation.Kind.ACKNOWLEDGED_LOST, Violation.Kind.NOT_LINEARIZABLE);
        };
    }

    /** Breaks what is reached through the parts of a node. */
    void into(MeshHub.Builder builder) {
        switch (this) {
            case SERVE_PAST_LEASE -> {
                // Without a lease it goes on as before, rows included; what it learns with the next one is not broken.
                AtomicReference<Lease> real = new AtomicReference<>(Lease.ALWAYS);
                SeamsOf.lease(builder, lease -> {
                    real.set(lease);
                    return Lease.ALWAYS;
                });
                SeamsOf.shards(
                        builder,
                        table -> new StaleRows(
                                table,
                                () -> !real.get().heldAt(MeshClock.system().nanoTime())));
            }
            case STALE_ROW -> SeamsOf.shards(builder, table -> new StaleRows(table, () -> true));
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
            case IGNORE_FENCES, LOSE_WRITE, RESEND -> new BrokenStore(store, this);
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
