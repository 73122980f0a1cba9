package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.ActivationId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a splice looks like, and which are refused. */
@Timeout(30)
class SpliceTest {

    private static final String LONG = "x".repeat(300);

    private static Object tree(Object text) {
        return Trees.document(text);
    }

    private static JsonArray splice(Object at, Object delete, Object insert) {
        return new JsonArray()
                .add(new JsonObject()
                        .put("op", "splice")
                        .put("path", "/v")
                        .put("at", at)
                        .put("delete", delete)
                        .put("insert", insert));
    }

    @Test
    void aChangeWithinALongTextIsOneSplice() {
        assertThat(JsonDiff.withSplices(tree("a" + LONG + "z"), tree("a" + LONG + "!z")))
                .isEqualTo(splice(301, 0, "!"));
    }

    @Test
    void whatIsWrittenAnewFromEndToEndIsAReplacement() {
        assertThat(JsonDiff.withSplices(tree(LONG), tree("y".repeat(300))))
                .isEqualTo(new JsonArray()
                        .add(new JsonObject()
                                .put("op", "replace")
                                .put("path", "/v")
                                .put("value", "y".repeat(300))));
    }

    @Test
    void oneEmojiForAnotherIsSplicedAsAWhole() {
        // They share their first half.
        String before = LONG + "\ud83d\ude00";
        String after = LONG + "\ud83d\ude01";

        assertThat(JsonDiff.withSplices(tree(before), tree(after))).isEqualTo(splice(300, 2, "\ud83d\ude01"));
    }

    @Test
    void oneEmojiForAnotherWithTheSameSecondHalfIsSplicedAsAWhole() {
        assertThat(JsonDiff.withSplices(tree("\ud83d\ude00" + LONG), tree("\ud83e\ude00" + LONG)))
                .isEqualTo(splice(0, 2, "\ud83e\ude00"));
    }

    @ParameterizedTest
    @CsvSource({"301,0", "0,301", "299,2", "1,2147483647"})
    void aSpliceBeyondTheTextIsRefused(int at, int delete) {
        assertThatThrownBy(() -> JsonPatcher.apply(tree(LONG), splice(at, delete, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "operation 0 of the patch ('splice' at '/v') failed: a string of 300 code units has none at "
                                + at + " to " + ((long) at + delete) + " that could be taken out");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aSpliceThatWouldSplitASurrogatePairIsRefused(int delete) {
        assertThatThrownBy(() -> JsonPatcher.apply(tree("\ud83d\ude00" + LONG), splice(1 - delete, delete, "")))
                .hasMessageEndingWith("place 1 lies within a surrogate pair");
    }

    @Test
    void aSpliceThatIsNoneIsRefused() {
        assertThatThrownBy(() -> JsonPatcher.apply(tree(LONG), splice(-1, 0, "")))
                .hasMessageContaining("at = -1");
        assertThatThrownBy(() -> JsonPatcher.apply(tree(LONG), splice("0", 0, "")))
                .hasMessageContaining("a splice has whole numbers");
        assertThatThrownBy(() -> JsonPatcher.apply(tree(LONG), splice(0, 1.5, "")))
                .hasMessageContaining("a splice has whole numbers");
        assertThatThrownBy(() -> JsonPatcher.apply(tree(1), splice(0, 0, "")))
                .hasMessageContaining("there is no string");
    }

    @Test
    void anUnknownOperationIsRefusedAlsoForTheWholeDocument() {
        JsonArray move = new JsonArray("[{\"op\":\"move\",\"path\":\"\",\"from\":\"/v\"}]");

        assertThatThrownBy(() -> JsonPatcher.apply(tree(1), move)).hasMessageContaining("none of add, remove");
    }

    @Test
    void aPublisherSendsASpliceAndAMirrorTakesIt() {
        Publisher publisher = new Publisher(ActivationId.of(1, 1));
        publisher.subscribe(new Subscribe("s", "a-1", "place", ""), 0);
        publisher.set(tree(LONG), 1, null);
        Mirror mirror =
                Mirror.empty().on((Frame) publisher.flush().get(0).message()).mirror();
        publisher.set(tree(LONG + "y"), 2, null);
        Frame frame = (Frame) publisher.flush().get(0).message();

        assertThat(frame.toJson().encode()).contains("\"op\":\"splice\"").hasSizeLessThan(200);
        assertThat(mirror.on(Frame.read(new JsonObject(frame.toJson().encode())))
                        .mirror()
                        .value())
                .contains(tree(LONG + "y"));
    }
}
