package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.Rejected;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every address, and for every text that is none. */
class MeshAddressProperties {

    @Property
    void whatIsRenderedParsesToAnEqualAddress(@ForAll("segmentLists") List<String> segments) {
        MeshAddress address = MeshAddress.of(String.join("/", segments));
        MeshAddress again = MeshAddress.of(address.toString());

        assertThat(again).isEqualTo(address).hasSameHashCodeAs(address).isEqualByComparingTo(address);
        assertThat(again.segments()).isEqualTo(segments);
        assertThat(again.partition()).isEqualTo(segments.get(0));
        assertThat(again.name()).isEqualTo(segments.get(segments.size() - 1));
    }

    @Property
    void aChildLiesBelowAllOfItsAncestorsAndNoneOfThemBelowIt(@ForAll("segmentLists") List<String> segments) {
        MeshAddress child = MeshAddress.of(String.join("/", segments)).child("leaf");
        MeshAddress ancestor = child;
        for (int depth = segments.size(); depth > 0; depth--) {
            ancestor = ancestor.parent().orElseThrow();

            assertThat(ancestor.segments()).isEqualTo(segments.subList(0, depth));
            assertThat(child.isBelow(ancestor)).isTrue();
            assertThat(ancestor.isBelow(child)).isFalse();
        }
        assertThat(ancestor.parent()).isEmpty();
    }

    @Property
    void shardAndLoopAreInTheirRangesAndFollowFromTheText(
            @ForAll("segmentLists") List<String> segments,
            @ForAll @net.jqwik.api.constraints.IntRange(min = 1, max = 64) int loops) {
        String text = String.join("/", segments);
        MeshAddress address = MeshAddress.of(text);

        assertThat(address.shard()).isBetween(0, MeshAddress.SHARDS - 1);
        assertThat(address.shard()).isEqualTo(MeshAddress.of(text).shard());
        assertThat(address.loop(loops)).isBetween(0, loops - 1);
        assertThat(address.loop(loops)).isEqualTo(MeshAddress.of(text).loop(loops));
    }

    @Property
    void everyTextIsAnAddressOrRejectedAtAPlaceInsideItWithAFailureThatCanBeSent(@ForAll String text) {
        try {
            assertThat(MeshAddress.of(text)).hasToString(text);
        } catch (Rejected rejected) {
            assertThat(rejected.position().orElseThrow()).isBetween(0, text.length());
            assertThat(FailureJson.write(rejected).toBuffer().length()).isPositive();
        }
    }

    @Provide
    Arbitrary<List<String>> segmentLists() {
        return Arbitraries.of(
                        "a",
                        "b",
                        "Z",
                        "0",
                        "9",
                        ".",
                        "_",
                        "~",
                        "@",
                        "+",
                        "-",
                        "\u00e9",
                        "\u00df",
                        "\u4e2d",
                        "\u0661",
                        "\ud801\udc00")
                .list()
                .ofMinSize(1)
                .ofMaxSize(8)
                .map(characters -> String.join("", characters))
                .filter(segment -> !segment.equals(".") && !segment.equals(".."))
                .list()
                .ofMinSize(1)
                .ofMaxSize(15);
    }
}
