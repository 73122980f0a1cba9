package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeStore;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The store in a file does what every store does. */
class SqliteNodeStoreKeepsTheContractTest extends NodeStoreContract {

    private static Vertx vertx;

    @TempDir
    Path directory;

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() {
        StoreFixture.await(vertx.close());
    }

    @Override
    NodeStore open() {
        return StoreFixture.await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
    }
}
