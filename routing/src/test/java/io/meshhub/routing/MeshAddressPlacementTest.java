package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where an address lives follows from its text alone, alike on every JVM, and spreads evenly; and what lies above and
 * below it.
 */
class MeshAddressPlacementTest {

    private static final Path SAMPLE = Path.of("..", "conf", "samples", "iso.jsonl");

    /** Worked out apart from this code; a change of any value moves live addresses of a running cluster. */
    @ParameterizedTest
    @CsvSource({
        "orders/42, 1007, 0, 0, 2",
        "iso/CH/ZH, 845, 1, 1, 0",
        "a, 603, 0, 0, 0",
        "acme/_Activity/import-9f2c, 525, 0, 0, 4",
        "\u00e5land/\u4e2d\u6587/\ud801\udc00, 379, 0, 0, 4"
    })
    void knownAddressesLieWhereTheyAlwaysDid(String text, int shard, int ofTwo, int ofFour, int ofSeven) {
        MeshAddress address = MeshAddress.of(text);

        assertThat(address.shard()).isEqualTo(shard);
        assertThat(List.of(address.loop(2), address.loop(4), address.loop(7))).containsExactly(ofTwo, ofFour, ofSeven);
        assertThat(address.loop(1)).isZero();
    }

    @Test
    void shardsAndTheLoopsInsideEachAreBalanced() {
        int[] shards = new int[MeshAddress.SHARDS];
        int[][] loops = new int[MeshAddress.SHARDS][4];
        int perShard = 1000;
        for (int i = 0; i < MeshAddress.SHARDS * perShard; i++) {
            MeshAddress address = MeshAddress.of("orders/" + i);
            shards[address.shard()]++;
            loops[address.shard()][address.loop(4)]++;
        }

        assertThat(Arrays.stream(shards).summaryStatistics().getMin()).isGreaterThan(perShard * 8 / 10);
        assertThat(Arrays.stream(shards).summaryStatistics().getMax()).isLessThan(perShard * 12 / 10);
        assertThat(Arrays.stream(loops).flatMapToInt(Arrays::stream))
                .allSatisfy(count -> assertThat(count).isBetween(perShard / 4 * 6 / 10, perShard / 4 * 14 / 10));
    }

    @Test
    void allPathsOfTheIsoSampleAreAddressesAndSpreadOverTheLoops() throws IOException {
        List<String> paths = Files.readAllLines(SAMPLE).stream()
                .map(line -> new JsonObject(line).getString("path"))
                .toList();
        int[] loops = new int[4];
        TreeSet<Integer> shards = new TreeSet<>();
        for (String path : paths) {
            MeshAddress address = MeshAddress.of(path);
            assertThat(address).hasToString(path);
            loops[address.loop(4)]++;
            shards.add(address.shard());
        }

        assertThat(paths).hasSize(6043).doesNotHaveDuplicates();
        assertThat(Arrays.stream(loops).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(1350, 1670));
        assertThat(shards).hasSizeGreaterThan(1000);
    }

    @Test
    void belowMeansWholeSegmentsAndNeverItself() {
        MeshAddress address = MeshAddress.of("iso/CH");

        assertThat(MeshAddress.of("iso/CH/ZH/8000").isBelow(address)).isTrue();
        assertThat(address.isBelow(address)).isFalse();
        assertThat(MeshAddress.of("iso/CHX").isBelow(address)).isFalse();
        assertThat(MeshAddress.of("iso/CHX/ZH").isBelow(address)).isFalse();
        assertThat(MeshAddress.of("osi/CH/ZH").isBelow(address)).isFalse();
        assertThat(MeshAddress.of("iso").isBelow(address)).isFalse();
    }

    @Test
    void aChildIsOneSegmentDownAndNoMore() {
        MeshAddress parent = MeshAddress.of("iso/CH");

        assertThat(parent.child("ZH")).isEqualTo(MeshAddress.of("iso/CH/ZH"));
        assertThat(parent.child("ZH").parent()).contains(parent);
        assertThatThrownBy(() -> parent.child("")).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> parent.child("..")).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> parent.child("ZH/8000"))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.position()).hasValue(9));
    }

    @Test
    void addressesSortByTheirText() {
        assertThat(new TreeSet<>(List.of(MeshAddress.of("b"), MeshAddress.of("a/b"), MeshAddress.of("a"))))
                .extracting(MeshAddress::toString)
                .containsExactly("a", "a/b", "b");
    }
}
