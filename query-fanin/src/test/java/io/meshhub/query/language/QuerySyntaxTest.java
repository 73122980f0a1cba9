package io.meshhub.query.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is a query and what is none: every fault is told with its place, and one meaning has one text. */
class QuerySyntaxTest {

    private static QuerySyntaxException fault(String text) {
        QuerySyntaxException fault = catchThrowableOfType(QuerySyntaxException.class, () -> Query.parse(text));
        assertThat(fault).as(text).isNotNull();
        assertThat(fault).hasMessageContaining("at position " + fault.position() + ";");
        return fault;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nam:x                    | 0  | Unknown field 'nam'",
                "a nam:x                  | 2  | nodeType",
                "content:x                | 0  | Unknown field 'content'",
                "nodeType.x:y             | 0  | Unknown field 'nodeType.x'",
                "path.x:y                 | 0  | Unknown field 'path.x'",
                "content.:x               | 0  | empty name",
                "content..a:x             | 0  | empty name",
                ":x                       | 0  | empty name",
                "content.*:x              | 8  | wildcard in a name",
                "path:a path:b            | 7  | second 'path'",
                "path:a scope:self scope:self | 18 | second 'scope'",
                "sort:name sort:name      | 10 | second 'sort'",
                "skip:1 skip:1            | 7  | second 'skip'",
                "limit:1 limit:1          | 8  | second 'limit'",
                "from:a from:a            | 7  | second 'from'",
                "path:a,b                 | 7  | second value",
                "path:a*                  | 5  | wildcards for 'path'",
                "path:>a                  | 5  | without an operator",
                "path:a//b                | 7  | empty segment",
                "path:é/ä!b               | 8  | no address may hold",
                "path:\"a//b\"            | 5  | empty segment",
                "scope:children           | 0  | without a path",
                "x path:a scope:kids      | 15 | self, exact, children, descendants, ancestors, subtree",
                "skip:-1                  | 5  | from 0 to 100000",
                "skip:100001              | 5  | from 0 to 100000",
                "skip:1.0                 | 5  | from 0 to 100000",
                "skip:many                | 5  | from 0 to 100000",
                "limit:0                  | 6  | from 1 to 10000",
                "limit:10001              | 6  | from 1 to 10000",
                "limit:99999999999999999999 | 6 | from 1 to 10000",
                "from:Nodes               | 5  | a source begins with one of a-z",
                "from:1a                  | 5  | a source begins with one of a-z",
                "sort:nam                 | 5  | Unknown field 'nam'",
                "sort:name,-              | 11 | empty name",
                "sort:                    | 5  | empty name",
                "sort:name,name           | 10 | twice",
                "sort:na*                 | 7  | wildcard in a name",
                "name:                    | 5  | the end for a value",
                "name: x                  | 5  | U+0020 for a value",
                "name:a,                  | 7  | the end for a value",
                "name:\"\"                | 5  | empty text",
                "\"\"                     | 0  | empty text",
                "name:\"abc               | 5  | not closed",
                "a \"abc                  | 2  | not closed",
                "name:\"abc\\             | 5  | not closed",
                "name:\"a\"b              | 8  | 'b' behind a term",
                "\"a\"b                   | 3  | 'b' behind a term",
                "name:a\"b\"              | 6  | quote within a word",
                "ab\"c\"                  | 2  | quote within a word",
                "a.\"b\"                  | 2  | quote within a word",
                "a\\                      | 1  | '\\' at the end",
                "name:=x                  | 5  | already asks for equality",
                "name:!=x                 | 6  | already asks for equality",
                "name:>a,b                | 0  | list of values behind '>'",
                "name:>a*                 | 6  | wildcards behind '>'",
                "name:!*                  | 6  | '!*'",
                "version:x                | 8  | a version is a number",
                "version:\"1\"            | 8  | a version is a number",
                "version:1*               | 8  | a version is a number",
                "content.a:1e999          | 10 | out of range",
                "version:<-1e999          | 9  | out of range",
                "(a                       | 0  | not closed",
                "a (b (c)                 | 2  | not closed",
                "a)                       | 1  | no parenthesis is open",
                "()                       | 1  | at least one term",
                "a OR                     | 4  | the end",
                "OR a                     | 0  | 'OR'",
                "a OR OR b                | 5  | 'OR'",
                "(a OR)                   | 5  | ')'",
                "a AND b                  | 2  | AND",
                "NOT a                    | 0  | NOT",
                "- a                      | 0  | lone '-'",
                "--a                      | 0  | lone '-'",
                "a -                      | 2  | lone '-'",
                "(-)                      | 1  | lone '-'",
                "-path:a                  | 1  | stands alone",
                "(path:a)                 | 1  | stands alone",
                "x OR limit:1             | 5  | stands alone",
                "limit:1 OR x             | 8  | stands alone",
                "-sort:name               | 1  | stands alone",
                "Sw*                      | 2  | name:Sw*",
                "what?                    | 4  | in free text",
                "🇨🇭 nam:x                 | 3  | Unknown field"
            })
    void aFaultIsToldWithItsPlace(String text, int position, String saying) {
        QuerySyntaxException fault = fault(text);

        assertThat(fault).hasMessageContaining(saying);
        assertThat(fault.position()).as(fault.getMessage()).isEqualTo(position);
    }

    @Test
    void charactersThatNoNodeHoldsAreRefused() {
        assertThat(fault("ab\0").position()).isEqualTo(2);
        assertThat(fault("a \ud83c b").position()).isEqualTo(2);
        assertThat(fault("name:\"\udde8\"").position()).isEqualTo(6);
    }

    @Test
    void boundsHoldExactly() {
        assertThat(Query.parse("x".repeat(4096)).text()).hasSize(4096);
        assertThat(fault("x".repeat(4097)).position()).isEqualTo(4096);
        assertThat(Query.parse("\uD840\uDC00".repeat(4096)).isScored()).isTrue();

        assertThat(Query.parse("(".repeat(32) + "a" + ")".repeat(32)).text()).isEqualTo("a");
        assertThat(fault("(".repeat(33) + "a" + ")".repeat(33)).position()).isEqualTo(32);
        assertThat(Query.parse("(a) ".repeat(33)).text()).isEqualTo("a");

        assertThat(Query.parse("name:" + "a,".repeat(127) + "b").text()).isEqualTo("name:a,b");
        assertThat(fault("name:" + "a,".repeat(128) + "b").position()).isEqualTo(5 + 256);

        // With the quotes of the normal form it is too long.
        assertThat(fault("🇨".repeat(4096))).hasMessageContaining("normal form");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "``|``",
                "`   `|``",
                "b  a|a b",
                "b a b|a b",
                "Swiss ALPS|alps swiss",
                "((a) (b c))|a b c",
                "a (b OR (c OR a))|a a OR b OR c",
                "b OR a c|a OR b c",
                "(c b) OR a|a OR (b c)",
                "-(a)|-a",
                "-(-(a b))|a b",
                "-(a b)|-(a b)",
                "-(b OR a)|-(a OR b)",
                "name:b,a,b|name:a,b",
                "name:\"a\"|name:a",
                "name:\"a b\"|name:\"a b\"",
                "name:a\\ b|name:\"a b\"",
                "name:\"a*\"|name:\"a*\"",
                "name:a\\*|name:\"a*\"",
                "name:a\\ **?|name:a\\ ?*",
                "name:!a|name:!a",
                "name:\">a\"|name:\">a\"",
                "name:>\"=a\"|name:>\"=a\"",
                "content.x:5|content.x:5",
                "content.x:\"5\"|content.x:\"5\"",
                "content.x:-5.0e3|content.x:-5.0e3",
                "content.\"a.b\".c:x|content.\"a.b\".c:x",
                "content.a\\.b:x|content.\"a.b\":x",
                "type:orders|content.type:orders",
                "sort:-runLevel,name|sort:-content.runLevel,name",
                "path:iso scope:self|path:iso",
                "path:iso scope:exact|path:iso",
                "limit:5 scope:children a skip:2 path:iso sort:path|path:iso scope:children a sort:path skip:2 limit:5",
                "skip:0 from:nodes a|a",
                "from:activations type:orders|from:activations content.type:orders",
                "\"OR\"|or",
                "\\OR|or",
                "\"-a\"|\"-a\"",
                "a-b|a-b",
                "a(b)c|a b c"
            })
    void oneMeaningHasOneText(String text, String canonical) {
        Query query = Query.parse(text);

        assertThat(query.text()).isEqualTo(canonical);
        assertThat(Query.parse(canonical)).isEqualTo(query).hasSameHashCodeAs(query);
    }

    @Test
    void whatIsSaidOfTheWholeQueryCanBeAsked() {
        Query query = Query.parse("path:iso/CH scope:children nodeType:x sort:name,-version skip:7 limit:9");

        assertThat(query.path()).hasToString("iso/CH");
        assertThat(query.scope()).isEqualTo(Scope.CHILDREN);
        assertThat(query.sort()).hasToString("[name, -version]");
        assertThat(query.skip()).isEqualTo(7);
        assertThat(query.limit()).hasValue(9);
        assertThat(query.source()).isEqualTo("nodes");
        assertThat(query.isScored()).isFalse();
        assertThat(query.withoutWindow())
                .isEqualTo(Query.parse("path:iso/CH scope:children nodeType:x sort:name,-version"));
        assertThat(Query.parse("from:activations").source()).isEqualTo("activations");
        assertThat(Query.parse("").path()).isNull();
        assertThat(Query.parse("").scope()).isEqualTo(Scope.SUBTREE);
        assertThat(Query.parse("path:iso").scope()).isEqualTo(Scope.EXACT);
    }
}
