package io.meshhub.query.language;

import static io.meshhub.query.language.Operand.Pattern.ANY_ONE;
import static io.meshhub.query.language.Operand.Pattern.ANY_RUN;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How patterns fit texts. Where the product of their lengths is large, the time is proportional to a 64th of it at the
 * worst.
 */
final class Wildcards {

    /** Up to which product of lengths the simple way is the faster one. */
    private static final long SMALL = 1 << 14;

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
        return (long) symbols.size() * points.length <= SMALL ? fitSmall(symbols, points) : fitLarge(symbols, points);
    }

    static boolean fitSmall(List<Integer> symbols, int[] points) {
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

    /** The same: each part between two runs is looked for where it comes first, behind the one before. */
    static boolean fitLarge(List<Integer> symbols, int[] points) {
        List<int[]> parts = parts(symbols);
        int[] first = parts.get(0);
        int[] last = parts.get(parts.size() - 1);
        if (parts.size() == 1) {
            return points.length == first.length && fitsAt(first, points, 0);
        }
        int end = points.length - last.length;
        if (first.length > end || !fitsAt(first, points, 0) || !fitsAt(last, points, end)) {
            return false;
        }
        int at = first.length;
        for (int[] part : parts.subList(1, parts.size() - 1)) {
            at = endOfFirst(part, points, at, end);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    private static List<int[]> parts(List<Integer> symbols) {
        List<int[]> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= symbols.size(); i++) {
            if (i == symbols.size() || symbols.get(i) == ANY_RUN) {
                parts.add(symbols.subList(start, i).stream()
                        .mapToInt(Integer::intValue)
                        .toArray());
                start = i + 1;
            }
        }
        return parts;
    }

    private static boolean fitsAt(int[] part, int[] points, int at) {
        for (int i = 0; i < part.length; i++) {
            if (part[i] != ANY_ONE && part[i] != points[at + i]) {
                return false;
            }
        }
        return true;
    }

    // Bit i of the state says that the first i + 1 symbols of the part fit what was read last.
    private static int endOfFirst(int[] part, int[] points, int from, int to) {
        if (part.length == 0) {
            return from;
        }
        int words = (part.length + 63) >>> 6;
        long[] anyOne = new long[words];
        Map<Integer, long[]> fitting = new HashMap<>();
        for (int i = 0; i < part.length; i++) {
            long[] mask = part[i] == ANY_ONE ? anyOne : fitting.computeIfAbsent(part[i], any -> new long[words]);
            mask[i >>> 6] |= 1L << i;
        }
        fitting.values().forEach(mask -> {
            for (int word = 0; word < words; word++) {
                mask[word] |= anyOne[word];
            }
        });
        long done = 1L << (part.length - 1);
        long[] state = new long[words];
        for (int at = from; at < to; at++) {
            long[] mask = fitting.getOrDefault(points[at], anyOne);
            long carry = 1;
            for (int word = 0; word < words; word++) {
                long next = state[word] >>> 63;
                state[word] = ((state[word] << 1) | carry) & mask[word];
                carry = next;
            }
            if ((state[words - 1] & done) != 0) {
                return at + 1;
            }
        }
        return -1;
    }
}
