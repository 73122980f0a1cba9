package io.meshhub.query.language;

import java.util.ArrayList;
import java.util.List;

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
    static boolean occurs(String folded, Folded node) {
        return node.name().contains(folded) || node.segment().contains(folded) || node.hasInContent(folded);
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
    static double score(List<String> wanted, Folded node) {
        double sum = 0;
        for (String text : wanted) {
            double place = Math.max(place(text, node.name()), place(text, node.segment()));
            sum += place == 0 && node.hasInContent(text) ? IN_CONTENT : place;
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
