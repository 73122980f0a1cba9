package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Envelopes of every shape. */
final class EnvelopeSamples {

    record Greeting(String text, int times) {}

    private EnvelopeSamples() {}

    static Envelope full() {
        return new Envelope(
                MeshAddress.of("orders/42"),
                "greet",
                MeshBody.of(new Greeting("hi", 2)),
                Verb.REQUEST,
                MeshAddress.of("orders/7"),
                24_750,
                3,
                "ann",
                "c-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                99);
    }

    static Envelope bare(MeshBody body, Verb verb) {
        return new Envelope(MeshAddress.of("a"), "message", body, verb, null, 1, 0, null, null, null, 0);
    }

    /** Envelopes whose optional parts are there or not, independently. */
    static Arbitrary<Envelope> any() {
        Arbitrary<MeshAddress> addresses = Arbitraries.of("a", "orders/42", "\u00e5land/\ud801\udc00", "a/_Activity/x")
                .map(MeshAddress::of);
        Arbitrary<@Nullable String> texts = texts().injectNull(0.4);
        return Combinators.combine(
                        addresses,
                        texts().ofMinLength(1),
                        bodies(),
                        Arbitraries.of(Verb.values()),
                        addresses.injectNull(0.4),
                        Arbitraries.longs().between(1, 25_000),
                        Arbitraries.integers().between(0, 9),
                        Combinators.combine(texts, texts, texts)
                                .as((principal, correlation, trace) -> new CallScope(principal, correlation, trace)))
                .as((to, type, body, verb, from, deadline, hops, scope) -> new Envelope(
                        to,
                        type,
                        body,
                        verb,
                        from,
                        deadline,
                        hops,
                        scope.principal(),
                        scope.correlationId(),
                        scope.traceparent(),
                        deadline * 31));
    }

    private static net.jqwik.api.arbitraries.StringArbitrary texts() {
        return Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u00a0', '\ud7ff')
                .ofMaxLength(20);
    }

    private static Arbitrary<MeshBody> bodies() {
        return Arbitraries.<Object>of(
                        new JsonObject().put("a", new JsonArray().add(1).addNull()),
                        new JsonArray().add("x"),
                        Buffer.buffer(new byte[] {0, -1}),
                        "text \u00fc",
                        "",
                        -1L,
                        0.5,
                        true,
                        new Greeting("hi", 2))
                .injectNull(0.1)
                .map(MeshBody::of);
    }

    /** Compares all that travels; a body by its kind, its name and its bytes. */
    static void assertAlike(Envelope read, Envelope written) {
        assertThat(withoutBody(read)).isEqualTo(withoutBody(written));
        assertThat(read.body().kind()).isEqualTo(written.body().kind());
        assertThat(read.body().recordType()).isEqualTo(written.body().recordType());
        assertThat(Arrays.equals(read.body().encode(), written.body().encode())).isTrue();
    }

    /** The same envelope without its body and without the epoch, which peers without our codec do not carry. */
    static Envelope withoutBodyAndEpoch(Envelope envelope) {
        return withoutBody(envelope.routed(0, envelope.deadlineMs()));
    }

    private static Envelope withoutBody(Envelope e) {
        return new Envelope(
                e.to(),
                e.type(),
                MeshBody.NULL,
                e.verb(),
                e.from(),
                e.deadlineMs(),
                e.hops(),
                e.principal(),
                e.correlationId(),
                e.traceparent(),
                e.epoch());
    }
}
