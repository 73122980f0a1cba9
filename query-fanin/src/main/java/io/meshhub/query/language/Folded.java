package io.meshhub.query.language;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node whose texts are folded when they are first looked at, and once. Not safe for several threads. */
final class Folded {

    private final QueryNode node;
    private @Nullable String name;
    private @Nullable String segment;
    private @Nullable List<String> texts;

    Folded(QueryNode node) {
        this.node = node;
    }

    QueryNode node() {
        return node;
    }

    String name() {
        String known = name;
        if (known == null) {
            known = FreeText.fold(node.name());
            name = known;
        }
        return known;
    }

    /** The last segment of the path. */
    String segment() {
        String known = segment;
        if (known == null) {
            known = FreeText.fold(node.path().name());
            segment = known;
        }
        return known;
    }

    /** Whether a string of the document holds the folded text. */
    boolean hasInContent(String folded) {
        List<String> known = texts;
        if (known == null) {
            known = new ArrayList<>();
            collect(node.content(), known);
            texts = known;
        }
        for (String text : known) {
            if (text.contains(folded)) {
                return true;
            }
        }
        return false;
    }

    private static void collect(@Nullable Object value, List<String> texts) {
        if (value instanceof String text) {
            texts.add(FreeText.fold(text));
        } else if (value instanceof JsonObject object) {
            for (Map.Entry<String, Object> member : object) {
                collect(member.getValue(), texts);
            }
        } else if (value instanceof JsonArray array) {
            for (Object element : array) {
                collect(element, texts);
            }
        }
    }
}
