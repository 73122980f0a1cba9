package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Remedy;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of an address, each at its bound, and the place of the fault where one is broken (R1: `Rejected`). */
class MeshAddressRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "orders/42",
                "iso/CH/ZH",
                "acme/_Activity/import-9f2c",
                "._~@+-/...",
                "a/.hidden/..b",
                "\u00e5land/\u4e2d\u6587",
                "\u0661\u0662/\ud801\udc00"
            })
    void lettersDigitsAndTheSixSignsMakeAnAddress(String text) {
        assertThat(MeshAddress.of(text)).hasToString(text);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("", 0, "is empty"),
                Arguments.of("/a", 0, "has an empty segment"),
                Arguments.of("a/", 2, "has an empty segment"),
                Arguments.of("a//b", 2, "has an empty segment"),
                Arguments.of("/", 0, "has an empty segment"),
                Arguments.of(".", 0, "has a segment '.'"),
                Arguments.of("a/./b", 2, "has a segment '.'"),
                Arguments.of("a/..", 2, "has a segment '..'"),
                Arguments.of("../a", 0, "has a segment '..'"),
                Arguments.of("a b", 1, "' ' (U+0020)"),
                Arguments.of("a/b*", 3, "'*' (U+002A)"),
                Arguments.of("a/b\n", 3, "U+000A"),
                Arguments.of("a:b", 1, "':' (U+003A)"),
                Arguments.of("a\\b", 1, "U+005C"),
                Arguments.of("a%2Fb", 1, "'%' (U+0025)"),
                Arguments.of("a\u0301", 1, "(U+0301)"),
                Arguments.of("\ud801\udc00/\u20ac", 3, "(U+20AC)"),
                Arguments.of("\ud83d\ude00", 0, "(U+1F600)"),
                Arguments.of("ab\ud800", 2, "U+D800"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultIsRejectedWithItsPosition(String text, int position, String what) {
        Rejected rejected = fault(text);

        assertThat(rejected.position()).hasValue(position);
        assertThat(rejected).hasMessageContaining(what).hasMessageEndingWith("at position " + position);
        assertThat(rejected.remedy()).isEqualTo(Remedy.STOP);
    }

    @Test
    void sixteenSegmentsAreAnAddressAndTheSeventeenthIsAFaultAtItsSlash() {
        String sixteen = String.join("/", Collections.nCopies(16, "s"));

        assertThat(MeshAddress.of(sixteen).segments()).hasSize(MeshAddress.MAX_SEGMENTS);
        assertThat(fault(sixteen + "/s").position()).hasValue(sixteen.length());
    }

    @Test
    void aSegmentHas128CharactersAtMostAlsoOfTwoCharsEach() {
        String latin = "x".repeat(128);
        String wide = "\ud801\udc00".repeat(127);

        assertThat(MeshAddress.of("p/" + latin).name()).isEqualTo(latin);
        assertThat(fault("p/" + latin + "x").position()).hasValue(2 + 128);
        assertThat(MeshAddress.of("p/" + wide).name()).isEqualTo(wide);
        assertThat(fault("p/" + "\ud801\udc00".repeat(129)).position()).hasValue(2 + 256);
    }

    @Test
    void theWholeHas512BytesOfUtf8AtMost() {
        String ascii = String.join("/", Collections.nCopies(4, "x".repeat(127))) + "/";
        String letters = "\u00e5".repeat(128) + "/" + "\u00e5".repeat(126) + "/";

        assertThat(ascii).hasSize(512);
        assertThat(fault(ascii + "y").position()).hasValue(513);
        assertThat(fault(ascii + "y")).hasMessageContaining("is 513 bytes long, more than 512");
        assertThat(MeshAddress.of(ascii.substring(0, 511)).segments()).hasSize(4);
        assertThat(MeshAddress.of(letters + "yy")).hasToString(letters + "yy");
        assertThat(fault(letters + "yyy")).hasMessageContaining("is 513 bytes long");
    }

    @Test
    void anAddressIsCaseSensitive() {
        assertThat(MeshAddress.of("Orders/42")).isNotEqualTo(MeshAddress.of("orders/42"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\ud800", "\udc00"})
    void aRefusalOfBrokenTextCanItselfBeSent(String text) {
        assertThat(FailureJson.write(fault(text)).toBuffer().length()).isPositive();
    }

    @Test
    void aLongTextIsShownCutBetweenCharactersSoThatTheRefusalCanBeSent() {
        Rejected rejected = fault("x".repeat(76) + "\ud801\udc00".repeat(10) + " ");

        assertThat(rejected.getMessage()).contains("x".repeat(76)).contains("...");
        assertThat(rejected.getMessage().codePoints())
                .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static Rejected fault(String text) {
        Rejected rejected = catchThrowableOfType(Rejected.class, () -> MeshAddress.of(text));
        assertThat(rejected).as("fault of '%s'", text).isNotNull();
        return rejected;
    }
}
