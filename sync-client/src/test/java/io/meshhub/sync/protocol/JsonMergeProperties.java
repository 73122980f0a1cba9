package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** W1, W2: what becomes of two changes of one document. */
@Timeout(30)
class JsonMergeProperties {

    @Provide
    Arbitrary<Object> trees() {
        return Trees.trees();
    }

    @Property
    void whatOneSideLeftAloneIsAsTheOtherHasIt(@ForAll("trees") Object base, @ForAll("trees") Object changed) {
        assertThat(JsonMerge.of(base, changed, base)).contains(new JsonMerge.Merged(changed));
        assertThat(JsonMerge.of(base, base, changed)).contains(new JsonMerge.Merged(changed));
        assertThat(JsonMerge.of(base, changed, changed)).contains(new JsonMerge.Merged(changed));
    }

    @Property
    void whetherItIsAConflictDoesNotDependOnTheOrder(
            @ForAll("trees") Object base, @ForAll("trees") Object one, @ForAll("trees") Object other) {
        assertThat(JsonMerge.of(base, one, other).isPresent())
                .isEqualTo(JsonMerge.of(base, other, one).isPresent());
    }

    private static Object json(String json) {
        return JsonTrees.of(new JsonObject(json));
    }

    @Test
    void disjointLeavesBothLand() {
        assertThat(JsonMerge.of(
                        json("{\"a\":{\"x\":1,\"y\":1}}"),
                        json("{\"a\":{\"x\":2,\"y\":1}}"),
                        json("{\"a\":{\"x\":1},\"b\":3}")))
                .contains(new JsonMerge.Merged(json("{\"a\":{\"x\":2},\"b\":3}")));
    }

    @Test
    void aLeafThatBothChangedIsAConflict() {
        assertThat(JsonMerge.of(json("{\"a\":1}"), json("{\"a\":2}"), json("{\"a\":3}")))
                .isEmpty();
        assertThat(JsonMerge.of(json("{\"a\":1}"), json("{}"), json("{\"a\":3}")))
                .isEmpty();
    }

    @Test
    void twoAppendsBothLandTheirsFirst() {
        Object base = JsonTrees.of(new JsonArray("[1]"));
        Object theirs = JsonTrees.of(new JsonArray("[1,2]"));
        Object mine = JsonTrees.of(new JsonArray("[1,3]"));

        assertThat(JsonMerge.of(base, theirs, mine))
                .contains(new JsonMerge.Merged(JsonTrees.of(new JsonArray("[1,2,3]"))));
    }

    @Test
    void aRemovalBesideAnAppendIsAConflict() {
        Object base = JsonTrees.of(new JsonArray("[1,2]"));
        Object theirs = JsonTrees.of(new JsonArray("[2]"));
        Object mine = JsonTrees.of(new JsonArray("[1,2,3]"));

        assertThat(JsonMerge.of(base, theirs, mine)).isEmpty();
    }
}
