package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries over the stores: known answers, what SQL is asked, and that values stay values. */
class StoreAnswersQueriesTest {

    private static QuerySample iso;
    private static QuerySample odd;

    @BeforeAll
    static void fill() throws IOException {
        iso = QuerySample.iso();
        odd = QuerySample.odd();
    }

    @AfterAll
    static void close() throws IOException {
        iso.close();
        odd.close();
    }

    private static List<QueryNode> ask(QueryableStore store, String query) {
        return await(store.query(Query.parse(query), 10_000)).nodes();
    }

    private static void both(QuerySample sample, Consumer<QueryableStore> check) {
        check.accept(sample.file);
        check.accept(sample.memory);
    }

    @Test
    void theCantonsOfSwitzerlandComeByName() {
        both(iso, store -> {
            List<QueryNode> cantons = ask(store, "nodeType:subdivision path:iso/CH scope:children sort:name");

            assertThat(cantons)
                    .hasSize(26)
                    .allMatch(node -> node.content().getString("category").equals("Canton"));
            assertThat(cantons)
                    .extracting(QueryNode::name)
                    .startsWith("Aargau")
                    .endsWith("Zürich")
                    .doesNotHaveDuplicates();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                             | 6043",
                "nodeType:country                             | 249",
                "path:iso scope:children                      | 249",
                "path:iso scope:descendants                   | 5376",
                "nodeType:country,currency                    | 430",
                "-nodeType:subdivision                        | 916",
                "path:iso/CH/ZH scope:ancestors               | 1",
                "path:iso/CH scope:subtree                    | 27",
                "path:iso/CH                                  | 1",
                "path:nowhere scope:subtree                   | 0",
                "content.numeric:004                          | 1",
                "content.numeric:4                            | 0",
                "swiss confederation                          | 1",
                "nodeType:country name:Sw*                    | 2",
                "nodeType:country skip:245                    | 4",
                "nodeType:country skip:245 limit:3            | 3",
                "nodeType:country skip:249                    | 0"
            })
    void knownQuestionsHaveKnownAnswers(String query, int count) {
        both(iso, store -> assertThat(ask(store, query == null ? "" : query)).hasSize(count));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; drop table nodes; --",
                "x' or '1'='1",
                "\") or 1=1 --",
                "a\nb",
                "?",
                "%",
                "$.a') or (1",
                "a[b",
                "\uD840\uDC00"
            })
    void valuesStayValues(String value) {
        String quoted = '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        for (String field : List.of("name", "nodeType", "content.a", "content." + quoted, "content.a." + quoted)) {
            for (String operator : List.of("", "!", ">=")) {
                Query query = Query.parse(field + ":" + operator + quoted + " sort:content." + quoted);
                List<QueryNode> expected = odd.nodes.stream()
                        .filter(query::matches)
                        .sorted(query.order())
                        .toList();
                assertThat(QuerySql.of(query, 10).sql()).doesNotContain(value.length() == 1 ? "$" : value);
                both(
                        odd,
                        store -> assertThat(await(store.query(query, 10_000)).nodes())
                                .isEqualTo(expected));
            }
        }
        assertThat(await(odd.file.count())).isEqualTo(odd.nodes.size());
    }

    @Test
    void anAnswerSaysThatItIsCutOnlyWhenTheResultGoesOn() {
        both(iso, store -> {
            assertThat(cut(store, "nodeType:country", 249)).isFalse();
            assertThat(cut(store, "nodeType:country", 248)).isTrue();
            assertThat(cut(store, "nodeType:country limit:10", 10)).isFalse();
            assertThat(cut(store, "nodeType:country limit:11", 10)).isTrue();
            assertThat(cut(store, "nodeType:country skip:240", 9)).isFalse();
            assertThat(cut(store, "nodeType:country skip:240", 8)).isTrue();
            assertThat(cut(store, "name:S* nodeType:country limit:5", 4)).isTrue();
            assertThat(cut(store, "island sort:content.numeric limit:5", 4)).isTrue();
            assertThat(cut(store, "island sort:content.numeric limit:4", 4)).isFalse();
        });
    }

    private static boolean cut(QueryableStore store, String query, int most) {
        StoreAnswer answer = await(store.query(Query.parse(query), most));
        assertThat(answer.nodes()).hasSizeLessThanOrEqualTo(most);
        return answer.cut();
    }

    @Test
    void noStoreGivesAnAnswerOfAnySize() {
        both(iso, store -> {
            assertThatThrownBy(() -> store.query(Query.parse(""), 0)).hasMessageContaining("between 1 and 110000");
            assertThatThrownBy(() -> store.query(Query.parse(""), 110_001)).hasMessageContaining("most = 110001");
        });
    }

    @Test
    void theAnswerTellsWaitingFromItsOwnTime() {
        both(iso, store -> {
            AtomicInteger begun = new AtomicInteger();
            StoreAnswer answer = await(store.query(Query.parse("nodeType:country"), 10, begun::incrementAndGet));

            assertThat(begun).hasValue(1);
            assertThat(answer.waited()).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(answer.ran()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void deletedNodesAreNotFound() throws IOException {
        try (QuerySample sample = new QuerySample(new ArrayList<>(
                List.of(StoreFixture.creation("a"), StoreFixture.creation("a/b"), StoreFixture.deletion("a/b"))))) {
            both(
                    sample,
                    store -> assertThat(ask(store, "path:a scope:subtree"))
                            .extracting(QueryNode::path)
                            .containsExactly(MeshAddress.of("a")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path:iso/CH scope:children nodeType:subdivision       | true  | true",
                "path:iso/CH scope:children nodeType:!country version:>0 sort:-name | true | true",
                "-(nodeType:a OR name:<b)                              | true  | true",
                "name:Sw*                                              | false | true",
                "content.a:x                                           | false | true",
                "content.a:x sort:version                              | false | true",
                "nodeType:a sort:content.a                             | false | false",
                "swiss                                                 | false | false"
            })
    void theDatabaseCutsWhatItSaysExactly(String query, boolean cuts, boolean orders) {
        QuerySql sql = QuerySql.of(Query.parse(query + " skip:3"), 10);

        assertThat(sql.cutsExactly()).isEqualTo(cuts);
        assertThat(sql.ordersExactly()).isEqualTo(orders);
        assertThat(sql.sql().contains("limit ? offset ?")).isEqualTo(cuts);
    }
}
