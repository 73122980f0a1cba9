package io.meshhub.hub.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever is asked, either store answers with what the evaluator finds in a plain list, in its order (Q9, Q12). */
class StoresAgreeWithTheEvaluatorProperties {

    private static QuerySample iso;
    private static QuerySample odd;

    @BeforeContainer
    static void fill() throws IOException {
        iso = QuerySample.iso();
        odd = QuerySample.odd();
    }

    @AfterContainer
    static void close() throws IOException {
        iso.close();
        odd.close();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Values as the nodes have them, parts of them with wildcards, and others. */
    private static Arbitrary<String> values(List<String> known) {
        Arbitrary<String> texts = Arbitraries.of(known);
        Arbitrary<String> numbers = Arbitraries.of(
                "0",
                "4",
                "4.0",
                "-1",
                "4.5",
                "0.1",
                "0.3",
                "0.30000000000000004",
                "1e300",
                "9007199254740993",
                "9223372036854775807",
                "9223372036854775808",
                "004",
                "276",
                "2.5",
                "1");
        return Arbitraries.oneOf(
                texts.map(StoresAgreeWithTheEvaluatorProperties::quoted),
                Combinators.combine(texts, Arbitraries.integers().between(0, 3), Arbitraries.of("*", "?", "*?"))
                        .as(StoresAgreeWithTheEvaluatorProperties::pattern),
                numbers,
                Arbitraries.of("true", "false", "null", "*", "?", "4*", "\"4\"", "\"a%\"", "t*"));
    }

    // A wildcard in place of one character of the text.
    private static String pattern(String text, int place, String wildcard) {
        int[] points = text.codePoints().toArray();
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            if (i == place % points.length) {
                pattern.append(wildcard);
            } else if (Character.isLetterOrDigit(points[i])) {
                pattern.appendCodePoint(points[i]);
            } else {
                pattern.append('\\').appendCodePoint(points[i]);
            }
        }
        return pattern.toString();
    }

    private static Arbitrary<String> terms(List<String> fields, List<String> known) {
        Arbitrary<String> field = Arbitraries.of(fields);
        Arbitrary<String> leaves = Arbitraries.frequencyOf(
                Tuple.of(
                        6,
                        Combinators.combine(
                                        field,
                                        Arbitraries.of("", "", "!"),
                                        values(known).list().ofMinSize(1).ofMaxSize(2))
                                .as((name, operator, list) -> name + ":" + operator + String.join(",", list))
                                .filter(term -> !term.matches("(?s).*:!(.*,)?\\*(,.*)?"))),
                Tuple.of(
                        3,
                        Combinators.combine(field, Arbitraries.of("<", "<=", ">", ">="), Arbitraries.of(known))
                                .as((name, operator, text) -> name + ":" + operator + quoted(text))),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        field,
                                        Arbitraries.of("<", "<=", ">", ">="),
                                        Arbitraries.of("4", "4.5", "0.1", "1", "300", "9007199254740993", "1e300"))
                                .as((name, operator, text) -> name + ":" + operator + text)),
                Tuple.of(2, Arbitraries.of("version:1", "version:>1", "version:<=1.5", "version:!2")),
                Tuple.of(
                        2,
                        Combinators.combine(
                                        Arbitraries.of(known),
                                        Arbitraries.integers().between(0, 3),
                                        Arbitraries.integers().between(1, 3))
                                .as(StoresAgreeWithTheEvaluatorProperties::part)));
        return Arbitraries.recursive(
                () -> leaves,
                inner -> Arbitraries.oneOf(
                        inner.map(term -> "-(" + term + ")"),
                        inner.list().ofSize(2).map(all -> "(" + String.join(" ", all) + ")"),
                        inner.list().ofSize(2).map(any -> "(" + String.join(" OR ", any) + ")")),
                0,
                2);
    }

    private static String part(String text, int from, int length) {
        int[] points = text.toUpperCase(Locale.ROOT).codePoints().toArray();
        int start = from % points.length;
        return quoted(new String(points, start, Math.min(length, points.length - start)));
    }

    private static Arbitrary<String> queries(
            List<String> fields, List<String> known, List<String> paths, List<String> sorts) {
        Arbitrary<String> scopes = Combinators.combine(
                        Arbitraries.of(paths),
                        Arbitraries.of("self", "children", "descendants", "ancestors", "subtree"))
                .as((path, scope) -> "path:" + path + " scope:" + scope);
        return Combinators.combine(
                        scopes.injectNull(0.4),
                        terms(fields, known).list().ofMaxSize(2),
                        Arbitraries.of(sorts).injectNull(0.5),
                        Arbitraries.integers().between(0, 40).injectNull(0.6),
                        Arbitraries.integers().between(1, 60).injectNull(0.6))
                .as((scope, terms, sort, skip, limit) -> {
                    List<String> all = new ArrayList<>(terms);
                    if (scope != null) {
                        all.add(scope);
                    }
                    if (sort != null) {
                        all.add("sort:" + sort);
                    }
                    if (skip != null) {
                        all.add("skip:" + skip);
                    }
                    if (limit != null) {
                        all.add("limit:" + limit);
                    }
                    return String.join(" ", all);
                });
    }

    @Provide
    Arbitrary<String> isoQueries() {
        return queries(
                List.of(
                        "nodeType",
                        "name",
                        "content.numeric",
                        "content.alpha_2",
                        "content.category",
                        "content.parent",
                        "content.official_name",
                        "content.flag"),
                List.of(
                        "country",
                        "subdivision",
                        "Switzerland",
                        "Zürich",
                        "004",
                        "756",
                        "CH",
                        "Canton",
                        "🇨🇭",
                        "iso/AZ/NX",
                        "Åland Islands",
                        "Swiss Confederation",
                        "Parish",
                        "language",
                        "chf",
                        "Basel-Stadt",
                        "ISK"),
                List.of("iso", "iso/CH", "iso/CH/ZH", "iso/AZ", "currency", "language/aar", "none"),
                List.of(
                        "name",
                        "-name",
                        "nodeType,-name",
                        "version,name",
                        "-path",
                        "content.numeric",
                        "-content.alpha_2,name"));
    }

    @Provide
    Arbitrary<String> oddQueries() {
        return queries(
                List.of(
                        "nodeType",
                        "name",
                        "content.a",
                        "content.a",
                        "content.a.b",
                        "content.a.b.c",
                        "content.\"a b\"",
                        "content.\"q\\\"\"",
                        "content.i",
                        "content.none"),
                List.of(
                        "4",
                        "004",
                        "4.0",
                        "true",
                        "a",
                        "A",
                        "a%b",
                        "a_b",
                        "a*b",
                        "a[b",
                        "[a]",
                        "a?b",
                        "O'Brien",
                        "say \"hi\"",
                        "back\\slash",
                        "a\nb",
                        "'; drop table nodes; --",
                        "{}",
                        "[1]",
                        "é",
                        "É",
                        "ſtraße",
                        "\u212a",
                        "k",
                        "🇨🇭",
                        "\uFF5E",
                        "\uD840\uDC00",
                        "thing",
                        "n1",
                        "b",
                        "null",
                        "\"}"),
                List.of("odd", "odd/x", "odd/0", "odd-x", "odd/x/1"),
                List.of("name", "-name,version", "nodeType", "content.a", "-content.a", "content.a.b,name", "-path"));
    }

    @Property(tries = 400)
    void overTheSample(@ForAll("isoQueries") String query) {
        check(iso, query);
    }

    @Property(tries = 1500)
    void overOddNodes(@ForAll("oddQueries") String query) {
        check(odd, query);
    }

    private static void check(QuerySample sample, String text) {
        Query query = Query.parse(text);
        List<QueryNode> expected = sample.nodes.stream()
                .filter(query::matches)
                .sorted(query.order())
                .skip(query.skip())
                .limit(query.limit().orElse(Integer.MAX_VALUE))
                .toList();
        check(sample.file, query, expected);
        check(sample.memory, query, expected);
    }

    private static void check(QueryableStore store, Query query, List<QueryNode> expected) {
        StoreAnswer all = StoreFixture.await(store.query(query, 10_000));
        assertThat(paths(all.nodes())).isEqualTo(paths(expected));
        assertThat(all.nodes()).isEqualTo(expected);
        assertThat(all.cut()).isFalse();

        StoreAnswer few = StoreFixture.await(store.query(query, 7));
        assertThat(few.nodes()).isEqualTo(expected.subList(0, Math.min(7, expected.size())));
        assertThat(few.cut()).isEqualTo(expected.size() > 7);
    }

    private static List<String> paths(List<QueryNode> nodes) {
        return nodes.stream().map(node -> node.path().toString()).toList();
    }
}
