package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The decorated event bus: addresses of a registered partition are hubs, all others are what they always were. */
class MeshEventBusTest {

    private static final String HUB = TwoNodes.ADDRESS.toString();

    private final TwoNodes nodes = new TwoNodes();
    private final EventBus bus = nodes.caller.mesh.eventBus();

    private record Ping(int number) {}

    @MessageType("Renamed")
    private record Named(int number) {}

    @BeforeEach
    void register() {
        nodes.caller.mesh.addPartition("orders");
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private Envelope arrived(int count) {
        Await.until(() -> nodes.owner.activator.count() >= count);
        return nodes.owner.activator.deliveries().get(count - 1).envelope();
    }

    @Test
    void requestOnARegisteredPartitionGoesToTheHub() {
        JsonObject body = new JsonObject().put("a", 1);

        assertThat(Await.value(bus.<JsonObject>request(HUB, body)).body()).isEqualTo(body);

        assertThat(arrived(1).verb()).isEqualTo(Verb.REQUEST);
        assertThat(arrived(1).type()).isEqualTo(MessageType.DEFAULT);
    }

    /** D10, and section 4 of the lease: what a hub sends over the event bus is sent with the hub's right to send. */
    @Test
    void senderThatMayNotSendReachesNoHubAndIsToldWhy() {
        AtomicReference<MeshException> why = new AtomicReference<>();
        EventBus own = nodes.caller.mesh.eventBus(why::get);
        own.publish(HUB, "before");
        assertThat(arrived(1).verb()).isEqualTo(Verb.NOTIFY);

        MeshException ended = Unavailable.notSent(TwoNodes.ADDRESS, "a", "the sender has ended");
        why.set(ended);
        own.send(HUB, "one").publish(HUB, "two");
        own.<String>publisher(HUB).write("three");
        assertThat(Await.failure(own.<String>sender(HUB).write("four"), Unavailable.class))
                .isSameAs(ended);
        assertThat(Await.failure(own.request(HUB, "five"), Unavailable.class)).isSameAs(ended);

        why.set(null);
        own.publish(HUB, "after");
        arrived(2);
        assertThat(nodes.owner.activator.bodies()).containsExactly("before", "after");
    }

    @Test
    void sendAndProducersGoToTheHub() {
        bus.send(HUB, "one");
        assertThat(arrived(1).verb()).isEqualTo(Verb.SEND);
        Await.value(bus.<String>sender(HUB).write("two"));
        assertThat(arrived(2).verb()).isEqualTo(Verb.SEND);
        bus.publish(HUB, "three");
        assertThat(arrived(3).verb()).isEqualTo(Verb.NOTIFY);
        Await.value(bus.<String>publisher(HUB).write("four"));
        assertThat(arrived(4).verb()).isEqualTo(Verb.NOTIFY);

        assertThat(nodes.owner.activator.bodies()).containsExactly("one", "two", "three", "four");
    }

    @Test
    void typeComesFromTheHeaderElseFromTheClass() {
        bus.request(HUB, new Ping(1));
        assertThat(arrived(1).type()).isEqualTo("Ping");
        bus.request(HUB, new Named(1));
        assertThat(arrived(2).type()).isEqualTo("Renamed");
        bus.request(HUB, new Ping(1), new DeliveryOptions().addHeader(EnvelopeHeaders.TYPE, "Other"));
        assertThat(arrived(3).type()).isEqualTo("Other");
    }

    @Test
    void forgedHeadersAreDropped() {
        DeliveryOptions forged = new DeliveryOptions()
                .addHeader(EnvelopeHeaders.PRINCIPAL, "admin")
                .addHeader(EnvelopeHeaders.FROM, "not // an address")
                .addHeader(EnvelopeHeaders.HOPS, "99")
                .addHeader(EnvelopeHeaders.TO, "orders/other");

        Await.value(bus.request(HUB, "ping", forged));

        Envelope arrived = arrived(1);
        assertThat(arrived.principal()).isNull();
        assertThat(arrived.from()).isNull();
        assertThat(arrived.hops()).isZero();
        assertThat(arrived.to()).isEqualTo(TwoNodes.ADDRESS);
    }

    /** M10: what the message being handled came with goes on. */
    @Test
    void scopeOfTheMessageBeingHandledIsInherited() {
        ContextInternal context =
                ((VertxInternal) nodes.vertx).createEventLoopContext().duplicate();
        new CallScope("alice", "c-7", null).enter(context);

        context.runOnContext(turn -> bus.request(HUB, "ping"));

        assertThat(arrived(1).principal()).isEqualTo("alice");
        assertThat(arrived(1).correlationId()).isEqualTo("c-7");
    }

    @Test
    void typesOfTheMeshItselfAreRefused() {
        DeliveryOptions system = new DeliveryOptions().addHeader(EnvelopeHeaders.TYPE, MeshRouter.RECYCLE);

        Await.failure(bus.request(HUB, "ping", system), Rejected.class);

        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void badMessagesFailTheirFutureAndPublishDropsThem() {
        JsonObject foreign = new JsonObject().put("thread", Thread.currentThread());

        Await.failure(bus.request("orders//42", "ping"), Rejected.class);
        Await.failure(bus.request(HUB, foreign), Rejected.class);
        Await.failure(
                bus.request(HUB, "ping", new DeliveryOptions().addHeader(EnvelopeHeaders.IGNORABLE, "true")),
                Rejected.class);
        assertThatCode(() -> {
                    bus.send(HUB, foreign);
                    bus.publish("orders//42", "ping");
                    bus.publish(HUB, foreign);
                    bus.publish(HUB, new SendAndNotifyTest.Unwritable());
                })
                .doesNotThrowAnyException();
        assertThat(nodes.caller.metrics.count("mesh.notify.dropped")).isEqualTo(3);
    }

    @Test
    void ignorableSendIsToldAndNotRiddenOut() {
        nodes.owner.lease.set(false);

        bus.send(HUB, "ping", new DeliveryOptions().addHeader(EnvelopeHeaders.IGNORABLE, "true"));

        Await.until(() -> nodes.owner.metrics.count("mesh.notify.dropped") == 1);
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void sendTimeoutThatWasSetIsTheDeadline() {
        nodes.owner.activator.behave(delivery -> {});
        Future<?> answer = bus.request(HUB, "ping", new DeliveryOptions().setSendTimeout(700));
        arrived(1);

        nodes.advance(Duration.ofMillis(700));

        Await.failure(answer, DeadlineExceeded.class);
    }

    @Test
    void consumerOnAMeshPartitionIsRefused() {
        List<Runnable> registrations = List.of(
                () -> bus.consumer(HUB),
                () -> bus.consumer(HUB, message -> {}),
                () -> bus.localConsumer(HUB),
                () -> bus.localConsumer(HUB, message -> {}),
                () -> bus.consumer(new MessageConsumerOptions().setAddress(HUB)),
                () -> bus.consumer(new MessageConsumerOptions().setAddress(HUB), message -> {}));

        registrations.forEach(registration -> assertThatIllegalArgumentException()
                .isThrownBy(registration::run)
                .withMessageContaining(HUB));
    }

    @Test
    void everythingElseIsLeftToTheBus() {
        List<Object> heard = new CopyOnWriteArrayList<>();
        bus.consumer("plain/address", message -> {
            heard.add(message.body());
            message.reply("pong");
        });

        assertThat(Await.value(bus.request("plain/address", "request")).body()).isEqualTo("pong");
        bus.send("plain/address", "send");
        bus.publish("plain/address", "publish");
        Await.value(bus.<String>sender("plain/address").write("sender"));
        Await.value(bus.<String>publisher("plain/address").write("publisher"));
        nodes.vertx.eventBus().send("plain/address", "from the bus itself");

        Await.until(() -> heard.size() == 6);
        assertThat(heard)
                .containsExactlyInAnyOrder("request", "send", "publish", "sender", "publisher", "from the bus itself");
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void interceptorsAreThoseOfTheBus() {
        List<String> seen = new ArrayList<>();
        bus.addOutboundInterceptor(context -> {
            seen.add(context.message().address());
            context.next();
        });

        nodes.vertx.eventBus().send("plain", "x");

        assertThat(seen).containsExactly("plain");
    }
}
