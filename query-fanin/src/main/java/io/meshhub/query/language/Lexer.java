package io.meshhub.query.language;

import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import io.meshhub.query.language.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a query's text into tokens. */
final class Lexer {

    private static final String[] OPERATORS = {">=", "<=", ">", "<", "!"};

    private final int[] text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(int[] text) {
        this.text = text;
    }

    /**
     * All tokens; the last one is the end.
     *
     * @throws QuerySyntaxException when they cannot be told apart
     */
    static List<Token> tokens(String query) {
        Lexer lexer = new Lexer(query.codePoints().toArray());
        lexer.checkCharacters();
        lexer.run();
        return lexer.tokens;
    }

    private void checkCharacters() {
        if (text.length > Query.MAX_LENGTH) {
            throw QuerySyntaxException.at(
                    Query.MAX_LENGTH,
                    "Query of " + text.length + " characters is too long",
                    "allowed are " + Query.MAX_LENGTH);
        }
        for (int i = 0; i < text.length; i++) {
            if (text[i] == 0 || Character.getType(text[i]) == Character.SURROGATE) {
                throw QuerySyntaxException.at(
                        i, "Found " + describe(text[i]), "no node holds it, and a query cannot either");
            }
        }
    }

    private void run() {
        while (true) {
            while (at < text.length && Quoting.isSpace(text[at])) {
                at++;
            }
            if (at == text.length) {
                add(Token.of(Kind.END, "", at, at));
                return;
            }
            switch (text[at]) {
                case '(' -> addOne(Kind.OPEN);
                case ')' -> addOne(Kind.CLOSE);
                case '-' -> addOne(Kind.MINUS);
                case '"' -> {
                    int start = at;
                    String quoted = quoted();
                    add(Token.of(Kind.WORDS, notEmpty(quoted, start), start, at));
                    expectEnd();
                }
                default -> wordOrTerm();
            }
        }
    }

    private void wordOrTerm() {
        int start = at;
        Bare bare = bare(":", true);
        if (at < text.length && text[at] == ':') {
            at++;
            add(new Token(Kind.NAME, bare.text(), names(bare, start), null, start, at));
            if (bare.text().equals(Keyword.SORT.word())) {
                sortKeys();
            } else {
                operator();
                values();
            }
            expectEnd();
            return;
        }
        expectEnd();
        add(word(bare, start));
    }

    private Token word(Bare bare, int start) {
        String word = bare.text();
        if (bare.quotedPart() >= 0) {
            throw QuerySyntaxException.at(
                    bare.quotedPart(), "Found a quote within a word", "quote all of it, or nothing");
        }
        if (bare.wildcard() >= 0) {
            throw QuerySyntaxException.at(
                    bare.wildcard(),
                    "Found " + describe(text[bare.wildcard()]) + " in free text",
                    "wildcards are allowed in values only, as in name:" + source(start, at)
                            + "; quote it to search for it");
        }
        if (!bare.escaped() && Quoting.RESERVED.contains(word)) {
            return switch (word) {
                case "OR" -> Token.of(Kind.OR, word, start, at);
                case "AND" ->
                    throw QuerySyntaxException.at(
                            start, "Found AND", "terms side by side must all hold; quote it to search for the word");
                default ->
                    throw QuerySyntaxException.at(
                            start, "Found NOT", "'-' before a term negates it; quote it to search for the word");
            };
        }
        return Token.of(Kind.WORDS, word, start, at);
    }

    private void operator() {
        for (String operator : OPERATORS) {
            if (source(at, Math.min(text.length, at + operator.length())).equals(operator)) {
                add(Token.of(Kind.OPERATOR, operator, at, at + operator.length()));
                at += operator.length();
                break;
            }
        }
        if (at < text.length && text[at] == '=') {
            throw QuerySyntaxException.at(
                    at, "Found '='", "field:value already asks for equality; quote a value that begins with '='");
        }
    }

    private void values() {
        value();
        while (at < text.length && text[at] == ',') {
            addOne(Kind.COMMA);
            value();
        }
    }

    private void value() {
        int start = at;
        if (at < text.length && text[at] == '"') {
            String quoted = notEmpty(quoted(), start);
            add(new Token(Kind.VALUE, quoted, List.of(), new Literal(quoted, null), start, at));
            return;
        }
        Bare bare = bare(",", false);
        if (bare.isEmpty()) {
            throw QuerySyntaxException.at(
                    start, "Found " + found(start) + " for a value", "a value is a word or a \"quoted text\"");
        }
        String value = bare.text();
        Operand operand;
        if (bare.wildcard() >= 0) {
            operand = new Pattern(bare.symbols());
        } else if (!bare.escaped() && Numbers.isNumber(value)) {
            operand = new Literal(value, Numbers.of(value));
        } else {
            operand = new Literal(value, null);
        }
        add(new Token(Kind.VALUE, value, List.of(), operand, start, at));
    }

    private void sortKeys() {
        while (true) {
            if (at < text.length && text[at] == '-') {
                addOne(Kind.MINUS);
            }
            int start = at;
            Bare bare = bare(",", true);
            add(new Token(Kind.NAME, bare.text(), names(bare, start), null, start, at));
            if (at == text.length || text[at] != ',') {
                return;
            }
            addOne(Kind.COMMA);
        }
    }

    /** What stands outside of quotes, up to white space, a parenthesis, or one of the ends. */
    private Bare bare(String ends, boolean quotedParts) {
        Bare bare = new Bare();
        while (at < text.length) {
            int c = text[at];
            if (Quoting.isSpace(c) || c == '(' || c == ')' || ends.indexOf(c) >= 0) {
                break;
            }
            if (c == '\\') {
                if (at + 1 == text.length) {
                    throw QuerySyntaxException.at(at, "Found '\\' at the end", "a character must follow it");
                }
                bare.addEscaped(text[at + 1]);
                at += 2;
            } else if (c == '"') {
                if (!quotedParts || !bare.isBehindDot()) {
                    throw QuerySyntaxException.at(
                            at, "Found a quote within a word", "quote all of it, or write '\\' before the quote");
                }
                int start = at;
                bare.addQuoted(notEmpty(quoted(), start), start);
                if (at < text.length && text[at] != '.' && ends.indexOf(text[at]) < 0 && !isEnd()) {
                    throw QuerySyntaxException.at(
                            at, "Found " + found(at) + " behind a quoted name", "allowed are '.' and ':'");
                }
            } else {
                bare.add(c, at);
                at++;
            }
        }
        return bare;
    }

    private List<String> names(Bare bare, int start) {
        List<String> names = bare.names();
        if (bare.wildcard() >= 0) {
            throw QuerySyntaxException.at(
                    bare.wildcard(), "Found a wildcard in a name", "wildcards are allowed in values only");
        }
        if (names.contains("")) {
            throw QuerySyntaxException.at(
                    start, "Found an empty name in '" + source(start, at) + "'", "names are joined by single dots");
        }
        return names;
    }

    private String quoted() {
        int start = at;
        StringBuilder inside = new StringBuilder();
        at++;
        while (at < text.length && text[at] != '"') {
            if (text[at] == '\\') {
                at++;
                if (at == text.length) {
                    break;
                }
            }
            inside.appendCodePoint(text[at]);
            at++;
        }
        if (at == text.length) {
            throw QuerySyntaxException.at(start, "Quote is not closed", "another '\"' must follow");
        }
        at++;
        return inside.toString();
    }

    private static String notEmpty(String quoted, int start) {
        if (quoted.isEmpty()) {
            throw QuerySyntaxException.at(start, "Found an empty text", "at least one character must stand in quotes");
        }
        return quoted;
    }

    private boolean isEnd() {
        return at == text.length || Quoting.isSpace(text[at]) || text[at] == '(' || text[at] == ')';
    }

    private void expectEnd() {
        if (!isEnd()) {
            throw QuerySyntaxException.at(
                    at, "Found " + found(at) + " behind a term", "white space or a parenthesis must follow");
        }
    }

    private void addOne(Kind kind) {
        add(Token.of(kind, source(at, at + 1), at, at + 1));
        at++;
    }

    private void add(Token token) {
        tokens.add(token);
    }

    private String source(int from, int to) {
        return new String(text, from, to - from);
    }

    private String found(int position) {
        return position == text.length ? "the end" : describe(text[position]);
    }

    static String describe(int c) {
        return Character.isLetterOrDigit(c) || (c > ' ' && c < 127)
                ? "'" + Character.toString(c) + "'"
                : String.format("U+%04X", c);
    }
}
