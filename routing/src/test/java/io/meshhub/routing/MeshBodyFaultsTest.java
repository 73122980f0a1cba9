package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that cannot be read as asked, or that no node of ours wrote, says so by one kind of failure. */
class MeshBodyFaultsTest {

    @MessageType("place-order")
    record PlaceOrder(String item, int count) {
        PlaceOrder {
            if (count < 0) {
                throw new IllegalArgumentException("count = " + count + " must be >= 0");
            }
        }
    }

    static Stream<Arguments> wrongClasses() {
        JsonObject json = new JsonObject().put("item", new JsonArray().add(1));
        return Stream.of(
                Arguments.of("text", JsonObject.class, "a body of kind string", "'JsonObject'"),
                Arguments.of("text", PlaceOrder.class, "a body of kind string", "'place-order'"),
                Arguments.of("7", Long.class, "a body of kind string", "'Long'"),
                Arguments.of(7L, String.class, "a body of kind integer", "'String'"),
                Arguments.of(1L << 40, Integer.class, "a body of kind integer", "'Integer'"),
                Arguments.of(1.5, Long.class, "a body of kind decimal", "'Long'"),
                Arguments.of(true, Integer.class, "a body of kind boolean", "'Integer'"),
                Arguments.of(Buffer.buffer("{}"), JsonObject.class, "a body of kind buffer", "'JsonObject'"),
                Arguments.of(json, PlaceOrder.class, "a body of kind object", "'place-order'"),
                Arguments.of(json, JsonArray.class, "a body of kind object", "'JsonArray'"),
                Arguments.of(json, String.class, "a body of kind object", "'String'"),
                Arguments.of(json, Buffer.class, "a body of kind object", "'Buffer'"),
                Arguments.of(json, Integer.class, "a body of kind object", "'Integer'"),
                Arguments.of(new JsonArray().add(1), JsonObject.class, "a body of kind array", "'JsonObject'"),
                Arguments.of(new JsonArray(), PlaceOrder.class, "a body of kind array", "'place-order'"),
                Arguments.of(new PlaceOrder("tea", 1), Boolean.class, "a body of type 'place-order'", "'Boolean'"),
                Arguments.of(new PlaceOrder("tea", 1), JsonArray.class, "a body of type 'place-order'", "'JsonArray'"));
    }

    @ParameterizedTest
    @MethodSource("wrongClasses")
    void aBodyReadAsAWrongClassNamesBothHereAndOverTheWire(Object value, Class<?> type, String what, String as) {
        for (MeshBody body : new MeshBody[] {MeshBody.of(value), MeshBodyTest.overTheWire(MeshBody.of(value))}) {
            assertThatThrownBy(() -> body.as(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(what + " cannot be read as " + as);
        }
    }

    @Test
    void aRecordThatRefusesItsFieldsIsAFaultOfTheBody() {
        assertThatThrownBy(() -> MeshBody.of(new JsonObject().put("count", -1)).as(PlaceOrder.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a body of kind object cannot be read as 'place-order': ")
                .hasMessageContaining("count = -1 must be >= 0");
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 100, 255, -1})
    void anUnknownKindIsRefusedByItsNumber(int kind) {
        assertThatThrownBy(() -> MeshBody.ofWire(kind, null, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("body of a kind that this node does not know: " + kind);
    }

    @Test
    void kindsKeepTheirNumbersOnTheWire() {
        assertThat(MeshBody.Kind.values())
                .extracting(kind -> kind.name() + "=" + kind.wire())
                .containsExactly(
                        "NULL=0",
                        "OBJECT=1",
                        "ARRAY=2",
                        "BUFFER=3",
                        "STRING=4",
                        "INTEGER=5",
                        "DECIMAL=6",
                        "BOOLEAN=7",
                        "RECORD=8");
    }

    @ParameterizedTest
    @CsvSource({"5, 0", "5, 7", "5, 9", "6, 4", "7, 0", "7, 2"})
    void aValueOfAWrongLengthIsRefusedOnArrival(int kind, int length) {
        assertThatThrownBy(() -> MeshBody.ofWire(kind, null, new byte[length]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(length + " bytes");
    }

    @ParameterizedTest
    @CsvSource({"1, JsonObject", "2, JsonArray", "8, place-order"})
    void bytesThatAreNoJsonAreAFaultOfTheBody(int kind, String ignored) {
        MeshBody body = MeshBody.ofWire(kind, kind == 8 ? ignored : null, "{[".getBytes(StandardCharsets.UTF_8));

        for (Class<?> type : new Class<?>[] {JsonObject.class, JsonArray.class, PlaceOrder.class, Object.class}) {
            assertThatThrownBy(() -> body.as(type)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(body::toPlain).isInstanceOf(IllegalArgumentException.class);
    }
}
