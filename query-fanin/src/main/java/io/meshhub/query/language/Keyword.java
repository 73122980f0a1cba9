package io.meshhub.query.language;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words that stand before a colon. */
public enum Keyword {
    /** Whom to ask. */
    FROM("from", "a source", "Whom to ask: `nodes`, which is meant where none is named, `activations`, or another."),
    /** The base of the scope. */
    PATH("path", "an address", "Where to look from; without it everywhere."),
    /** How far the query goes. */
    SCOPE("scope", "a scope", "How far to look from the path."),
    /** The order of the result. */
    SORT("sort", "fields", "Sort keys, the first one first; `-` before one puts the greatest first."),
    /** How many to leave out. */
    SKIP("skip", "0 to " + Query.MAX_SKIP, "How many nodes to leave out at the start."),
    /** How many to find. */
    LIMIT("limit", "1 to " + Query.MAX_LIMIT, "How many nodes to find at most."),
    /** What a node is. */
    NODE_TYPE("nodeType", "texts", "What the node is.", Field.Kind.NODE_TYPE),
    /** A node's name. */
    NAME("name", "texts", "Its name for people.", Field.Kind.NAME),
    /** A node's version. */
    VERSION("version", "numbers", "The version of its document; takes no wildcards.", Field.Kind.VERSION),
    /** A member of the document. */
    CONTENT("content", "texts and numbers", "A member of its document, as in `content.a.b`.", Field.Kind.CONTENT),
    /** The type of an activation. */
    TYPE("type", "texts and numbers", "Short for `content.type`.", Field.Kind.CONTENT),
    /** The node of an activation. */
    NODE("node", "texts and numbers", "Short for `content.node`.", Field.Kind.CONTENT),
    /** The run level of an activation. */
    RUN_LEVEL("runLevel", "texts and numbers", "Short for `content.runLevel`.", Field.Kind.CONTENT);

    /** All words, for messages. */
    static final String ALLOWED = Arrays.stream(values()).map(Keyword::shown).collect(Collectors.joining(", "));

    private final String word;
    private final String takes;
    private final String meaning;
    private final Field.@Nullable Kind kind;

    Keyword(String word, String takes, String meaning) {
        this(word, takes, meaning, null);
    }

    Keyword(String word, String takes, String meaning, Field.@Nullable Kind kind) {
        this.word = word;
        this.takes = takes;
        this.meaning = meaning;
        this.kind = kind;
    }

    static Optional<Keyword> of(String word) {
        return Arrays.stream(values())
                .filter(keyword -> keyword.word.equals(word))
                .findFirst();
    }

    /** As it is written. */
    public String word() {
        return word;
    }

    /** As it is written, with the members that it takes. */
    public String shown() {
        return this == CONTENT ? "content.*" : word;
    }

    /** What may stand behind the colon, for people. */
    public String takes() {
        return takes;
    }

    /** What it says, for people. */
    public String meaning() {
        return meaning;
    }

    /** Whether it is said of the query and not of a node: once, and outside of parentheses. */
    public boolean isDirective() {
        return kind == null;
    }

    /** The field that it names, if the members behind it are those of such a field. */
    Optional<Field> field(List<String> members) {
        if (kind == null) {
            return Optional.empty();
        }
        if (this == CONTENT) {
            return members.isEmpty() ? Optional.empty() : Optional.of(new Field(kind, members));
        }
        if (!members.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Field(kind, kind == Field.Kind.CONTENT ? List.of(word) : List.of()));
    }
}
