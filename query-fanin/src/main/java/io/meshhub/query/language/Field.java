package io.meshhub.query.language;

import java.util.List;

/**
 * What a comparison or a sort key looks at.
 *
 * @param kind where it lies
 * @param members the names of members from the content down; empty unless it lies in the content
 */
public record Field(Kind kind, List<String> members) {

    /** Where a field lies. */
    public enum Kind {
        /** The address; as a sort key only. */
        PATH,
        /** What the node is. */
        NODE_TYPE,
        /** Its name for people. */
        NAME,
        /** The version of its document. */
        VERSION,
        /** A member of its document. */
        CONTENT
    }

    public Field {
        members = List.copyOf(members);
    }

    /** As it is written in a query. */
    @Override
    public String toString() {
        return switch (kind) {
            case PATH -> Keyword.PATH.word();
            case NODE_TYPE -> Keyword.NODE_TYPE.word();
            case NAME -> Keyword.NAME.word();
            case VERSION -> Keyword.VERSION.word();
            case CONTENT -> Keyword.CONTENT.word() + "." + Quoting.join(".", members, Quoting::member);
        };
    }
}
