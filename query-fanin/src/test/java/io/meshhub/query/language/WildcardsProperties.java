package io.meshhub.query.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Operand.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Both ways to fit a pattern say what a regular expression says. */
class WildcardsProperties {

    private static String regex(List<Integer> symbols) {
        StringBuilder regex = new StringBuilder();
        for (int symbol : symbols) {
            regex.append(
                    switch (symbol) {
                        case Pattern.ANY_ONE -> ".";
                        case Pattern.ANY_RUN -> ".*";
                        default -> java.util.regex.Pattern.quote(Character.toString(symbol));
                    });
        }
        return regex.toString();
    }

    private void check(List<Integer> seeds, String text) {
        List<Integer> symbols = new ArrayList<>();
        for (int seed : seeds) {
            symbols.add(seed == 0 ? Pattern.ANY_RUN : seed == 1 ? Pattern.ANY_ONE : seed % 2 == 0 ? 'a' : 'b');
        }
        List<Integer> normal = Wildcards.normal(symbols);
        int[] points = text.codePoints().toArray();
        Matcher matcher = java.util.regex.Pattern.compile(regex(normal), java.util.regex.Pattern.DOTALL)
                .matcher(text);
        boolean expected = matcher.matches();

        assertThat(Wildcards.fitSmall(normal, points)).isEqualTo(expected);
        assertThat(Wildcards.fitLarge(normal, points)).isEqualTo(expected);
    }

    @Property(tries = 3000)
    void shortTexts(
            @ForAll @Size(max = 8) List<@IntRange(max = 7) Integer> pattern,
            @ForAll @Size(max = 12) List<@IntRange(max = 1) Integer> text) {
        check(pattern, text(text));
    }

    @Property(tries = 300)
    void partsOfMoreSymbolsThanAWordHasBits(
            @ForAll @Size(min = 60, max = 140) List<@IntRange(min = 1, max = 7) Integer> part,
            @ForAll @Size(max = 20) List<@IntRange(max = 1) Integer> before,
            @ForAll @Size(max = 20) List<@IntRange(max = 1) Integer> after) {
        StringBuilder fitting = new StringBuilder(text(before));
        part.forEach(seed -> fitting.append(seed != 1 && seed % 2 != 0 ? 'b' : 'a'));
        List<Integer> pattern = new ArrayList<>(part);
        pattern.add(0, 0);
        pattern.add(0);
        check(pattern, fitting + text(after));
        check(pattern, fitting.substring(1) + text(after));
    }

    private static String text(List<Integer> letters) {
        StringBuilder text = new StringBuilder();
        letters.forEach(letter -> text.append(letter == 0 ? 'a' : 'b'));
        return text.toString();
    }
}
