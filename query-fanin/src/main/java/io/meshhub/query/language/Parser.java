package io.meshhub.query.language;

import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import io.meshhub.query.language.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the tokens of a query by recursive descent; the grammar stands in the reference. */
final class Parser {

    private final List<Token> tokens;
    private final Directives directives = new Directives();
    private int next;
    private int depth;
    private int terms;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /**
     * What the text says.
     *
     * @throws QuerySyntaxException when it is no query
     */
    static Query parse(String text) {
        Parser parser = new Parser(Lexer.tokens(text));
        List<Condition> clauses = parser.clauses();
        if (parser.peek().kind() == Kind.CLOSE) {
            throw unexpected(parser.peek(), "no parenthesis is open");
        }
        Query query = parser.directives.query(Condition.all(clauses));
        if (query.text().codePointCount(0, query.text().length()) > Query.MAX_LENGTH) {
            throw QuerySyntaxException.at(
                    Query.MAX_LENGTH,
                    "Query is too long in its normal form",
                    "allowed are " + Query.MAX_LENGTH + " characters");
        }
        return query;
    }

    /** All clauses up to the end, or to the parenthesis that closes. */
    private List<Condition> clauses() {
        List<Condition> clauses = new ArrayList<>();
        while (peek().kind() != Kind.END && peek().kind() != Kind.CLOSE) {
            if (depth == 0 && directive(peek()) != null) {
                readDirective();
            } else {
                clauses.add(clause());
            }
        }
        return clauses;
    }

    /** Terms with OR between them. */
    private Condition clause() {
        List<Condition> terms = new ArrayList<>();
        terms.add(term());
        while (peek().kind() == Kind.OR) {
            take();
            terms.add(term());
        }
        return terms.size() == 1 ? terms.get(0) : Condition.any(terms);
    }

    private Condition term() {
        Token token = take();
        return switch (token.kind()) {
            case OPEN -> inParentheses(token);
            case MINUS -> negated(token);
            case NAME -> comparison(token);
            case WORDS -> {
                count(token);
                yield new Condition.Words(FreeText.fold(token.text()));
            }
            case CLOSE, OR, OPERATOR, VALUE, COMMA, END ->
                throw unexpected(
                        token,
                        "a term is a word, a \"quoted text\", field:value, '-' and a term, or terms in parentheses");
        };
    }

    private Condition negated(Token minus) {
        Token term = peek();
        boolean adjacent = term.start() == minus.end();
        if (!adjacent || term.kind() == Kind.MINUS || term.kind() == Kind.END || term.kind() == Kind.CLOSE) {
            throw QuerySyntaxException.at(
                    minus.start(), "Found a lone '-'", "it stands directly before the one term that it negates");
        }
        return Condition.not(term());
    }

    private Condition inParentheses(Token open) {
        depth++;
        if (depth > Query.MAX_DEPTH) {
            throw QuerySyntaxException.at(
                    open.start(),
                    "Parentheses are nested more than " + Query.MAX_DEPTH + " deep",
                    "allowed are " + Query.MAX_DEPTH);
        }
        List<Condition> clauses = clauses();
        Token close = take();
        if (close.kind() != Kind.CLOSE) {
            throw QuerySyntaxException.at(open.start(), "Parenthesis is not closed", "a ')' must follow");
        }
        if (clauses.isEmpty()) {
            throw unexpected(close, "at least one term must stand in parentheses");
        }
        depth--;
        return Condition.all(clauses);
    }

    private Condition comparison(Token name) {
        if (directive(name) != null) {
            throw QuerySyntaxException.at(
                    name.start(),
                    "Found '" + name.text() + "' beside OR, behind '-' or in parentheses",
                    "it is said of the whole query and stands alone");
        }
        Field field = field(name);
        Operator operator = operator();
        List<Operand> operands = new ArrayList<>();
        for (Token value : values()) {
            count(value);
            operands.add(operand(value, field, operator));
        }
        if (operator.isOrdering() && operands.size() > 1) {
            throw QuerySyntaxException.at(
                    name.start(),
                    "Found a list of values behind '" + operator.symbol() + "'",
                    "lists go with field:a,b and field:!a,b only");
        }
        return Condition.comparison(field, operator, operands);
    }

    private static Operand operand(Token token, Field field, Operator operator) {
        Operand operand = token.operand();
        if (operand instanceof Literal literal) {
            if (field.kind() == Field.Kind.VERSION && literal.number() == null) {
                throw QuerySyntaxException.at(
                        token.start(), "Found '" + literal.text() + "' for a version", "a version is a number");
            }
            return inRange(literal, token, field);
        }
        Pattern pattern = (Pattern) operand;
        if (pattern == null) {
            throw new IllegalStateException("a value without an operand");
        }
        if (operator.isOrdering()) {
            throw QuerySyntaxException.at(
                    token.start(),
                    "Found wildcards behind '" + operator.symbol() + "'",
                    "they go with field:value and field:!value only; quote the value to take them literally");
        }
        if (operator == Operator.NOT_EQUAL && pattern.fitsAll()) {
            throw QuerySyntaxException.at(
                    token.start(), "Found '!*', which nothing can meet", "-field:* finds nodes without the field");
        }
        if (field.kind() == Field.Kind.VERSION) {
            throw QuerySyntaxException.at(token.start(), "Found wildcards for a version", "a version is a number");
        }
        return pattern;
    }

    private static Literal inRange(Literal literal, Token token, Field field) {
        if (literal.number() == null || !Double.isInfinite(literal.number().doubleValue())) {
            return literal;
        }
        if (field.kind() == Field.Kind.VERSION || field.kind() == Field.Kind.CONTENT) {
            throw QuerySyntaxException.at(
                    token.start(),
                    "Number " + literal.text() + " is out of range",
                    "allowed are numbers up to 1.7E308");
        }
        return new Literal(literal.text(), null);
    }

    private void readDirective() {
        Token name = take();
        Keyword keyword = directive(name);
        if (keyword == null) {
            throw new IllegalStateException("no directive");
        }
        if (keyword == Keyword.SORT) {
            directives.sort(name, sortKeys());
        } else {
            Token sign = peek();
            if (operator() != Operator.EQUAL) {
                throw unexpected(sign, "'" + name.text() + ":' takes a value without an operator");
            }
            directives.set(keyword, name, values());
        }
        if (peek().kind() == Kind.OR) {
            throw unexpected(peek(), "'" + name.text() + "' is said of the whole query and stands alone");
        }
    }

    private List<SortKey> sortKeys() {
        List<SortKey> keys = new ArrayList<>();
        do {
            boolean descending = peek().kind() == Kind.MINUS;
            if (descending) {
                take();
            }
            Token name = take();
            Field field = name.names().equals(List.of(Keyword.PATH.word()))
                    ? new Field(Field.Kind.PATH, List.of())
                    : field(name);
            if (keys.stream().anyMatch(key -> key.field().equals(field))) {
                throw QuerySyntaxException.at(
                        name.start(), "Found the sort key '" + field + "' twice", "once is enough");
            }
            keys.add(new SortKey(field, descending));
        } while (takeIf(Kind.COMMA));
        return keys;
    }

    private static Field field(Token name) {
        List<String> names = name.names();
        if (names.size() - 1 > Query.MAX_MEMBERS) {
            throw QuerySyntaxException.at(
                    name.start(),
                    "Found a field of " + (names.size() - 1) + " members",
                    "allowed are " + Query.MAX_MEMBERS);
        }
        return Keyword.of(names.get(0))
                .flatMap(keyword -> keyword.field(names.subList(1, names.size())))
                .orElseThrow(() -> QuerySyntaxException.at(
                        name.start(),
                        "Unknown field '" + name.text() + "'",
                        "allowed are " + Keyword.ALLOWED + "; quote text that holds a colon"));
    }

    private Operator operator() {
        if (peek().kind() != Kind.OPERATOR) {
            return Operator.EQUAL;
        }
        String symbol = take().text();
        for (Operator operator : Operator.values()) {
            if (operator.symbol().equals(symbol)) {
                return operator;
            }
        }
        throw new IllegalStateException("no operator: " + symbol);
    }

    private List<Token> values() {
        List<Token> values = new ArrayList<>();
        do {
            values.add(take());
        } while (takeIf(Kind.COMMA));
        return values;
    }

    private static @Nullable Keyword directive(Token token) {
        if (token.kind() != Kind.NAME || token.names().size() != 1) {
            return null;
        }
        return Keyword.of(token.text()).filter(Keyword::isDirective).orElse(null);
    }

    private void count(Token token) {
        terms++;
        if (terms > Query.MAX_TERMS) {
            throw QuerySyntaxException.at(
                    token.start(),
                    "Query has more than " + Query.MAX_TERMS + " words and values",
                    "allowed are " + Query.MAX_TERMS);
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Kind.END) {
            next++;
        }
        return token;
    }

    private boolean takeIf(Kind kind) {
        if (peek().kind() != kind) {
            return false;
        }
        take();
        return true;
    }

    private static QuerySyntaxException unexpected(Token token, String allowed) {
        String found = token.kind() == Kind.END ? "the end" : "'" + token.text() + "'";
        return QuerySyntaxException.at(token.start(), "Found " + found, allowed);
    }
}
