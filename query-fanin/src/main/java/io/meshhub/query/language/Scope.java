package io.meshhub.query.language;

import io.meshhub.routing.MeshAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How far a query goes from its path. */
public enum Scope {
    /** The node itself. */
    EXACT("The node at the path; this is meant where no scope is named.", "self exact"),
    /** The nodes one segment below. */
    CHILDREN("The nodes one segment below.", "children"),
    /** All nodes below, at any depth. */
    DESCENDANTS("All nodes below, at any depth.", "descendants"),
    /** All nodes above. */
    ANCESTORS("All nodes above.", "ancestors"),
    /** The node itself and all below. */
    SUBTREE("The node at the path and all below.", "subtree");

    /** All words, for messages. */
    static final String ALLOWED =
            Arrays.stream(values()).flatMap(scope -> scope.words().stream()).collect(Collectors.joining(", "));

    private final String meaning;
    private final String words;

    Scope(String meaning, String words) {
        this.meaning = meaning;
        this.words = words;
    }

    /** The words that name it in a query; the last one is the canonical one. */
    public List<String> words() {
        return List.of(words.split(" ", -1));
    }

    /** What it takes in, for people. */
    public String meaning() {
        return meaning;
    }

    String word() {
        return words.substring(words.lastIndexOf(' ') + 1);
    }

    /** Whether a query of this scope takes in the address. */
    public boolean covers(MeshAddress base, MeshAddress address) {
        return switch (this) {
            case EXACT -> address.equals(base);
            case CHILDREN ->
                address.isBelow(base)
                        && address.toString().indexOf('/', base.toString().length() + 1) < 0;
            case DESCENDANTS -> address.isBelow(base);
            case ANCESTORS -> base.isBelow(address);
            case SUBTREE -> address.equals(base) || address.isBelow(base);
        };
    }
}
