package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a merge looks at, and how often. */
class MergeCostTest {

    /** A document that counts how often it is gone through. */
    private static final class Watched extends JsonObject {

        private final AtomicInteger looks;

        Watched(AtomicInteger looks, String text) {
            super(Map.of("t", text));
            this.looks = looks;
        }

        @Override
        public Iterator<Map.Entry<String, Object>> iterator() {
            looks.incrementAndGet();
            return super.iterator();
        }
    }

    private static QueryNode node(AtomicInteger looks, int number) {
        String path = "x/n" + number;
        return new QueryNode(MeshAddress.of(path), "n", "n" + number, new Watched(looks, "swiss alps"), 1);
    }

    @Test
    void aDocumentIsGoneThroughOnceWhateverIsAskedAndHoweverOftenItIsCompared() {
        AtomicInteger looks = new AtomicInteger();
        Merge merge = new Merge(Query.parse("swiss alps -lake limit:20"), 100);
        List<QueryNode> nodes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            nodes.add(node(looks, i));
        }
        merge.first("a", nodes.subList(0, 20), true, 20);
        merge.first("b", nodes.subList(20, 40), true, 20);
        assertThat(merge.show()).hasSize(20);
        nodes.subList(40, 50).forEach(node -> merge.upsert("a", node));
        merge.remove("a", MeshAddress.of("x/n0"));
        assertThat(merge.flush().isEmpty()).isFalse();
        merge.tooShort();

        assertThat(looks).hasValue(50);
    }

    @Test
    void aWindowIsReckonedOnceUntilSomethingChanges() {
        AtomicInteger looks = new AtomicInteger();
        Merge merge = new Merge(Query.parse("path:x scope:children limit:20"), 100);
        merge.first("a", List.of(node(looks, 1)), false, 20);
        List<QueryNode> window = merge.window();
        assertThat(merge.show()).isSameAs(window);
        assertThat(merge.window()).isSameAs(window);
        merge.upsert("a", node(looks, 2));

        assertThat(merge.window()).hasSize(2);
        assertThat(merge.shown()).isEqualTo(window);
    }
}
