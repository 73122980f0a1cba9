package io.meshhub.query.language;

import static io.meshhub.query.language.Operand.Pattern.ANY_ONE;
import static io.meshhub.query.language.Operand.Pattern.ANY_RUN;

import java.util.ArrayList;
import java.util.List;

/** How patterns fit texts: in time proportional to the product of their lengths at the worst. */
final class Wildcards {

    private Wildcards() {}

    /** The same pattern with one way to write it: of wildcards in a row those for one come first, then one for a run. */
    static List<Integer> normal(List<Integer> symbols) {
        List<Integer> normal = new ArrayList<>(symbols.size());
        boolean run = false;
        for (int symbol : symbols) {
            if (symbol == ANY_RUN) {
                run = true;
                continue;
            }
            if (run && symbol != ANY_ONE) {
                normal.add(ANY_RUN);
                run = false;
            }
            normal.add(symbol);
        }
        if (run) {
            normal.add(ANY_RUN);
        }
        return List.copyOf(normal);
    }

    static boolean fit(List<Integer> symbols, String text) {
        int[] points = text.codePoints().toArray();
        int at = 0;
        int symbol = 0;
        // Where to go on when what follows the last run does not fit: it takes in one more.
        int afterRun = -1;
        int resume = 0;
        while (at < points.length) {
            int wanted = symbol < symbols.size() ? symbols.get(symbol) : 0;
            boolean past = symbol == symbols.size();
            if (!past && wanted == ANY_RUN) {
                symbol++;
                afterRun = symbol;
                resume = at;
            } else if (!past && (wanted == ANY_ONE || wanted == points[at])) {
                symbol++;
                at++;
            } else if (afterRun >= 0) {
                resume++;
                at = resume;
                symbol = afterRun;
            } else {
                return false;
            }
        }
        while (symbol < symbols.size() && symbols.get(symbol) == ANY_RUN) {
            symbol++;
        }
        return symbol == symbols.size();
    }
}
