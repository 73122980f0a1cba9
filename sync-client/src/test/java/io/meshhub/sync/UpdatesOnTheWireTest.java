package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** W10: how small the update is that an owner is sent. */
@Timeout(30)
class UpdatesOnTheWireTest {

    private static final String TEXT = "0123456789".repeat(10_240);

    private FakeOwners owners;
    private SyncStream<JsonObject> stream;

    @BeforeEach
    void aStreamWithALargeText() {
        owners = new FakeOwners(SyncOptions.ofDefaults());
        stream = owners.client.watch(MeshAddress.of("notes/1"));
        owners.settle();
        owners.accept(owners.last(), 1);
        owners.full(owners.last(), 1, 1, new JsonObject().put("text", TEXT).put("list", new JsonArray().add(1)));
    }

    @AfterEach
    void close() {
        stream.close();
        owners.close();
    }

    private JsonObject sent(UnaryOperator<JsonObject> change) {
        FakeOwners.await(stream.update(change));
        return owners.updates.get(0).toJson();
    }

    @Test
    void aSmallEditOfALargeTextIsASmallMessage() {
        JsonObject sent =
                sent(it -> it.put("text", TEXT.substring(0, 50_000) + "\ud83d\ude00" + TEXT.substring(50_000)));

        assertThat(sent.encode()).contains("splice").hasSizeLessThan(250);
    }

    @Test
    void anElementThatIsAppendedIsAnAddAtTheEnd() {
        JsonObject sent = sent(it -> it.put("list", it.getJsonArray("list").add(2)));

        assertThat(sent.getJsonArray("operations").encode())
                .isEqualTo("[{\"op\":\"add\",\"path\":\"/list/-\",\"value\":2}]");
    }

    @Test
    void anElementThatIsInsertedIsOneAddAtItsPlace() {
        JsonObject sent = sent(it -> it.put("list", new JsonArray().add(0).add(1)));

        assertThat(sent.getJsonArray("operations").encode())
                .isEqualTo("[{\"op\":\"add\",\"path\":\"/list/0\",\"value\":0}]");
    }
}
