package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.json.JsonStructure;
import java.io.StringReader;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The difference of two documents, applied to the first, is the second: for us and for others. */
@Timeout(30)
class JsonDiffProperties {

    @Provide
    Arbitrary<Object> trees() {
        return Trees.trees();
    }

    @Property
    void theDifferenceAppliedToTheFirstIsTheSecond(@ForAll("trees") Object before, @ForAll("trees") Object after) {
        JsonArray difference = JsonDiff.between(before, after);

        assertThat(JsonPatcher.apply(before, new JsonArray(difference.encode())))
                .isEqualTo(after);
    }

    @Property
    void whatSaysTheSameHasNoDifference(@ForAll("trees") Object tree) {
        assertThat(JsonDiff.between(tree, JsonTrees.of(JsonTrees.toJson(tree)))).isEmpty();
    }

    @Property
    void anotherImplementationOfTheStandardUnderstandsIt(
            @ForAll("trees") Object before, @ForAll("trees") Object after) {
        String first = Json.encode(Trees.document(before));
        JsonArray difference = JsonDiff.between(Trees.document(before), Trees.document(after));

        JsonStructure patched = jakarta.json.Json.createPatch(
                        jakarta.json.Json.createReader(new StringReader(difference.encode()))
                                .readArray())
                .apply(jakarta.json.Json.createReader(new StringReader(first)).read());

        assertThat(JsonTrees.of(new JsonObject(patched.toString()))).isEqualTo(Trees.document(after));
    }

    @Test
    void anInsertionIntoAnArrayIsOneOperation() {
        Object before = JsonTrees.of(new JsonArray("[1,2,3,4]"));
        Object after = JsonTrees.of(new JsonArray("[1,2,9,3,4]"));

        assertThat(JsonDiff.between(before, after))
                .isEqualTo(new JsonArray("[{\"op\":\"add\",\"path\":\"/2\",\"value\":9}]"));
    }

    @Test
    void anAppendSaysThatItAppends() {
        Object before = JsonTrees.of(new JsonArray("[1]"));
        Object after = JsonTrees.of(new JsonArray("[1,2]"));

        assertThat(JsonDiff.between(before, after))
                .isEqualTo(new JsonArray("[{\"op\":\"add\",\"path\":\"/-\",\"value\":2}]"));
    }

    @Test
    void anOperationThatDoesNotFitIsNamed() {
        JsonArray operations = new JsonArray("[{\"op\":\"replace\",\"path\":\"/a/b\",\"value\":1}]");

        assertThatThrownBy(() -> JsonPatcher.apply(JsonTrees.of(new JsonObject("{\"c\":1}")), operations))
                .hasMessage("operation 0 of the patch ('replace' at '/a/b') failed: there is no member 'a'");
    }
}
