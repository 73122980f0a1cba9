package io.meshhub.query.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a query means: which nodes match, and in which order they come (Q9, Q12). */
class QuerySemanticsTest {

    private static QueryNode node(String path, String name, String content) {
        return new QueryNode(MeshAddress.of(path), "thing", name, new JsonObject(content), 3);
    }

    private static QueryNode holding(String content) {
        return node("x/y", "The Name", content);
    }

    private static List<String> found(String query, List<QueryNode> nodes) {
        Query parsed = Query.parse(query);
        return nodes.stream()
                .filter(parsed::matches)
                .sorted(parsed.order())
                .map(node -> node.path().toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "self, a/b",
        "exact, a/b",
        "children, a/b/c a/b/d",
        "descendants, a/b/c a/b/c/e a/b/d",
        "ancestors, a",
        "subtree, a/b a/b/c a/b/c/e a/b/d"
    })
    void aScopeTakesInItsNodesAndNoneBeside(String scope, String expected) {
        List<QueryNode> nodes = new ArrayList<>();
        for (String path :
                List.of("a", "a/b", "a/b/c", "a/b/c/e", "a/b/d", "a/b-c", "a/b0", "a/bc", "b", "A/B", "b/a/b")) {
            nodes.add(node(path, "n", "{}"));
        }

        assertThat(String.join(" ", found("path:a/b scope:" + scope, nodes))).isEqualTo(expected);
        assertThat(found("", nodes)).hasSize(nodes.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':'x'}        | content.a:x          | true",
                "{'a':'x'}        | content.a:X          | false",
                "{'a':'x'}        | content.a:!x         | false",
                "{'a':'y'}        | content.a:!x         | true",
                "{}               | content.a:!x         | false",
                "{}               | -content.a:x         | true",
                "{}               | content.a:*          | false",
                "{}               | -content.a:*         | true",
                "{'a':null}       | content.a:*          | false",
                "{'a':null}       | content.a:null       | false",
                "{'a':{}}         | content.a:*          | true",
                "{'a':[]}         | content.a:*          | true",
                "{'a':{}}         | content.a:?*         | false",
                "{'a':''}         | content.a:*          | true",
                "{'a':'x','b':1}  | content.a:x content.b:1 | true",
                "{'a':'x','b':1}  | content.a:x content.b:2 | false",
                "{'a':'x','b':1}  | content.a:y OR content.b:1 | true",
                "{'a':'x'}        | content.a:y,x        | true",
                "{'a':'x'}        | content.a:!y,x       | false",
                "{'a':4}          | content.a:4          | true",
                "{'a':4}          | content.a:4.0        | true",
                "{'a':4}          | content.a:004        | false",
                "{'a':4}          | content.a:'4'        | true",
                "{'a':'4'}        | content.a:4          | true",
                "{'a':'004'}      | content.a:4          | false",
                "{'a':'004'}      | content.a:004        | true",
                "{'a':10}         | content.a:>9         | true",
                "{'a':10}         | content.a:>'9'       | false",
                "{'a':'10'}       | content.a:>9         | false",
                "{'a':10}         | content.a:1*         | true",
                "{'a':9007199254740993} | content.a:>9007199254740992 | true",
                "{'a':9007199254740993} | content.a:9007199254740992.0 | false",
                "{'a':0.5}        | content.a:<=0.5      | true",
                "{'a':-0.0}       | content.a:0          | true",
                "{'a':true}       | content.a:true       | true",
                "{'a':'true'}     | content.a:true       | true",
                "{'a':true}       | content.a:1          | false",
                "{'a':false}      | content.a:f*         | true",
                "{'a':['x','y']}  | content.a:y          | true",
                "{'a':['x','y']}  | content.a:!y         | false",
                "{'a':['x','y']}  | content.a:!z         | true",
                "{'a':[['y']]}    | content.a:y          | true",
                "{'a':[{'b':1},{'b':2}]} | content.a.b:2 | true",
                "{'a':[{'b':1},{'b':2}]} | content.a.b:>2 | false",
                "{'a':{'b':{'c':'x'}}} | content.a.b.c:x | true",
                "{'a':{'b':{'c':'x'}}} | content.a.b:x   | false",
                "{'a.b':'x'}      | content.'a.b':x      | true",
                "{'a':'New York'} | content.a:New\\ *    | true",
                "{'a':'New York'} | content.a:'New *'    | false",
                "{'a':'a*c'}      | content.a:a\\*c      | true",
                "{'a':'abc'}      | content.a:a\\*c      | false",
                "{'a':'abc'}      | content.a:a?c        | true",
                "{'a':'a🇨c'}     | content.a:a?c        | true",
                "{'a':'abcabd'}   | content.a:a*abd      | true",
                "{'a':'abcabd'}   | content.a:*c         | false",
                "{'a':'x'}        | name:The\\ Name      | true",
                "{'a':'x'}        | name:the*            | false",
                "{'a':'x'}        | nodeType:t*g         | true",
                "{'a':'x'}        | version:3            | true",
                "{'a':'x'}        | version:<3           | false",
                "{'a':'x'}        | version:>2.5         | true",
                "{'type':'o'}     | type:o               | true",
                "{'a':'Straße'}   | STRASSE              | false",
                "{'a':'Straße'}   | STRAßE               | true",
                "{'a':['deep',{'b':'Hidden'}]} | hidden deep | true",
                "{'key':'x'}      | key                  | false",
                "{'a':5}          | 5                    | false",
                "{'a':'x'}        | NAME y               | true",
                "{'a':'x'}        | 'the name'           | true",
                "{'a':'x'}        | 'name the'           | false",
                "{'a':'x'}        | -nowhere             | true",
                "{'a':'x'}        | name nowhere         | false"
            })
    void aNodeMatchesOrNot(String content, String query, boolean matches) {
        assertThat(Query.parse(query.replace('\'', '"')).matches(holding(content.replace('\'', '"'))))
                .isEqualTo(matches);
    }

    @Test
    void wildcardsAreFittedInBoundedTime() {
        Query query = Query.parse("name:" + "*a".repeat(120) + "*b");

        assertThat(query.matches(node("x", "a".repeat(100_000), "{}"))).isFalse();
    }

    @Test
    void resultsComeByTheirKeysAndThenByPath() {
        List<QueryNode> nodes = List.of(
                node("p/none", "b", "{}"),
                node("p/text", "b", "{'v':'x'}".replace('\'', '"')),
                node("p/bool", "b", "{'v':true}".replace('\'', '"')),
                node("p/ten", "a", "{'v':10}".replace('\'', '"')),
                node("p/nine", "a", "{'v':9.5}".replace('\'', '"')),
                node("p/nine2", "c", "{'v':9.5}".replace('\'', '"')),
                node("p/list", "c", "{'v':[1]}".replace('\'', '"')),
                node("p/\uFF21", "c", "{'v':'\uFF21'}".replace('\'', '"')),
                node("p/\uD840\uDC00", "c", "{'v':'\uD840\uDC00'}".replace('\'', '"')));

        assertThat(found("sort:content.v", nodes))
                .containsExactly(
                        "p/nine",
                        "p/nine2",
                        "p/ten",
                        "p/bool",
                        "p/text",
                        "p/\uFF21",
                        "p/\uD840\uDC00",
                        "p/list",
                        "p/none");
        assertThat(found("sort:-content.v", nodes))
                .containsExactly(
                        "p/\uD840\uDC00",
                        "p/\uFF21",
                        "p/text",
                        "p/bool",
                        "p/ten",
                        "p/nine",
                        "p/nine2",
                        "p/list",
                        "p/none");
        assertThat(found("sort:-name,-path", nodes))
                .containsExactly(
                        "p/\uD840\uDC00",
                        "p/\uFF21",
                        "p/nine2",
                        "p/list",
                        "p/text",
                        "p/none",
                        "p/bool",
                        "p/ten",
                        "p/nine");
    }

    @Test
    void whatMeetsTheFreeTextBetterComesFirst() {
        List<QueryNode> nodes = List.of(
                node("a/1", "other", "{\"t\":\"on zurich\"}"),
                node("a/2", "Lake Zurich", "{}"),
                node("a/3", "Zurich", "{}"),
                node("a/4", "Zurich North", "{}"),
                node("a/zurich", "city", "{}"));

        assertThat(found("zurich", nodes)).containsExactly("a/3", "a/zurich", "a/4", "a/2", "a/1");
        assertThat(found("zurich sort:path", nodes)).containsExactly("a/1", "a/2", "a/3", "a/4", "a/zurich");
        assertThat(Query.parse("nodeType:x").score(nodes.get(0))).isEqualTo(1);
        assertThat(Query.parse("-zurich").score(nodes.get(0))).isEqualTo(1);
    }

    @Test
    void theOrderDoesNotDependOnWhereTheNodesCameFrom() {
        List<QueryNode> nodes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            nodes.add(node("n/" + i, "name " + i % 3, "{\"v\":" + i % 5 + "}"));
        }
        for (String query : List.of("", "name", "sort:content.v", "sort:-name,content.v", "name sort:version")) {
            List<String> first = found(query, nodes);
            Collections.shuffle(nodes, new Random(7));

            assertThat(found(query, nodes)).as(query).isEqualTo(first).hasSize(200);
        }
    }
}
