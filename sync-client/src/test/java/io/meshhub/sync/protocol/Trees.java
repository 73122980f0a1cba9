package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/** Documents for tests. */
final class Trees {

    private Trees() {}

    /** Small documents whose members and elements often meet. */
    static Arbitrary<Object> trees() {
        Arbitrary<Object> leaves = Arbitraries.<Object>of(1, 2, "a", "b", true, 1.5, "~/x")
                .injectNull(0.1)
                .map(JsonTrees::of);
        return Arbitraries.recursive(
                () -> leaves,
                inner -> Arbitraries.oneOf(
                        Arbitraries.maps(Arbitraries.of("a", "b", "c/d", "e~f"), inner)
                                .ofMaxSize(3)
                                .map(map -> JsonTrees.of(new JsonObject(new LinkedHashMap<>(map)))),
                        inner.list().ofMaxSize(5).map(list -> JsonTrees.of(new JsonArray(list))),
                        leaves),
                0,
                3);
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> document(@Nullable Object value) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(Frame.VALUE, value);
        return (Map<String, @Nullable Object>) JsonTrees.of(map);
    }
}
