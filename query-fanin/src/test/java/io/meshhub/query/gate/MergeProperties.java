package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Q8 and Q9: whatever providers hold and change, what is shown is what one list of all of it would show. */
class MergeProperties {

    private static final List<String> NAMES = List.of("a", "b", "c");

    /** All that the providers hold, each under its name. */
    private final Map<String, Map<MeshAddress, QueryNode>> held = new TreeMap<>();

    private static QueryNode node(int which, int version) {
        MeshAddress path = MeshAddress.of("x/" + (char) ('a' + which % 20));
        return new QueryNode(path, "n", path.name(), new JsonObject().put("v", version), version);
    }

    private List<QueryNode> exact(Query query) {
        Map<MeshAddress, QueryNode> best = new HashMap<>();
        held.values()
                .forEach(rows -> rows.forEach((path, node) -> best.merge(
                        path, node, (first, next) -> next.version() > first.version() ? next : first)));
        return best.values().stream()
                .sorted(query.order())
                .skip(query.skip())
                .limit(query.limit().orElse(Integer.MAX_VALUE))
                .toList();
    }

    private void answer(Merge merge, Query query, String name, int wanted) {
        List<QueryNode> all = new ArrayList<>(held.getOrDefault(name, Map.of()).values());
        all.sort(query.order());
        boolean cut = all.size() > wanted;
        merge.first(name, cut ? all.subList(0, wanted) : all, cut, wanted);
    }

    private void fill(Merge merge, Query query) {
        for (int round = 0; round < 20; round++) {
            Map<String, Integer> more = merge.tooShort();
            if (more.isEmpty()) {
                return;
            }
            List<QueryNode> shown = merge.window();
            assertThat(exact(query).subList(0, shown.size())).isEqualTo(shown);
            more.forEach((name, wanted) -> answer(merge, query, name, wanted));
        }
        throw new AssertionError("asked again without an end");
    }

    @Property(tries = 2000)
    void whatIsShownIsTheWindowOfAllThatIsHeld(
            @ForAll @IntRange(max = 6) int skip,
            @ForAll @IntRange(max = 6) int limit,
            @ForAll @Size(max = 30) List<@IntRange(max = 9_999) Integer> before,
            @ForAll @Size(max = 30) List<@IntRange(max = 9_999) Integer> changes) {
        held.clear();
        NAMES.forEach(name -> held.put(name, new HashMap<>()));
        Query query = Query.parse("path:x scope:children skip:" + skip + (limit == 0 ? "" : " limit:" + limit));
        Merge merge = new Merge(query, 1000);
        int version = 1;
        for (int seed : before) {
            QueryNode node = node(seed / 3, version++);
            held.get(NAMES.get(seed % 3)).put(node.path(), node);
        }
        NAMES.forEach(name -> answer(merge, query, name, merge.reach()));
        fill(merge, query);
        assertThat(merge.show()).isEqualTo(exact(query));

        Map<MeshAddress, QueryNode> consumer = new HashMap<>();
        merge.window().forEach(node -> consumer.put(node.path(), node));
        for (int seed : changes) {
            String name = NAMES.get(seed % 3);
            QueryNode node = node(seed / 3 % 100, version++);
            if (seed % 5 == 0) {
                held.get(name).remove(node.path());
                merge.remove(name, node.path());
            } else {
                held.get(name).put(node.path(), node);
                merge.upsert(name, node);
            }
            if (seed % 2 == 0) {
                follow(merge, query, consumer);
            }
        }
        follow(merge, query, consumer);
    }

    private void follow(Merge merge, Query query, Map<MeshAddress, QueryNode> consumer) {
        apply(merge.flush(), consumer);
        fill(merge, query);
        apply(merge.flush(), consumer);
        assertThat(consumer.values().stream().sorted(query.order()).toList()).isEqualTo(exact(query));
        assertThat(merge.window()).isEqualTo(exact(query));
        assertThat(merge.flush().isEmpty()).isTrue();
    }

    private static void apply(Changes changes, Map<MeshAddress, QueryNode> consumer) {
        changes.removed().forEach(path -> assertThat(consumer.remove(path)).isNotNull());
        changes.updated().forEach(node -> assertThat(consumer.put(node.path(), node))
                .isNotNull()
                .isNotEqualTo(node));
        changes.added().forEach(node -> assertThat(consumer.put(node.path(), node)).isNull());
    }
}
