package io.meshhub.query.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The text of a query, in normal form, says the same as the query; no text does worse than to be refused. */
class QueryTextProperties {

    private static final String[] ODD = {
        "a",
        "B",
        "z",
        "0",
        "4",
        "-",
        ".",
        " ",
        "\"",
        "\\",
        "*",
        "?",
        ":",
        ",",
        "(",
        ")",
        "!",
        "<",
        ">",
        "=",
        "/",
        "\n",
        "%",
        "_",
        "[",
        "é",
        "ß",
        "İ",
        "ı",
        "ſ",
        "\u00a0",
        "🇨",
        "\uD840\uDC00",
        "OR",
        "e",
        "+"
    };

    static Arbitrary<String> texts() {
        return Arbitraries.of(ODD).list().ofMinSize(1).ofMaxSize(5).map(parts -> String.join("", parts));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> escaped.append('\\').appendCodePoint(c));
        return escaped.toString();
    }

    private static Arbitrary<String> values() {
        Arbitrary<String> patterns = Arbitraries.of("*", "?", "\\*", "\\ ", "a", "b", "\\[", "é", "\\🇨", "\\\\")
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(parts -> String.join("", parts));
        return Arbitraries.oneOf(
                texts().map(QueryTextProperties::quoted),
                texts().map(QueryTextProperties::escaped),
                Arbitraries.of("1", "1.0", "-0", "004", "1e3", "9223372036854775808", "true", "null", "Sw*"),
                patterns);
    }

    private static Arbitrary<String> comparisons() {
        Arbitrary<String> fields =
                Arbitraries.of("name", "nodeType", "content.a", "content.\"x y\".b", "type", "content.a\\.b");
        return Arbitraries.oneOf(
                Combinators.combine(fields, Arbitraries.of("<", "<=", ">", ">="), texts())
                        .as((field, operator, text) -> field + ":" + operator + quoted(text)),
                Combinators.combine(fields, values().list().ofMinSize(1).ofMaxSize(3))
                        .as((field, values) -> field + ":" + String.join(",", values)),
                Combinators.combine(fields, texts()).as((field, text) -> field + ":!" + quoted(text)),
                Arbitraries.of("version:>=3", "version:1,2", "version:!7.5"));
    }

    private static Arbitrary<String> terms() {
        Arbitrary<String> leaves = Arbitraries.oneOf(
                comparisons(), texts().map(QueryTextProperties::quoted), texts().map(QueryTextProperties::escaped));
        return Arbitraries.recursive(
                () -> leaves,
                inner -> Arbitraries.oneOf(
                        inner.map(term -> term.startsWith("-") ? "-(" + term + ")" : "-" + term),
                        inner.list().ofMinSize(1).ofMaxSize(3).map(all -> "(" + String.join(" \t", all) + ")"),
                        inner.list().ofMinSize(2).ofMaxSize(3).map(any -> "(" + String.join(" OR ", any) + ")")),
                0,
                3);
    }

    @Provide
    Arbitrary<List<String>> clauses() {
        Arbitrary<String> whole = Arbitraries.of(
                "path:iso/CH",
                "path:a scope:children",
                "from:activations",
                "sort:name,-content.a",
                "skip:3",
                "limit:10");
        return Combinators.combine(terms().list().ofMaxSize(4), whole.injectNull(0.5))
                .as((terms, directive) -> {
                    List<String> all = new ArrayList<>(terms);
                    if (directive != null) {
                        all.add(directive);
                    }
                    return List.copyOf(all);
                });
    }

    @Property
    void theNormalFormSaysTheSame(@ForAll("clauses") List<String> clauses) {
        Query query = Query.parse(String.join(" ", clauses));
        Query again = Query.parse(query.text());

        assertThat(again.text()).isEqualTo(query.text());
        assertThat(again.condition()).isEqualTo(query.condition());
        assertThat(again.sort()).isEqualTo(query.sort());
        assertThat(again.source()).isEqualTo(query.source());
        assertThat(again.path()).isEqualTo(query.path());
        assertThat(again.scope()).isEqualTo(query.scope());
        assertThat(again.skip()).isEqualTo(query.skip());
        assertThat(again.limit()).isEqualTo(query.limit());
    }

    @Property
    void theOrderOfTermsDoesNotCount(@ForAll("clauses") List<String> clauses) {
        List<String> reversed = IntStream.range(0, clauses.size())
                .mapToObj(i -> clauses.get(clauses.size() - 1 - i))
                .toList();

        assertThat(Query.parse(String.join("  ", reversed))).isEqualTo(Query.parse(String.join(" ", clauses)));
    }

    @Provide
    Arbitrary<String> anything() {
        return Arbitraries.of(
                        "a",
                        "name:",
                        "path:",
                        "scope:",
                        "content.",
                        "sort:",
                        "OR",
                        "-",
                        "(",
                        ")",
                        "\"",
                        "\\",
                        "*",
                        "?",
                        ",",
                        ":",
                        " ",
                        " ",
                        ">",
                        "!",
                        "=",
                        ".",
                        "é",
                        "🇨",
                        "5",
                        "limit:",
                        "\0")
                .list()
                .ofMaxSize(14)
                .map(parts -> String.join("", parts));
    }

    @Property(tries = 3000)
    void anyTextIsReadOrRefusedWithAPlaceInside(@ForAll("anything") String text) {
        try {
            assertThat(Query.parse(Query.parse(text).text())).isEqualTo(Query.parse(text));
        } catch (QuerySyntaxException e) {
            assertThat(e.position()).isBetween(0, text.codePointCount(0, text.length()));
        }
    }

    @Example
    void foldingTwiceIsFoldingOnce() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String folded = FreeText.fold(Character.toString(c));
            if (!FreeText.fold(folded).equals(folded)) {
                throw new AssertionError(String.format("U+%04X", c));
            }
        }
    }
}
