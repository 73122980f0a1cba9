package io.meshhub.query.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that is asked for. */
public sealed interface Operand {

    /**
     * A text, and the number that it stands for.
     *
     * @param text as it was written, without quotes and escapes
     * @param number a {@link Long}, or a finite {@link Double} where the number is no whole one of 64 bits; null when the
     *     text is no JSON number, or was quoted or escaped
     */
    record Literal(String text, @Nullable Number number) implements Operand {
        @Override
        public String toString() {
            return Quoting.value(this);
        }
    }

    /**
     * A text with wildcards.
     *
     * @param symbols code points, and for the wildcards {@link #ANY_ONE} and {@link #ANY_RUN}; of two patterns that fit
     *     the same only one is made
     */
    record Pattern(List<Integer> symbols) implements Operand {

        /** Stands for exactly one code point. */
        public static final int ANY_ONE = -1;

        /** Stands for any number of code points, also none. */
        public static final int ANY_RUN = -2;

        public Pattern {
            symbols = Wildcards.normal(symbols);
        }

        /** Whether it fits every text. */
        public boolean fitsAll() {
            return symbols.equals(List.of(ANY_RUN));
        }

        /** Whether the whole text is like this, in the same case. */
        public boolean fits(String text) {
            return Wildcards.fit(symbols, text);
        }

        @Override
        public String toString() {
            return Quoting.value(this);
        }
    }
}
