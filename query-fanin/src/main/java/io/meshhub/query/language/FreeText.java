package io.meshhub.query.language;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How free text occurs in nodes, without difference of case. */
final class FreeText {

    private static final double WHOLE = 4;
    private static final double BEGINNING = 3;
    private static final double INSIDE = 2;
    private static final double IN_CONTENT = 1;

    private FreeText() {}

    /**
     * Texts that differ in case only become equal: each code point is mapped to upper case and from there to lower case,
     * one to one, so the number of code points stays.
     */
    static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.codePoints()
                .map(Character::toUpperCase)
                .map(Character::toLowerCase)
                .forEach(folded::appendCodePoint);
        return folded.toString();
    }

    /** Whether the folded text occurs in the name, the last segment of the path, or a string of the document. */
    static boolean occurs(String folded, QueryNode node) {
        return fold(node.name()).contains(folded)
                || fold(node.path().name()).contains(folded)
                || occursIn(node.content(), folded);
    }

    private static boolean occursIn(@Nullable Object value, String folded) {
        if (value instanceof String text) {
            return fold(text).contains(folded);
        }
        if (value instanceof JsonObject object) {
            for (Map.Entry<String, Object> member : object) {
                if (occursIn(member.getValue(), folded)) {
                    return true;
                }
            }
        } else if (value instanceof JsonArray array) {
            for (Object element : array) {
                if (occursIn(element, folded)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** All texts that a condition looks for, without those that must not occur. */
    static List<String> wanted(Condition condition) {
        List<String> wanted = new ArrayList<>();
        collect(condition, wanted);
        return List.copyOf(wanted);
    }

    private static void collect(Condition condition, List<String> wanted) {
        if (condition instanceof Condition.All all) {
            all.parts().forEach(part -> collect(part, wanted));
        } else if (condition instanceof Condition.Any any) {
            any.parts().forEach(part -> collect(part, wanted));
        } else if (condition instanceof Condition.Words words) {
            wanted.add(words.text());
        }
    }

    /**
     * The mean over the texts: 4 for one that is the name or the last segment of the path, 3 for one that either begins
     * with, 2 for one inside of either, 1 for one that occurs in the document only, 0 for one that does not.
     */
    static double score(List<String> wanted, QueryNode node) {
        String name = fold(node.name());
        String segment = fold(node.path().name());
        double sum = 0;
        for (String text : wanted) {
            sum += Math.max(place(text, name), place(text, segment));
            if (!name.contains(text) && !segment.contains(text) && occursIn(node.content(), text)) {
                sum += IN_CONTENT;
            }
        }
        return sum / wanted.size();
    }

    private static double place(String text, String within) {
        if (within.equals(text)) {
            return WHOLE;
        }
        if (within.startsWith(text)) {
            return BEGINNING;
        }
        return within.contains(text) ? INSIDE : 0;
    }
}
