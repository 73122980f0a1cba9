package io.meshhub.query.language;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/** Numbers as queries see them: whole ones of 64 bits, and doubles for all others. */
final class Numbers {

    private static final Pattern JSON = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger GREATEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Numbers() {}

    /** Whether the text is a JSON number, of whatever size. */
    static boolean isNumber(String text) {
        return JSON.matcher(text).matches();
    }

    /** What a JSON number stands for: infinite when it is too large for a double. */
    static Number of(String text) {
        if (text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
            return plain(new BigInteger(text));
        }
        return Double.parseDouble(text);
    }

    /** The same as a {@link Long} or a {@link Double}, as it would be read from JSON text. */
    static Number plain(Number number) {
        if (number instanceof Long || number instanceof Double) {
            return number;
        }
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        if (number instanceof BigInteger big) {
            boolean fits = big.compareTo(LEAST) >= 0 && big.compareTo(GREATEST) <= 0;
            return fits ? (Number) big.longValue() : (Number) big.doubleValue();
        }
        return Double.parseDouble(number.toString());
    }

    /** Compares two plain numbers by what they stand for, exactly. */
    static int compare(Number a, Number b) {
        if (a instanceof Long && b instanceof Long) {
            return Long.compare(a.longValue(), b.longValue());
        }
        if (a instanceof Double && b instanceof Double) {
            // Adding zero makes the negative zero a plain one.
            return Double.compare(a.doubleValue() + 0.0, b.doubleValue() + 0.0);
        }
        if (a instanceof Double) {
            return -compare(b, a);
        }
        double other = b.doubleValue();
        if (Double.isNaN(other) || Double.isInfinite(other)) {
            return other == Double.NEGATIVE_INFINITY ? 1 : -1;
        }
        return BigDecimal.valueOf(a.longValue()).compareTo(new BigDecimal(other));
    }
}
