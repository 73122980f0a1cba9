package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hubs that a hub hosts: the same life, reached through their host alone. */
class HostedHubsTest {

    private final HubHouse house = new HubHouse();
    private final AtomicReference<HubContext> root = new AtomicReference<>();
    private final AtomicReference<HubContext> line = new AtomicReference<>();
    private final AtomicReference<HubContext> part = new AtomicReference<>();
    private final AtomicReference<Promise<Object>> running = new AtomicReference<>();
    private final AtomicInteger lines = new AtomicInteger();

    @AfterEach
    void close() {
        house.close();
    }

    private static void common(HubSetup setup, AtomicReference<Promise<Object>> running) {
        setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
        setup.on("bug", MeshBody.class, body -> Future.failedFuture(new IllegalStateException("a bug")));
        setup.on("work", MeshBody.class, body -> {
            Promise<Object> promise = Promise.promise();
            running.set(promise);
            return promise.future();
        });
    }

    /** orders/42 hosts lines, which host parts. */
    private HubContext live() {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    root.set(self.self());
                    common(setup, running);
                    setup.hosts("line", this::line);
                    setup.hosts(
                            "broken",
                            () -> new TestHub((hub, broken) -> broken.init(() -> Future.failedFuture("no disk"))));
                    setup.on("needs", MeshBody.class, body -> {
                        self.self().host("line", "new");
                        return Future.succeededFuture("hosted");
                    });
                    setup.on("wraps", MeshBody.class, body -> {
                        try {
                            self.self().host("line", "new");
                        } catch (HubDisposing e) {
                            return Future.failedFuture(new IllegalArgumentException(new RuntimeException("oh", e)));
                        }
                        return Future.succeededFuture("hosted");
                    });
                }));
        house.ask(ORDER, "quick").reply();
        return root.get();
    }

    private HubVerticle line() {
        lines.incrementAndGet();
        return new TestHub((self, setup) -> {
            line.set(self.self());
            common(setup, running);
            setup.hosts(
                    "part",
                    () -> new TestHub((hub, parts) -> {
                        part.set(hub.self());
                        common(parts, running);
                        parts.hosts("screw", () -> new TestHub((none, screws) -> {}));
                    }));
        });
    }

    private HostedHub host(HubContext host, String kind, String name) {
        return house.onLoop(() -> host.host(kind, name));
    }

    private static <T extends Throwable> T failure(Future<?> future, Class<T> type) {
        Throwable cause = HubHouse.await(future.map(value -> (Throwable) new AssertionError("a reply: " + value))
                .otherwise(thrown -> thrown));
        assertThat(cause).isInstanceOf(type);
        return type.cast(cause);
    }

    private static Future<Object> ask(HostedHub hub, String type) {
        return hub.request(null, Object.class, MeshOptions.DEFAULT.withType(type));
    }

    @Test
    void aHostedHubAnswersThroughItsHandleAndLivesOnceUnderItsName() {
        HubContext order = live();
        HostedHub first = host(order, "line", "1");
        assertThat(first.address()).hasToString("orders/42/1");
        assertThat(HubHouse.await(ask(first, "quick"))).isEqualTo("quick");
        assertThat(first.level()).isEqualTo(RunLevel.STARTED);
        assertThat(host(order, "line", "1").activation()).isEqualTo(first.activation());
        assertThat(lines).hasValue(1);
        HostedHub screw = host(line.get(), "part", "screw");
        assertThat(HubHouse.await(ask(screw, "quick"))).isEqualTo("quick");
        assertThat(screw.address()).hasToString("orders/42/1/screw");
        assertThat(line.get().fence().shard()).isEqualTo(ORDER.shard());
        assertThat(HubHouse.await(house.runtime.activations(10))).hasSize(1);
    }

    @Test
    void itFailsAsEveryHubDoesAndIsNamedByItsAddress() {
        HostedHub first = host(live(), "line", "1");
        assertThat(failure(ask(first, "unknown"), NotHandled.class).address()).contains("orders/42/1");
        assertThat(failure(ask(first, "bug"), HandlerFailed.class).getMessage()).contains("orders/42/1", "a bug");
        Future<Object> hangs = first.request(
                null, Object.class, MeshOptions.DEFAULT.withType("work").withDeadline(Duration.ofSeconds(3)));
        house.pass(Duration.ofSeconds(3));
        DeadlineExceeded late = failure(hangs, DeadlineExceeded.class);
        assertThat(late.address()).contains("orders/42/1");
        assertThat(late.owner().messageType()).isEqualTo("work");
        running.get().complete("late");
        house.settle();
        List<Future<Object>> many = new ArrayList<>();
        for (int i = 0; i < HubOptions.DEFAULT_MAILBOX + 2; i++) {
            many.add(ask(first, "work"));
        }
        house.settle();
        assertThat(many.stream().filter(Future::failed))
                .hasSize(2)
                .allSatisfy(full -> assertThat(full.cause()).isInstanceOf(Overloaded.class));
    }

    @Test
    void whatCannotBeHostedSaysWhy() {
        HubContext order = live();
        host(order, "line", "1");
        assertThatThrownBy(() -> order.host("line", "1")).hasMessageContaining("event loop");
        assertThat(thrown(() -> order.host("lorry", "1"))).hasMessageContaining("'lorry'");
        assertThat(thrown(() -> order.host("broken", "1"))).hasMessageContaining("kind 'line'");
        assertThat(thrown(() -> order.host("line", "a/b"))).isInstanceOf(Rejected.class);
        assertThat(thrown(() -> order.host("line", ""))).isInstanceOf(Rejected.class);
        HostedHub broken = host(order, "broken", "b");
        failure(ask(broken, "quick"), StartFailed.class);
        HubHouse.await(broken.whenDead());
        assertThat(thrown(() -> order.host("broken", "b"))).isInstanceOf(StartFailed.class);
    }

    private Throwable thrown(Supplier<HostedHub> action) {
        return house.onLoop(() -> {
            try {
                return new AssertionError(
                        "nothing was thrown, but hosted " + action.get().address());
            } catch (RuntimeException e) {
                return e;
            }
        });
    }

    /** D1. */
    @Test
    void nothingIsHostedAnywhereBelowARootThatEndsAlsoWhereNoLevelHasChanged() {
        HubContext order = live();
        host(order, "line", "1");
        host(line.get(), "part", "p");
        house.settle();
        FakeDelivery work = house.ask(ORDER, "work");
        house.settle();
        Future<Void> dead = order.dispose("test");
        house.settle();
        assertThat(order.level()).isEqualTo(RunLevel.QUIESCING);
        assertThat(line.get().level()).isEqualTo(RunLevel.STARTED);
        assertThat(part.get().level()).isEqualTo(RunLevel.STARTED);
        assertThat(thrown(() -> order.host("line", "2"))).isInstanceOf(HubDisposing.class);
        assertThat(thrown(() -> line.get().host("part", "2"))).isInstanceOf(HubDisposing.class);
        assertThat(thrown(() -> part.get().host("screw", "2")))
                .isInstanceOf(HubDisposing.class)
                .hasMessageContaining("hub orders/42 is ending");
        running.get().complete("done");
        work.reply();
        HubHouse.await(dead);
        assertThat(lines).hasValue(1);
    }

    /** D1: a message that was queued before, whose handler then needs a hub. */
    @Test
    void aSenderWhoseHandlerNeededAHubIsToldShuttingDownAndABugStaysABug() {
        house.types.register(
                "exclusive",
                () -> new TestHub((self, setup) -> {
                    root.set(self.self());
                    setup.hosts("line", this::line);
                    setup.on("work", MeshBody.class, body -> {
                                Promise<Object> promise = Promise.promise();
                                running.set(promise);
                                return promise.future();
                            })
                            .exclusive();
                    setup.on(
                            "needs",
                            MeshBody.class,
                            body -> Future.succeededFuture(
                                    self.self().host("line", "new").address().toString()));
                    setup.on("wraps", MeshBody.class, body -> {
                        try {
                            return Future.succeededFuture(
                                    self.self().host("line", "new").address().toString());
                        } catch (HubDisposing e) {
                            return Future.failedFuture(new IllegalArgumentException(new RuntimeException("oh", e)));
                        }
                    });
                    setup.on("bug", MeshBody.class, body -> Future.failedFuture(new IllegalStateException("a bug")));
                }));
        var address = MeshAddress.of("exclusive/1");
        FakeDelivery work = house.ask(address, "work");
        FakeDelivery needs = house.ask(address, "needs");
        FakeDelivery wraps = house.ask(address, "wraps");
        FakeDelivery bug = house.ask(address, "bug");
        house.settle();
        Future<Void> dead = root.get().dispose("test");
        house.settle();
        running.get().complete("done");
        HubHouse.await(dead);
        work.reply();
        for (FakeDelivery each : List.of(needs, wraps)) {
            ShuttingDown refusal = each.failure(ShuttingDown.class);
            assertThat(refusal.entered()).isTrue();
            assertThat(refusal.failureCode()).isEqualTo(ShuttingDown.CODE_ENTERED);
            assertThat(refusal.activation()).contains(root.get().activation());
        }
        assertThat(bug.failure(HandlerFailed.class).getMessage()).contains("a bug");
        assertThat(lines).hasValue(0);
    }

    /** D12. */
    @Test
    void aDisposeRequestIsRefusedByARootAndHonouredByAHostedHub() {
        HubContext order = live();
        HostedHub first = host(order, "line", "1");
        assertThat(house.ask(ORDER, SystemMessages.DISPOSE)
                        .failure(Rejected.class)
                        .getMessage())
                .contains("mesh.recycle");
        assertThat(order.level()).isEqualTo(RunLevel.STARTED);
        house.ask(MeshAddress.of("orders/cold"), SystemMessages.DISPOSE).failure(Rejected.class);
        assertThat(HubHouse.await(house.runtime.activations(10))).hasSize(1);
        HubHouse.await(ask(first, SystemMessages.DISPOSE));
        assertThat(first.level()).isEqualTo(RunLevel.DEAD);
        ShuttingDown refusal = failure(ask(first, "quick"), ShuttingDown.class);
        assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
        assertThat(refusal.address()).contains("orders/42/1");
        HostedHub next = host(order, "line", "1");
        assertThat(next.activation()).isGreaterThan(first.activation());
        assertThat(HubHouse.await(ask(next, "quick"))).isEqualTo("quick");
    }

    /** D6 for hosted hubs: children are dead before their host is, and each says so once. */
    @Test
    void hostedHubsEndBeforeTheirHostAndSayItOnce() {
        HubContext order = live();
        List<HostedHub> hosted = List.of(host(order, "line", "1"), host(order, "line", "2"));
        HostedHub inner = host(line.get(), "part", "p");
        house.settle();
        List<String> heard = new CopyOnWriteArrayList<>();
        hosted.forEach(each -> each.whenDead().onComplete(done -> heard.add(each.level() + " " + order.level())));
        inner.whenDead().onComplete(done -> heard.add("inner " + line.get().level()));
        HubHouse.await(order.dispose("test"));
        house.settle();
        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "DEAD DISPOSING_HOSTED_HUBS", "DEAD DISPOSING_HOSTED_HUBS", "inner DISPOSING_HOSTED_HUBS");
        AtomicInteger late = new AtomicInteger();
        inner.whenDead().onComplete(done -> late.incrementAndGet());
        house.settle();
        assertThat(late).hasValue(1);
    }

    /** R10: a message to a hosted hub uses its host; without one both go, and both wake again. */
    @Test
    void aHostIsNotIdleWhileAHubThatItHostsIsUsed() {
        HubContext order = live();
        HostedHub first = host(order, "line", "1");
        for (int i = 0; i < 3; i++) {
            house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.minusSeconds(10));
            HubHouse.await(ask(first, "quick"));
        }
        Future<Object> work = ask(first, "work");
        house.settle();
        assertThat(order.level()).isEqualTo(RunLevel.STARTED);
        running.get().complete("done");
        HubHouse.await(work);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(2));
        assertThat(first.level()).isEqualTo(RunLevel.DEAD);
        assertThat(order.level()).isEqualTo(RunLevel.DEAD);
        house.ask(ORDER, "quick").reply();
        assertThat(root.get().activation()).isGreaterThan(order.activation());
    }

    /** G5: a start that needed a hub while its host ended is cancelled, and is no failure. */
    @Test
    void aStartThatNeedsAHubOfAHostThatEndsIsRefusedAndNoFailure() {
        Promise<Object> gate = Promise.promise();
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    root.set(self.self());
                    common(setup, running);
                    setup.hosts(
                            "line",
                            () -> new TestHub((hub, inner) -> inner.hosts("part", () -> new TestHub((h, s) -> {}))
                                    .init(() ->
                                            gate.future().map(open -> hub.self().host("part")))));
                }));
        house.ask(ORDER, "quick").reply();
        HostedHub first = host(root.get(), "line", "1");
        Future<Object> waiting = ask(first, "quick");
        house.ask(ORDER, "work");
        house.settle();
        Future<Void> dead = root.get().dispose("test");
        house.settle();
        house.onLoop(() -> {
            gate.complete("open");
            return null;
        });
        house.settle();
        assertThat(failure(waiting, ShuttingDown.class).entered()).isFalse();
        assertThat(house.counted("hub.starts[result, failed]")).isZero();
        running.get().complete("done");
        HubHouse.await(dead);
    }
}
