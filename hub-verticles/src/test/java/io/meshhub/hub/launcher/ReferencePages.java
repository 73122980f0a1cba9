package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.SettingsKey;
import io.meshhub.query.language.Keyword;
import io.meshhub.query.language.Operator;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.Scope;
import java.util.Map;
import picocli.CommandLine;

/** Writes the reference pages from the settings mapping, the command line and the query language. */
final class ReferencePages {

    private static final String GENERATED = "<!-- Generated: mvn -pl hub-verticles -am test -Dtest=ReferencePagesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write=true -->\n";

    private ReferencePages() {}

    static String configuration() {
        StringBuilder page = new StringBuilder("# Configuration\n\n").append(GENERATED);
        page.append("""

                A node reads its settings from, weakest first: the defaults below, the file (`conf/meshhub.yaml`, or the
                one named by `--config` or `MESHHUB_CONFIG`), variables of the environment, system properties
                (`-Dmeshhub.http.port=8081`), and flags (`--set http.port=8081`; the common ones have names of their own).
                A key of `http.port` is `port` below `http` in the file, and `MESHHUB_HTTP_PORT` in the environment.

                All problems are told at once, each with key, value, origin and rule, and the exit code is 78; a key that
                does not exist is a problem. `meshhub config show` prints what is in force and where it comes from.

                A duration is a whole number with its unit (`500ms`, `30s`, `5m`, `1h`, `1d`), a size likewise (`512B`,
                `64KiB`, `4MiB`, `1GiB`). A list in a variable or a flag is separated by commas.
                """);
        String section = "";
        for (SettingsKey key : SettingsRules.loader().keys()) {
            int dot = key.name().indexOf('.');
            String next = dot < 0 ? "data" : key.name().substring(0, dot);
            if (!next.equals(section)) {
                section = next;
                page.append("\n## ")
                        .append(section)
                        .append("\n\n| key | type | default | meaning |\n|---|---|---|---|\n");
            }
            page.append(row(key));
        }
        return page.toString();
    }

    private static String row(SettingsKey key) {
        String value = key.defaultValue()
                .map(text -> "`" + text + "`")
                .orElse(key.setting().absent());
        String range = range(key);
        return "| `" + key.name() + "` | " + key.typeName() + (range.isEmpty() ? "" : ", " + range) + " | " + value
                + " | " + key.setting().value() + (key.setting().secret() ? " Never printed." : "") + " |\n";
    }

    private static String range(SettingsKey key) {
        String min = key.setting().min();
        String max = key.setting().max();
        if (min.isEmpty()) {
            return max.isEmpty() ? "" : "at most " + max;
        }
        return max.isEmpty() ? "at least " + min : min + " to " + max;
    }

    static String queryLanguage() {
        StringBuilder page = new StringBuilder("# Query language\n\n").append(GENERATED);
        page.append("""

                A query is terms between white space; all of them must hold: `nodeType:subdivision path:iso/CH
                scope:children sort:name`. An empty query asks for all nodes.

                ```ebnf
                query     = { clause | directive } ;
                clause    = term { "OR" term } ;
                term      = [ "-" ] ( text | comparison | "(" clause { clause } ")" ) ;
                comparison = field ":" [ "!" ] value { "," value }
                          | field ":" ( "<" | "<=" | ">" | ">=" ) literal ;
                directive = "path:" literal | "scope:" scope | "from:" source
                          | "sort:" key { "," key } | "skip:" number | "limit:" number ;
                key       = [ "-" ] ( "path" | field ) ;
                field     = "nodeType" | "name" | "version" | "type" | "node" | "runLevel"
                          | "content" "." member { "." member } ;
                member    = word | quoted ;
                text      = word | quoted ;
                value     = literal | pattern ;
                literal   = word | quoted ;
                pattern   = (* a word with "*" for any number of characters, "?" for one *) ;
                quoted    = '"' { character | "\\" character } '"' ;
                word      = (* characters other than white space and ( ) "; a backslash takes the next one as it is *) ;
                ```

                `OR` binds the terms beside it: `a b OR c` asks for `a`, and for `b` or `c`. A `-` negates one term. Where
                a comma, a colon, a wildcard, an operator or a leading `-` belongs to a text, quote the text, or write a
                backslash before the character. In quotes nothing is a wildcard. `OR`, `AND` and `NOT` in capitals are
                no free text unless quoted. A fault is told with its position, in characters from 0.

                ## Fields
                """);
        table(page, "field", "takes", "meaning");
        for (Keyword keyword : Keyword.values()) {
            if (!keyword.isDirective()) {
                row(page, "`" + keyword.shown() + "`", keyword.takes(), keyword.meaning());
            }
        }
        page.append("""

                A dotted path goes through the members of objects; a member whose name has dots or spaces is quoted, as in
                `content."a b".c`. An array stands for its elements, of which one must match. JSON null counts as missing,
                and a missing field meets no comparison: `content.x:*` finds the nodes with it, `-content.x:*` those
                without.

                ## Operators
                """);
        table(page, "operator", "as in", "asks for a field that is");
        for (Operator operator : Operator.values()) {
            String symbol = operator.symbol().isEmpty() ? "none" : "`" + operator.symbol() + "`";
            row(page, symbol, "`name:" + operator.symbol() + "x`", operator.meaning());
        }
        page.append("""

                Two numbers compare by what they stand for: whole numbers of 64 bits exactly, others as doubles. Anything
                else compares as text, by code points and with regard to case: `content.numeric:004` finds `"004"` and
                neither `4` nor `"4"`. A number in quotes is a text. `true` finds the boolean and the text.

                ## Said of the whole query

                Once each, not negated, neither beside `OR` nor in parentheses.
                """);
        table(page, "word", "takes", "meaning");
        for (Keyword keyword : Keyword.values()) {
            if (keyword.isDirective()) {
                row(page, "`" + keyword.shown() + "`", keyword.takes(), keyword.meaning());
            }
        }
        page.append('\n');
        table(page, "scope", "takes in");
        for (Scope scope : Scope.values()) {
            row(page, "`" + String.join("`, `", scope.words()) + "`", scope.meaning());
        }
        page.append("""

                ## Free text

                A word or a quoted text that stands alone is searched for in the name, in the last segment of the path and
                in the strings of the document, in either case of its letters, also within words. All must occur; quoted
                text occurs as a whole. Each text scores 4 where it is the name or the segment, 3 where one of them begins
                with it, 2 inside of them, 1 in the document; a node scores their mean.

                ## Order

                By the sort keys; with free text then by score, the best first; then by path, by code points. Of a key's
                values numbers come before texts and booleans. Nodes where it is missing, null, an array or an object,
                or lies behind an array, come last in either direction. The same query over the same nodes always gives
                the same order.

                ## Limits
                """);
        table(page, "of", "at most");
        row(page, "characters, as written and in normal form", String.valueOf(Query.MAX_LENGTH));
        row(page, "words and values together", String.valueOf(Query.MAX_TERMS));
        row(page, "parentheses within each other", String.valueOf(Query.MAX_DEPTH));
        row(page, "`skip`", String.valueOf(Query.MAX_SKIP));
        row(page, "`limit`", String.valueOf(Query.MAX_LIMIT));
        return page.toString();
    }

    private static void table(StringBuilder page, String... heads) {
        if (page.charAt(page.length() - 2) != '\n') {
            page.append('\n');
        }
        row(page, heads);
        page.append("|---".repeat(heads.length)).append("|\n");
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    static String commandLine(CommandLine root) {
        StringBuilder page = new StringBuilder("# Command line\n\n").append(GENERATED);
        page.append("\n`scripts/meshhub` runs it. Client commands talk HTTP to a node (`--url`, `MESHHUB_URL`).\n");
        usage(page, root, "meshhub");
        return page.toString();
    }

    private static void usage(StringBuilder page, CommandLine command, String name) {
        command.getCommandSpec().usageMessage().autoWidth(false).width(100);
        String usage = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
        page.append("\n## ").append(name).append("\n\n```text\n");
        usage.lines().forEach(line -> page.append(line.stripTrailing()).append('\n'));
        page.append("```\n");
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            if (!sub.getKey().equals("help")) {
                usage(page, sub.getValue(), name + " " + sub.getKey());
            }
        }
    }
}
