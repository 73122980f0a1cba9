package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rows and changes come back as they went, in the bytes that other versions of the software expect. */
final class WireFormatTest {

    private static final ShardRow ROW =
            new ShardRow(1023, "b-2", 60_000_000L, ShardRow.Via.RELEASE, ShardRow.State.HANDOFF, "c-3");

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder()
            .setConfig(HazelcastConfigs.of(ClusterOptions.of("a")).getSerializationConfig())
            .build();

    private <T> T roundTrip(T value) {
        return serialization.toObject(serialization.toData(value));
    }

    @Test
    void rowsComeBackAsTheyWent() {
        assertThat(roundTrip(ROW)).isEqualTo(ROW);
        assertThat(roundTrip(ShardRow.unowned(0))).isEqualTo(ShardRow.unowned(0));
        NodeInfo node =
                new NodeInfo("a", "a-1", NodeInfo.State.LEAVING, 3, "geo", Set.of("orders", "iso"), "store-9", "0.1.0");
        NodeRow row = new NodeRow(node, UUID.randomUUID(), 1024, Map.of("iso", "geo", "orders", "hub"), "quorum 1");
        assertThat(roundTrip(row)).isEqualTo(row);
    }

    @Test
    void changesDoAfterTheWayWhatTheyDidBefore() {
        List<RowChange> changes = List.of(
                new RowChange.Claim("b-2", 7, 60_000_000L, true),
                new RowChange.HandOff("a-1", 7, "b-2"),
                new RowChange.Release("a-1", 7, "b-2"),
                new RowChange.Reclaim("a-1", 7, 9),
                new RowChange.Restore(ROW));
        for (RowChange change : changes) {
            byte[] once = serialization.toBytes(new ShardChange(change));
            ShardChange there = serialization.toObject(serialization.toData(new ShardChange(change)));
            assertThat(serialization.toBytes(there)).isEqualTo(once);
        }
    }

    /** Bytes of version 1; a change of them breaks clusters of mixed versions. */
    @Test
    void theBytesAreFrozen() {
        assertThat(HexFormat.of().formatHex(serialization.toBytes(ROW)))
                .isEqualTo("0000000000001bbd0103ff00000003622d3200000000039387000101" + "00000003632d33");
        assertThat(HexFormat.of()
                        .formatHex(serialization.toBytes(new ShardChange(new RowChange.Claim("b-2", 7, 9, true)))))
                .isEqualTo("00000000fffffffe0100001bbc0000000101" + "0100000003622d320000000000000007"
                        + "000000000000000901");
    }
}
