package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.failure.Rejected;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a message for peers without our codec, as headers and as JSON. */
class EnvelopeHeadersTest {

    private static final Duration BUDGET = Duration.ofSeconds(25);

    @Property
    void headersAndPlainBodyMakeTheEnvelopeAgain(@ForAll("envelopes") Envelope envelope) {
        Envelope read = EnvelopeHeaders.fromHeaders(
                EnvelopeHeaders.toHeaders(envelope), envelope.body().toPlain(), BUDGET, expectsReply(envelope));

        assertThat(EnvelopeSamples.withoutBodyAndEpoch(read)).isEqualTo(EnvelopeSamples.withoutBodyAndEpoch(envelope));
        assertThat(read.body().toPlain()).isEqualTo(envelope.body().toPlain());
    }

    @Property
    void theJsonFormMakesTheEnvelopeAgainAlsoAsText(@ForAll("envelopes") Envelope envelope) {
        JsonObject json = EnvelopeHeaders.toJson(envelope);
        Envelope read = EnvelopeHeaders.fromJson(json, BUDGET, expectsReply(envelope));
        Envelope parsed = EnvelopeHeaders.fromJson(new JsonObject(json.encode()), BUDGET, expectsReply(envelope));

        assertThat(EnvelopeHeaders.isJsonForm(json)).isTrue();
        assertThat(EnvelopeSamples.withoutBodyAndEpoch(read)).isEqualTo(EnvelopeSamples.withoutBodyAndEpoch(envelope));
        assertThat(EnvelopeSamples.withoutBodyAndEpoch(parsed))
                .isEqualTo(EnvelopeSamples.withoutBodyAndEpoch(envelope));
        // JSON has no bytes: a buffer becomes text in base64.
        Object plain = envelope.body().toPlain();
        assertThat(read.body().toPlain()).isEqualTo(plain instanceof Buffer ? json.getString("body") : plain);
    }

    @Test
    void theHeadersHaveTheNamesOfTheContract() {
        Envelope full = EnvelopeSamples.full();

        assertThat(EnvelopeHeaders.toHeaders(full).names())
                .containsExactlyInAnyOrder(
                        "mesh-to",
                        "mesh-type",
                        "mesh-from",
                        "mesh-deadline-ms",
                        "mesh-hops",
                        "mesh-principal",
                        "mesh-correlation-id",
                        "traceparent");
        assertThat(EnvelopeHeaders.toHeaders(EnvelopeSamples.bare(MeshBody.NULL, Verb.NOTIFY))
                        .get("mesh-ignorable"))
                .isEqualTo("true");
    }

    @Test
    void namesAreReadInAnyCase() {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .set("MESH-TO", "orders/42")
                .set("Mesh-Type", "greet")
                .set("Mesh-Deadline-Ms", "100")
                .set("Mesh-Correlation-Id", "c-1");
        Envelope read = EnvelopeHeaders.fromHeaders(headers, "hi", BUDGET, true);
        Envelope json = EnvelopeHeaders.fromJson(
                new JsonObject().put("mesh-to", "orders/42").put("Mesh-Type", "greet"), BUDGET, true);

        assertThat(read.to()).hasToString("orders/42");
        assertThat(read.type()).isEqualTo("greet");
        assertThat(read.deadlineMs()).isEqualTo(100);
        assertThat(read.correlationId()).isEqualTo("c-1");
        assertThat(json.type()).isEqualTo("greet");
    }

    @Test
    void whatIsAbsentHasItsDefault() {
        Envelope read = EnvelopeHeaders.fromHeaders(to("orders/42"), null, BUDGET, true);

        assertThat(read)
                .isEqualTo(new Envelope(
                        MeshAddress.of("orders/42"),
                        MessageType.DEFAULT,
                        MeshBody.NULL,
                        Verb.REQUEST,
                        null,
                        BUDGET.toMillis(),
                        0,
                        null,
                        null,
                        null,
                        0));
        assertThat(EnvelopeHeaders.fromHeaders(to("a").set("mesh-type", ""), "x", BUDGET, false))
                .satisfies(send -> assertThat(send.type()).isEqualTo(MessageType.DEFAULT))
                .satisfies(send -> assertThat(send.verb()).isEqualTo(Verb.SEND));
    }

    @Test
    void nobodyGetsMoreTimeThanTheBudget() {
        MultiMap headers = to("a").set("mesh-deadline-ms", "3600000");

        assertThat(EnvelopeHeaders.fromHeaders(headers, null, BUDGET, true).deadlineMs())
                .isEqualTo(BUDGET.toMillis());
    }

    /** M11. */
    @Test
    void anIgnorableMessageWithAReplyAddressIsRejected() {
        MultiMap headers = to("orders/42").set("mesh-ignorable", "true");

        assertThat(EnvelopeHeaders.fromHeaders(headers, null, BUDGET, false).verb())
                .isEqualTo(Verb.NOTIFY);
        assertThatThrownBy(() -> EnvelopeHeaders.fromHeaders(headers, null, BUDGET, true))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("'orders/42'")
                .hasMessageContaining("it is ignorable and has a reply address");
    }

    @ParameterizedTest
    @CsvSource({
        "mesh-deadline-ms, soon, is no whole number",
        "mesh-deadline-ms, 1.5, is no whole number",
        "mesh-deadline-ms, 0, must be >= 1",
        "mesh-deadline-ms, -5, must be >= 1",
        "mesh-deadline-ms, 99999999999999999999, is no whole number",
        "mesh-hops, many, is no whole number",
        "mesh-hops, -1, must be >= 0"
    })
    void aMalformedNumberIsRejectedByNameAndValue(String name, String value, String why) {
        assertThatThrownBy(() -> EnvelopeHeaders.fromHeaders(to("a").set(name, value), null, BUDGET, true))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("header '" + name + "'")
                .hasMessageContaining(value)
                .hasMessageContaining(why);
    }

    @Test
    void aMissingOrMalformedAddressIsRejected() {
        assertThatThrownBy(() -> EnvelopeHeaders.fromHeaders(MultiMap.caseInsensitiveMultiMap(), null, BUDGET, true))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("'mesh-to'");
        assertThatThrownBy(() -> EnvelopeHeaders.fromHeaders(to("a//b"), null, BUDGET, true))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("position 2");
        assertThatThrownBy(() -> EnvelopeHeaders.fromHeaders(to("a").set("mesh-from", "b b"), null, BUDGET, true))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("'b b'");
    }

    @Test
    void hopsBeyondAnyNumberOfNodesStayTooMany() {
        MultiMap headers = to("a").set("mesh-hops", Long.toString(1L << 32));

        assertThat(EnvelopeHeaders.fromHeaders(headers, null, BUDGET, true).hops())
                .isGreaterThan(Envelope.MAX_HOPS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"mesh-to\":1}", "{\"to\":\"a\"}", "{\"mesh-to\":null}"})
    void otherJsonIsNotTheJsonForm(String json) {
        assertThat(EnvelopeHeaders.isJsonForm(new JsonObject(json))).isFalse();
        assertThat(EnvelopeHeaders.isJsonForm(json)).isFalse();
        assertThat(EnvelopeHeaders.isJsonForm(null)).isFalse();
    }

    @Test
    void theJsonFormTakesNumbersAndFlagsAsSuch() {
        JsonObject json = new JsonObject()
                .put("mesh-to", "a")
                .put("mesh-deadline-ms", 100)
                .put("mesh-ignorable", true)
                .putNull("mesh-principal")
                .put("body", new JsonObject().put("x", 1));
        Envelope read = EnvelopeHeaders.fromJson(json, BUDGET, false);

        assertThat(read.deadlineMs()).isEqualTo(100);
        assertThat(read.verb()).isEqualTo(Verb.NOTIFY);
        assertThat(read.principal()).isNull();
        assertThat(read.body().as(JsonObject.class)).contains(new JsonObject().put("x", 1));
    }

    @Provide
    Arbitrary<Envelope> envelopes() {
        return EnvelopeSamples.any();
    }

    private static boolean expectsReply(Envelope envelope) {
        return envelope.verb() == Verb.REQUEST;
    }

    private static MultiMap to(String address) {
        return MultiMap.caseInsensitiveMultiMap().set(EnvelopeHeaders.TO, address);
    }
}
