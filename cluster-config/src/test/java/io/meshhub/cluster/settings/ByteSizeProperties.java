package io.meshhub.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class ByteSizeProperties {

    /** The text of a size reads back as the same size. */
    @Property
    void textKeepsTheSize(@ForAll @LongRange(min = 0, max = 1L << 40) long bytes) {
        String text = new ByteSize(bytes).toString();
        long number = Long.parseLong(text.replaceAll("\\D", ""));
        long unit =
                text.endsWith("GiB") ? 1L << 30 : text.endsWith("MiB") ? 1L << 20 : text.endsWith("KiB") ? 1L << 10 : 1;

        assertThat(number * unit).isEqualTo(bytes);
    }

    /** An edit distance is symmetric, zero only for equals, and at most the longer length. */
    @Property
    void distanceIsADistance(@ForAll @StringLength(max = 8) String a, @ForAll @StringLength(max = 8) String b) {
        int distance = SettingsSuggestion.distance(a, b);

        assertThat(distance).isEqualTo(SettingsSuggestion.distance(b, a));
        assertThat(distance == 0).isEqualTo(a.equals(b));
        assertThat(distance).isLessThanOrEqualTo(Math.max(a.length(), b.length()));
    }
}
