package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Documents and patches as pure functions: what is accepted is within its bounds, and a patch does what its RFC says. */
final class NodeDocumentProperties {

    private static final MeshAddress A = MeshAddress.of("a/b");

    @Provide
    Arbitrary<Map<String, Object>> contents() {
        return Arbitraries.maps(keys(), values(2)).ofMaxSize(4);
    }

    private static Arbitrary<String> keys() {
        return Arbitraries.strings().withChars("ab/~ü").ofMaxLength(3);
    }

    private static Arbitrary<Object> values(int depth) {
        Arbitrary<Object> leaf = Arbitraries.oneOf(
                Arbitraries.integers().map(i -> (Object) i),
                Arbitraries.strings().ofMaxLength(4).alpha().map(s -> (Object) s),
                Arbitraries.of(true, false).map(b -> (Object) b));
        if (depth == 0) {
            return leaf;
        }
        return Arbitraries.oneOf(
                leaf,
                values(depth - 1).list().ofMaxSize(3).map(l -> (Object) new JsonArray(l)),
                Arbitraries.maps(keys(), values(depth - 1)).ofMaxSize(3).map(m -> (Object) new JsonObject(m)));
    }

    private static NodeDocument document(Map<String, Object> content) {
        return NodeDocument.of(
                A, new JsonObject().put("nodeType", "t").put("name", "n").put("content", new JsonObject(content)));
    }

    private static JsonObject op(String op, String path, Object value) {
        return new JsonObject().put("op", op).put("path", path).put("value", value);
    }

    private static String pointer(String key) {
        return "/content/" + key.replace("~", "~0").replace("/", "~1");
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aDocumentIsReadAsItWasWritten(@ForAll("contents") Map<String, Object> content) {
        NodeDocument document = document(content);
        assertThat(NodeDocument.of(A, document.toJson())).isEqualTo(document);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void anEmptyPatchChangesNothing(@ForAll("contents") Map<String, Object> content) {
        NodeDocument document = document(content);
        assertThat(NodePatch.apply(A, document, NodePatch.MERGE, new JsonObject()))
                .isEqualTo(document);
        assertThat(NodePatch.apply(A, document, NodePatch.OPERATIONS, new JsonArray()))
                .isEqualTo(document);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void addThenTestThenRemoveRestores(
            @ForAll("contents") Map<String, Object> content, @ForAll("contents") Map<String, Object> value) {
        NodeDocument document = document(content);
        String pointer = pointer("fresh~/key");
        JsonArray patch = new JsonArray()
                .add(op("add", pointer, new JsonObject(value)))
                .add(op("test", pointer, new JsonObject(value)))
                .add(new JsonObject().put("op", "remove").put("path", pointer));
        assertThat(NodePatch.apply(A, document, NodePatch.OPERATIONS, patch)).isEqualTo(document);
    }

    /** RFC 7396: members of the patch replace, null removes, all else stays. */
    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aMergePatchIsIdempotentAndLeavesTheRest(
            @ForAll("contents") Map<String, Object> content, @ForAll("contents") Map<String, Object> changes) {
        NodeDocument document = document(content);
        JsonObject patch = new JsonObject().put("content", new JsonObject(changes));
        NodeDocument once = NodePatch.apply(A, document, NodePatch.MERGE, patch);
        assertThat(NodePatch.apply(A, once, NodePatch.MERGE, patch)).isEqualTo(once);
        for (String key : content.keySet()) {
            if (!changes.containsKey(key)) {
                assertThat(once.content().getValue(key))
                        .isEqualTo(document.content().getValue(key));
            }
        }
        JsonObject removal = new JsonObject();
        content.keySet().forEach(removal::putNull);
        assertThat(NodePatch.apply(A, document, NodePatch.MERGE, new JsonObject().put("content", removal))
                        .content())
                .isEmpty();
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aFailingOperationIsNamedAndNothingIsDone(
            @ForAll("contents") Map<String, Object> content, @ForAll("contents") Map<String, Object> value) {
        NodeDocument document = document(content);
        for (JsonObject bad : List.of(
                op("test", "/name", "other"),
                new JsonObject().put("op", "remove").put("path", "/content/fresh"),
                op("replace", "/content/fresh/x", 1),
                op("add", "content", 1),
                op("frob", "/name", 1),
                new JsonObject().put("op", "add"),
                new JsonObject().put("op", "move").put("path", "/content/x").put("from", "/nowhere"))) {
            JsonArray patch = new JsonArray()
                    .add(op("add", "/content/first", new JsonObject(value)))
                    .add(bad);
            assertThatExceptionOfType(Rejected.class)
                    .isThrownBy(() -> NodePatch.apply(A, document, NodePatch.OPERATIONS, patch))
                    .withMessageContaining("operation 1 ")
                    .withMessageContaining("'" + bad.getString("path") + "'");
        }
        assertThat(document).isEqualTo(document(content));
    }

    @Example
    void whatIsNoNodeIsRejectedByItsField() {
        JsonObject good = document(Map.of()).toJson();
        assertRejected(good.copy().putNull("nodeType"), "'nodeType' is missing");
        assertRejected(good.copy().put("nodeType", 7), "'nodeType' is a number");
        assertRejected(good.copy().put("nodeType", "a b"), "'a b'");
        assertRejected(good.copy().put("nodeType", "t".repeat(129)), "129 characters");
        assertRejected(good.copy().put("name", ""), "'name' has 0");
        assertRejected(good.copy().put("name", "n".repeat(513)), "513 characters");
        assertRejected(good.copy().put("content", new JsonArray()), "'content' is an array");
        assertRejected(good.copy().put("version", 3).put("path", "a"), "[path, version]");
        assertRejected(good.copy().put("content", new JsonObject().put("x", "y".repeat(1024 * 1024))), "bytes");
        assertRejected(good.copy().put("content", new JsonObject().put("x", Double.POSITIVE_INFINITY)), "64 bits");
        JsonObject deep = new JsonObject();
        for (int i = 0; i < NodeDocument.MAX_DEPTH; i++) {
            deep = new JsonObject().put("d", deep);
        }
        assertRejected(good.copy().put("content", deep), "nested more than 100");
    }

    private static void assertRejected(JsonObject json, String why) {
        assertThatThrownBy(() -> NodeDocument.of(A, json))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining(why);
    }

    @Example
    void pathAndVersionCannotBePatched() {
        NodeDocument document = document(Map.of());
        for (String field : List.of("version", "path")) {
            assertThatThrownBy(() -> NodePatch.apply(
                            A, document, NodePatch.OPERATIONS, new JsonArray().add(op("add", "/" + field, 9))))
                    .hasMessageContaining("[" + field + "]");
            assertThatThrownBy(() -> NodePatch.apply(A, document, NodePatch.MERGE, new JsonObject().put(field, 9)))
                    .hasMessageContaining("[" + field + "]");
        }
        assertThatThrownBy(() -> NodePatch.apply(A, document, NodePatch.MERGE, new JsonObject().putNull("nodeType")))
                .hasMessageContaining("'nodeType' is missing");
    }

    /** A patch that copies the document into itself, again and again, ends at a bound. */
    @Example
    void aPatchCannotGrowWithoutBound() {
        JsonArray bomb = new JsonArray();
        for (int i = 0; i < 40; i++) {
            bomb.add(new JsonObject().put("op", "copy").put("from", "/content").put("path", "/content/c" + i));
        }
        assertThatThrownBy(() -> NodePatch.apply(A, document(Map.of("a", 1)), NodePatch.OPERATIONS, bomb))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("grows beyond");
        JsonArray many = new JsonArray();
        for (int i = 0; i <= NodePatch.MAX_OPERATIONS; i++) {
            many.add(op("add", "/content/x", i));
        }
        assertThatThrownBy(() -> NodePatch.apply(A, document(Map.of()), NodePatch.OPERATIONS, many))
                .hasMessageContaining("501 operations");
    }
}
