package io.meshhub.query.language;

import io.meshhub.query.language.Operand.Literal;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is said of the whole query, as it is read: each thing once. */
final class Directives {

    private static final Pattern SOURCE = Pattern.compile("[a-z][a-z0-9-]*");

    private final Map<Keyword, Token> seen = new EnumMap<>(Keyword.class);
    private String source = Query.NODES;
    private @Nullable MeshAddress path;
    private @Nullable Scope scope;
    private List<SortKey> sort = List.of();
    private int skip;
    private OptionalInt limit = OptionalInt.empty();

    void sort(Token name, List<SortKey> keys) {
        once(Keyword.SORT, name);
        sort = keys;
    }

    /** Takes the value of another directive than the sort. */
    void set(Keyword keyword, Token name, List<Token> values) {
        once(keyword, name);
        Token value = values.get(0);
        if (values.size() > 1) {
            throw QuerySyntaxException.at(
                    values.get(1).start(), "Found a second value for '" + name.text() + "'", "it takes one");
        }
        if (!(value.operand() instanceof Literal)) {
            throw QuerySyntaxException.at(
                    value.start(), "Found wildcards for '" + name.text() + "'", "it takes " + keyword.takes());
        }
        switch (keyword) {
            case FROM -> source = source(value);
            case PATH -> path = path(value);
            case SCOPE -> scope = scope(value);
            case SKIP -> skip = number(value, keyword, 0, Query.MAX_SKIP);
            case LIMIT -> limit = OptionalInt.of(number(value, keyword, 1, Query.MAX_LIMIT));
            default -> throw new IllegalArgumentException("no directive of one value: " + keyword);
        }
    }

    private void once(Keyword keyword, Token name) {
        Token first = seen.putIfAbsent(keyword, name);
        if (first != null) {
            throw QuerySyntaxException.at(
                    name.start(),
                    "Found a second '" + keyword.word() + "'",
                    "one is allowed, and the first stands at position " + first.start());
        }
    }

    /** The query, once all is read. */
    Query query(Condition condition) {
        Token scopeName = seen.get(Keyword.SCOPE);
        if (scopeName != null && path == null) {
            throw QuerySyntaxException.at(
                    scopeName.start(), "Found 'scope' without a path", "a path: must say where it begins");
        }
        Scope meant = scope == null ? Scope.EXACT : scope;
        return new Query(source, path, path == null ? Scope.SUBTREE : meant, condition, sort, skip, limit);
    }

    private static String source(Token value) {
        if (!SOURCE.matcher(value.text()).matches()) {
            throw QuerySyntaxException.at(
                    value.start(),
                    "Found '" + value.text() + "' for a source",
                    "a source begins with one of a-z, and goes on with those, 0-9 and '-'");
        }
        return value.text();
    }

    private static MeshAddress path(Token value) {
        try {
            return MeshAddress.of(value.text());
        } catch (Rejected e) {
            // Quotes and escapes take room of their own: then only the beginning is certain.
            boolean bare = value.end() - value.start()
                    == value.text().codePointCount(0, value.text().length());
            int inside = bare ? value.text().codePointCount(0, e.position().orElse(0)) : 0;
            throw QuerySyntaxException.at(
                    value.start() + inside,
                    "Found no address: " + e.getMessage() + " of the address,",
                    "an address is segments joined by '/', such as iso/CH");
        }
    }

    private static Scope scope(Token value) {
        for (Scope scope : Scope.values()) {
            if (scope.words().contains(value.text())) {
                return scope;
            }
        }
        throw QuerySyntaxException.at(
                value.start(), "Unknown scope '" + value.text() + "'", "allowed are " + Scope.ALLOWED);
    }

    private static int number(Token value, Keyword keyword, int least, int most) {
        if (value.operand() instanceof Literal literal
                && literal.number() instanceof Long number
                && number >= least
                && number <= most) {
            return number.intValue();
        }
        throw QuerySyntaxException.at(
                value.start(),
                "Found '" + value.text() + "' for '" + keyword.word() + "'",
                "allowed are whole numbers from " + least + " to " + most);
    }
}
