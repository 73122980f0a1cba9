package io.meshhub.routing.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every leaf arrives as it left, in JSON and by its codec on the event bus, with its optional fields set or not. */
@ExtendWith(VertxExtension.class)
class FailureTravelTest {

    static Stream<MeshException> all() {
        return FailureSamples.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFailureComesBackFromJsonAsItWas(MeshException failure) {
        JsonObject json = new JsonObject(FailureJson.write(failure).encode());

        assertThat(FailureSamples.parts(FailureJson.read(json))).isEqualTo(FailureSamples.parts(failure));
        assertThat(json.getString("kind")).isEqualTo(failure.kind());
        assertThat(json.getInteger("code")).isEqualTo(failure.failureCode());
        assertThat(json.getString("remedy")).isEqualTo(failure.remedy().name());
        assertThat(json.stream()).noneMatch(entry -> entry.getValue() == null);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFailureComesBackFromItsEventBusCodecAsItWas(MeshException failure) {
        MessageCodec<MeshException, MeshException> codec = codecOf(failure);
        Buffer wire = Buffer.buffer("ahead");
        codec.encodeToWire(wire, failure);
        wire.appendString("behind");

        assertThat(FailureSamples.parts(codec.decodeFromWire(5, wire))).isEqualTo(FailureSamples.parts(failure));
        assertThat(codec.transform(failure)).isSameAs(failure);
    }

    @Property
    void whateverACauseSaysAFailureCanBeSent(@ForAll String text) {
        HandlerFailed failure =
                HandlerFailed.of(FailureSamples.ADDRESS, "greet", FailureDetail.NONE, new RuntimeException(text));
        Buffer wire = Buffer.buffer();
        codecOf(failure).encodeToWire(wire, failure);
        MeshException read = codecOf(failure).decodeFromWire(0, wire);

        assertThat(read).isInstanceOf(HandlerFailed.class);
        assertThat(read.getMessage()).hasSameSizeAs(failure.getMessage());
    }

    /** The id as text, since a number of 64 bits loses digits in many readers; the tag beside it for people. */
    @Test
    void theActivationIsWrittenAsTextWithItsTag() {
        JsonObject json = FailureJson.write(FailureSamples.full().get(0));

        assertThat(json.getValue("activation")).isEqualTo(Long.toString(Long.MAX_VALUE));
        assertThat(json.getString("tag")).isEqualTo(FailureSamples.ACTIVATION.tag());
    }

    @Test
    void aKindThatIsNotKnownIsRefusedByName() {
        assertThatThrownBy(() -> FailureJson.read(new JsonObject().put("kind", "Melted")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("failure of a kind that this node does not know: 'Melted'");
        assertThatThrownBy(() -> FailureJson.read(new JsonObject())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fieldsThatALaterVersionAddsAreIgnored() {
        MeshException failure = FailureSamples.full().get(2);
        JsonObject json = FailureJson.write(failure).put("later", new JsonObject().put("x", 1));

        assertThat(FailureSamples.parts(FailureJson.read(json))).isEqualTo(FailureSamples.parts(failure));
    }

    @Test
    void aReplyOnTheBusArrivesTypedAndRegisteringTwiceDoesNoHarm(Vertx vertx, VertxTestContext test) {
        EventBus bus = vertx.eventBus();
        FailureCodecs.register(bus);
        FailureCodecs.register(bus);
        MeshException failure = FailureSamples.full().get(2);
        bus.consumer("somewhere", message -> message.reply(failure));

        bus.request("somewhere", "hi")
                .onComplete(test.failing(thrown -> test.verify(() -> {
                    assertThat(thrown).isInstanceOf(ShuttingDown.class);
                    assertThat(FailureSamples.parts((MeshException) thrown)).isEqualTo(FailureSamples.parts(failure));
                    test.completeNow();
                })));
    }

    private static MessageCodec<MeshException, MeshException> codecOf(MeshException failure) {
        Map<Object, MessageCodec<?, ?>> codecs = new HashMap<>();
        EventBus bus = (EventBus) Proxy.newProxyInstance(
                EventBus.class.getClassLoader(), new Class<?>[] {EventBus.class}, (p, m, a) -> {
                    assertThat(m.getName()).isEqualTo("registerDefaultCodec");
                    codecs.put(a[0], (MessageCodec<?, ?>) a[1]);
                    return p;
                });
        FailureCodecs.register(bus);
        assertThat(codecs).hasSize(14);
        assertThat(codecs.values().stream().map(MessageCodec::name)).doesNotHaveDuplicates();
        assertThat(codecs.values()).allMatch(codec -> codec.systemCodecID() == -1);
        @SuppressWarnings("unchecked") // the codec of exactly this class
        MessageCodec<MeshException, MeshException> codec =
                (MessageCodec<MeshException, MeshException>) Objects.requireNonNull(codecs.get(failure.getClass()));
        return codec;
    }
}
