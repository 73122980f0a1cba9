package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Timeout;

/** W10: an edit of a long text travels as what was edited, and the text is rebuilt exactly. */
@Timeout(60)
class SpliceProperties {

    /** A text, and the same with one place of it written anew. */
    record Edit(String before, int from, int to, String insert) {

        // In code points, as a person edits.
        String after() {
            int start = before.offsetByCodePoints(0, from);
            int end = before.offsetByCodePoints(start, to - from);
            return before.substring(0, start) + insert + before.substring(end);
        }
    }

    // Two that share their high surrogate, two that share their low one, and runs in which an edit has many places.
    private static Arbitrary<String> texts(int min, int max) {
        return Arbitraries.of("a", "b", "\n", "\"", "\u00e4", "\ud83d\ude00", "\ud83d\ude01", "\ud83e\ude00")
                .list()
                .ofMinSize(min)
                .ofMaxSize(max)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<Edit> edits() {
        return texts(200, 600).flatMap(before -> {
            int length = before.codePointCount(0, before.length());
            Arbitrary<Integer> places = Arbitraries.integers().between(0, length);
            return Combinators.combine(places, places, texts(0, 6))
                    .as((one, other, insert) -> new Edit(before, Math.min(one, other), Math.max(one, other), insert));
        });
    }

    // Told apart from the text itself: a lone surrogate is written as a question mark.
    private static boolean isText(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
    }

    private static Object tree(String text) {
        return Trees.document(new JsonObject(Map.of("id", 1, "text", text)));
    }

    @Property
    void anEditAsItTravelsRebuildsTheTextExactly(@ForAll("edits") Edit edit) {
        JsonArray difference = JsonDiff.withSplices(tree(edit.before()), tree(edit.after()));
        JsonArray travelled = new JsonArray(new JsonArray(difference.encode()).toBuffer());

        assertThat(JsonPatcher.apply(tree(edit.before()), travelled)).isEqualTo(tree(edit.after()));
    }

    @Property
    void noEndOfASpliceLiesWithinASurrogatePair(@ForAll("edits") Edit edit) {
        Optional<Splice> splice = Splice.between(edit.before(), edit.after());

        splice.ifPresent(it -> {
            assertThat(isText(it.insert())).isTrue();
            assertThat(isText(edit.before().substring(0, it.at()))).isTrue();
            assertThat(isText(edit.before().substring(it.at(), it.at() + it.delete())))
                    .isTrue();
            assertThat(it.apply(edit.before())).isEqualTo(edit.after());
        });
    }

    @Property
    void aSpliceIsNeverLongerThanTheTextWouldBe(@ForAll("edits") Edit edit) {
        JsonArray spliced = JsonDiff.withSplices(tree(edit.before()), tree(edit.after()));
        JsonArray plain = JsonDiff.between(tree(edit.before()), tree(edit.after()));

        assertThat(spliced.encode().length()).isLessThanOrEqualTo(plain.encode().length());
    }

    @Property
    void othersAreNeverToldOfASplice(@ForAll("edits") Edit edit) {
        assertThat(JsonDiff.between(tree(edit.before()), tree(edit.after())).encode())
                .doesNotContain(Splice.OP);
    }

    @Property
    void shortTextsAreSentWhole(@ForAll("edits") Edit edit) {
        String before = edit.before().substring(0, Splice.SHORT);

        assertThat(Splice.between(before, before + edit.insert())).isEmpty();
        assertThat(Splice.between(before + "a", before)).isPresent();
    }
}
