package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R19: what the tag renders it parses, it takes what peers may write, and nobody else writes or reads the marker. */
class ActivationTagTest {

    @Property
    void whatIsRenderedIsParsedAndMatchesTheActivation(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long value) {
        ActivationId id = new ActivationId(value);
        String text = "Hub a is shutting down (" + ActivationTag.render(id) + ", node=b); and so on";

        assertThat(ActivationTag.of(id)).matches("[0-9A-F]{8}");
        assertThat(ActivationTag.parse(text)).hasValue(Long.parseLong(ActivationTag.of(id), 16));
        assertThat(ActivationTag.matches(ActivationTag.parse(text).orElseThrow(), id))
                .isTrue();
    }

    @Property
    void lowerCaseReadsLikeUpperCase(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long value) {
        ActivationId id = new ActivationId(value);

        assertThat(ActivationTag.parse("activation #" + ActivationTag.of(id).toLowerCase(Locale.ROOT)))
                .isEqualTo(ActivationTag.parse(ActivationTag.render(id)));
    }

    @Property
    void consecutiveActivationsOfOneEpochHaveOtherTags(
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_EPOCH) long epoch,
            @ForAll @LongRange(min = 0, max = ActivationId.MAX_COUNTER - 1) long counter) {
        ActivationId first = ActivationId.of(epoch, counter);
        ActivationId second = ActivationId.of(epoch, counter + 1);

        assertThat(first.tag()).isNotEqualTo(second.tag());
        assertThat(ActivationTag.matches(Long.parseLong(first.tag(), 16), second))
                .isFalse();
    }

    @Test
    void tagsOfOneEpochAreAllDifferentAndTheEpochTakesPart() {
        Set<String> tags = new HashSet<>();
        for (int counter = 0; counter < 100_000; counter++) {
            tags.add(ActivationTag.of(ActivationId.of(7, counter)));
        }

        assertThat(tags).hasSize(100_000);
        assertThat(ActivationTag.of(ActivationId.of(8, 1))).isNotEqualTo(ActivationTag.of(ActivationId.of(7, 1)));
    }

    /** Peers of another version compare these. */
    @ParameterizedTest
    @CsvSource({"0, 0, AA3E5B61", "0, 1, 6F0B28E6", "1, 0, 9941CD2D", "2147483647, 4294967295, E507E196"})
    void knownActivationsHaveTheTagThatTheyAlwaysHad(long epoch, long counter, String tag) {
        assertThat(ActivationTag.of(ActivationId.of(epoch, counter))).isEqualTo(tag);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "activation #017DA86C|017DA86C",
                "activation #017da86c, node=b|017DA86C",
                "activation #1|1",
                "activation #abc)|ABC",
                "activation #FFFFFFFF|FFFFFFFF",
                "activation #12g|12",
                "x activation #7; activation #8|7",
                "activation #1\uff11|1"
            })
    void anyRunOfOneToEightHexDigitsBehindTheMarkerIsATag(String text, String tag) {
        assertThat(ActivationTag.parse(text)).hasValue(Long.parseLong(tag, 16));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "activation #",
                "activation # 017DA86C",
                "activation #xyz",
                "activation #\uff11\uff12",
                "activation #123456789",
                "activation #0017DA86C",
                "activation 017DA86C",
                "activation  #017DA86C",
                "activation#017DA86C",
                "#017DA86C",
                "Activation #017DA86C",
                "ACTIVATION #017DA86C",
                "activatio"
            })
    void withoutTheExactMarkerWithoutADigitOrWithNineTheTagIsUnknown(String text) {
        assertThat(ActivationTag.parse(text)).isEmpty();
    }

    @Test
    void noOtherClassHoldsTheMarker() throws IOException {
        List<String> found = new ArrayList<>();
        for (MainSources.Line line : MainSources.code()) {
            if (line.text().toLowerCase(Locale.ROOT).contains("activation #") && !line.isIn("ActivationTag.java")) {
                found.add(line.toString());
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void theScanSeesTheMarkerWhereItBelongs() throws IOException {
        assertThat(MainSources.code())
                .filteredOn(line -> line.text().contains("\"activation #\""))
                .singleElement()
                .matches(line -> line.isIn("ActivationTag.java"));
    }
}
