package io.meshhub.hub.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.sync.protocol.Author;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a followed node remembers of its former versions is bounded in number and in bytes. */
@Timeout(30)
class HistoryIsBoundedTest {

    private static final MeshAddress CH = MeshAddress.of("iso/CH");
    private static final int QUARTER = (int) NodeHistory.MAX_BYTES / 4;

    private final NodeHistory history = new NodeHistory();

    private static NodeRecord record(long version, int characters) {
        JsonObject content = new JsonObject().put("text", new JsonArray().add("x".repeat(characters)));
        return new NodeRecord(CH, "country", "Switzerland", content, version, false, Instant.EPOCH);
    }

    private void add(int versions, int characters) {
        for (int i = 1; i <= versions; i++) {
            history.add(record(i, characters));
        }
    }

    private NodeDocument rename(long version, NodeRecord now) {
        JsonArray operations = new JsonArray()
                .add(new JsonObject().put("op", "replace").put("path", "/name").put("value", "Schweiz"));
        return history.rebase(CH, "a", now, new Update(new Author("s", 1), version, operations));
    }

    @Test
    void smallVersionsAreBoundedInNumber() {
        add(20, 10);

        assertThat(history.size()).isEqualTo(NodeHistory.MAX_VERSIONS);
        assertThat(rename(13, record(21, 10)).name()).isEqualTo("Schweiz");
        assertThatThrownBy(() -> rename(12, record(21, 10))).isInstanceOf(Conflict.class);
    }

    @Test
    void largeVersionsAreBoundedInBytes() {
        add(8, QUARTER);

        assertThat(history.size()).isEqualTo(3);
        assertThat(rename(6, record(9, 10)).name()).isEqualTo("Schweiz");
        assertThatThrownBy(() -> rename(5, record(9, 10))).isInstanceOf(Conflict.class);
    }

    @Test
    void theLatestIsKeptWhateverItsSize() {
        add(2, 10);
        history.add(record(3, 5 * QUARTER));

        assertThat(history.size()).isEqualTo(1);
        assertThat(rename(3, record(4, 10)).name()).isEqualTo("Schweiz");
    }

    @Test
    void whatWasLargeLeavesRoomWhenItIsForgotten() {
        history.add(record(1, 5 * QUARTER));
        add(8, 10);

        assertThat(history.size()).isEqualTo(8);
    }

    @Test
    void manySmallValuesCountAsWhatTheyTake() {
        JsonArray many = new JsonArray();
        for (int i = 0; i < 100; i++) {
            many.add(i);
        }

        assertThat(JsonSize.of(many)).isBetween(100L * 16, 100L * 64);
        assertThat(JsonSize.of(new JsonObject().put("a", many).put("b", "x".repeat(1000))))
                .isBetween(100L * 16 + 1000, 100L * 64 + 1500);
    }
}
