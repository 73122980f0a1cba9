package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A body arrives as it was given, whatever its kind, and is taken over when it is made. */
class MeshBodyTest {

    @MessageType("place-order")
    record PlaceOrder(String item, int count, List<String> tags) {}

    private static final PlaceOrder ORDER = new PlaceOrder("tea", 3, List.of("green", "loose"));

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(new JsonObject().put("a", 1).put("b", new JsonArray().add("c")), MeshBody.Kind.OBJECT),
                Arguments.of(new JsonArray().add(1).add(new JsonObject().put("b", true)), MeshBody.Kind.ARRAY),
                Arguments.of(Buffer.buffer(new byte[] {0, 1, -1}), MeshBody.Kind.BUFFER),
                Arguments.of("gr\u00fcezi \ud83d\ude00", MeshBody.Kind.STRING),
                Arguments.of("", MeshBody.Kind.STRING),
                Arguments.of(Long.MIN_VALUE, MeshBody.Kind.INTEGER),
                Arguments.of(42, MeshBody.Kind.INTEGER),
                Arguments.of(-0.1, MeshBody.Kind.DECIMAL),
                Arguments.of(Double.NaN, MeshBody.Kind.DECIMAL),
                Arguments.of(true, MeshBody.Kind.BOOLEAN),
                Arguments.of(false, MeshBody.Kind.BOOLEAN),
                Arguments.of(ORDER, MeshBody.Kind.RECORD));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindIsReadAlikeHereAndOverTheWire(Object value, MeshBody.Kind kind) {
        MeshBody body = MeshBody.of(value);
        MeshBody remote = overTheWire(body);

        assertThat(body.kind()).isEqualTo(kind);
        assertThat(remote.kind()).isEqualTo(kind);
        assertThat(remote.recordType()).isEqualTo(body.recordType());
        assertThat(remote.encode()).isEqualTo(body.encode());
        assertThat(body.as(value.getClass()))
                .hasValueSatisfying(read -> assertThat((Object) read).isEqualTo(value));
        assertThat(remote.as(value.getClass()))
                .hasValueSatisfying(read -> assertThat((Object) read).isEqualTo(value));
        assertThat(remote.as(MeshBody.class)).containsSame(remote);
        assertThat(remote.isNull()).isFalse();
    }

    @Test
    void nothingIsReadAsNothing() {
        MeshBody remote = overTheWire(MeshBody.of(null));

        assertThat(remote.isNull()).isTrue();
        assertThat(remote.as(String.class)).isEmpty();
        assertThat(remote.as(PlaceOrder.class)).isEmpty();
        assertThat(remote.toPlain()).isNull();
        assertThat(MeshBody.of(null)).isSameAs(MeshBody.NULL);
    }

    @Property
    void anyTextAndNumberSurvivesTheWire(@ForAll long whole, @ForAll double decimal, @ForAll byte[] bytes) {
        assertThat(overTheWire(MeshBody.of(whole)).as(Long.class)).contains(whole);
        assertThat(overTheWire(MeshBody.of(decimal)).as(Double.class)).contains(decimal);
        assertThat(overTheWire(MeshBody.of(bytes)).as(Buffer.class)).contains(Buffer.buffer(bytes));
    }

    @Test
    void smallNumbersCharactersAndByteArraysTravelAsTheirWideKind() {
        assertThat(MeshBody.of((short) 3).as(Integer.class)).contains(3);
        assertThat(MeshBody.of((byte) 3).as(Long.class)).contains(3L);
        assertThat(MeshBody.of(1.5f).as(Double.class)).contains(1.5);
        assertThat(MeshBody.of(3).as(Double.class)).contains(3.0);
        assertThat(MeshBody.of('x').as(String.class)).contains("x");
        assertThat(MeshBody.of(new byte[] {7}).as(Buffer.class)).contains(Buffer.buffer(new byte[] {7}));
    }

    @Test
    void onTheOwnNodeARecordIsHandedOverByReference() {
        MeshBody body = MeshBody.of(ORDER);

        assertThat(body.as(PlaceOrder.class)).containsSame(ORDER);
        assertThat(body.as(Object.class)).containsSame(ORDER);
        assertThat(body.copy()).isSameAs(body);
        assertThat(MeshBody.of(body)).isSameAs(body);
    }

    @Test
    void whatTheCallerChangesLaterIsNotSeen() {
        JsonObject object = new JsonObject().put("list", new JsonArray().add(1));
        JsonArray array = new JsonArray().add(new JsonObject().put("a", 1));
        Buffer buffer = Buffer.buffer("before");
        byte[] raw = {1, 2};
        MeshBody ofObject = MeshBody.of(object);
        MeshBody ofArray = MeshBody.of(array);
        MeshBody ofBuffer = MeshBody.of(buffer);
        MeshBody ofRaw = MeshBody.of(raw);

        object.getJsonArray("list").add(2);
        array.getJsonObject(0).put("a", 2);
        buffer.setByte(0, (byte) 'X').appendString(" after");
        raw[0] = 9;

        assertThat(ofObject.as(JsonObject.class)).contains(new JsonObject("{\"list\":[1]}"));
        assertThat(ofArray.as(JsonArray.class)).contains(new JsonArray("[{\"a\":1}]"));
        assertThat(ofBuffer.as(Buffer.class)).contains(Buffer.buffer("before"));
        assertThat(ofRaw.as(Buffer.class)).contains(Buffer.buffer(new byte[] {1, 2}));
        assertThat(new String(ofBuffer.encode(), StandardCharsets.UTF_8)).isEqualTo("before");
    }

    @Test
    void aCopyIsUntouchedByAReceiverThatChangesWhatItGot() {
        MeshBody body = MeshBody.of(new JsonObject().put("a", 1));
        MeshBody copy = body.copy();
        body.as(JsonObject.class).orElseThrow().put("a", 2);

        assertThat(copy.as(JsonObject.class)).contains(new JsonObject().put("a", 1));
    }

    @Test
    void aRecordIsReadAsJsonAndJsonAsARecord() {
        JsonObject json = new JsonObject()
                .put("item", "tea")
                .put("count", 3)
                .put("tags", new JsonArray().add("green").add("loose"));

        assertThat(MeshBody.of(ORDER).as(JsonObject.class)).contains(json);
        assertThat(overTheWire(MeshBody.of(ORDER)).as(JsonObject.class)).contains(json);
        assertThat(MeshBody.of(json).as(PlaceOrder.class)).contains(ORDER);
        assertThat(overTheWire(MeshBody.of(json)).as(PlaceOrder.class)).contains(ORDER);
        assertThat(MeshBody.of(json.copy().put("newer", "field")).as(PlaceOrder.class))
                .contains(ORDER);
        assertThat(MeshBody.of(ORDER).toPlain()).isEqualTo(json);
    }

    @Test
    void theNameOfARecordIsItsMessageTypeAndOthersHaveTheDefault() {
        record Plain(int a) {}

        assertThat(MeshBody.of(ORDER).recordType()).contains("place-order");
        assertThat(MeshBody.of(ORDER)).hasToString("place-order");
        assertThat(MessageType.Names.ofBody(MeshBody.of(ORDER))).isEqualTo("place-order");
        assertThat(MessageType.Names.ofBody(MeshBody.of(new Plain(1)))).isEqualTo("Plain");
        assertThat(MessageType.Names.ofBody(MeshBody.of("text"))).isEqualTo(MessageType.DEFAULT);
        assertThat(MessageType.Names.isSystem("mesh.recycle")).isTrue();
        assertThat(MessageType.Names.isSystem("meshed")).isFalse();
        assertThat(MeshBody.of("text")).hasToString("string");
    }

    @Test
    void whateverElseJacksonWritesIsReadAlikeHereAndOverTheWire() {
        MeshBody list = MeshBody.of(List.of("a", "b"));
        MeshBody map = MeshBody.of(Map.of("a", 1));
        MeshBody big = MeshBody.of(new java.math.BigDecimal("1.5"));

        for (MeshBody body : List.of(list, overTheWire(list))) {
            assertThat(body.as(List.class))
                    .hasValueSatisfying(read -> assertThat((Object) read).isEqualTo(List.of("a", "b")));
            assertThat(body.as(JsonArray.class))
                    .contains(new JsonArray().add("a").add("b"));
            assertThat(body.toPlain()).isEqualTo(new JsonArray().add("a").add("b"));
        }
        for (MeshBody body : List.of(map, overTheWire(map))) {
            assertThat(body.as(JsonObject.class)).contains(new JsonObject().put("a", 1));
            assertThat(body.toPlain()).isEqualTo(new JsonObject().put("a", 1));
        }
        for (MeshBody body : List.of(big, overTheWire(big))) {
            assertThat(body.as(java.math.BigDecimal.class)).contains(new java.math.BigDecimal("1.5"));
            assertThat(body.toPlain()).isEqualTo(1.5);
        }
    }

    @Test
    void whatJacksonCannotWriteIsRefusedWithItsName() {
        record Opaque(Object inside) {}

        assertThatThrownBy(() -> MeshBody.of(new Opaque(new Object())).encode())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a body of type 'Opaque' cannot be written: ");
    }

    static MeshBody overTheWire(MeshBody body) {
        Buffer wire = Buffer.buffer();
        EnvelopeCodec.writeBody(wire, body);
        WireReader in = new WireReader(wire, 0);
        MeshBody read = EnvelopeCodec.readBody(in);
        assertThat(in.position()).isEqualTo(wire.length());
        return read;
    }
}
