package io.meshhub.hub.store;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that waits for a byte on its standard input, then writes as fast as it can until it is killed, and prints
 * path and version of each write once it is acknowledged. It ends by itself when its standard input does: nobody is
 * there any more to kill it.
 */
final class StoreWriterProcess {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWriterProcess.class);

    private static final int OUTSTANDING = 512;
    private static final int PATHS = 5000;

    private StoreWriterProcess() {}

    /** The directory, the epoch and the incarnation. */
    public static void main(String[] args) throws InterruptedException, IOException {
        // Standard output is for the acknowledged writes alone; what is logged goes beside it.
        PrintStream out = System.out;
        System.setOut(System.err);
        Path directory = Path.of(args[0]);
        long epoch = Long.parseLong(args[1]);
        String incarnation = args[2];
        Vertx vertx = Vertx.vertx();
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(1);
        }
        endWithParent();
        SqliteNodeStore store =
                StoreFixture.await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
        Semaphore room = new Semaphore(OUTSTANDING);
        for (long i = 0; ; i++) {
            room.acquire();
            MeshAddress address = MeshAddress.of("load/" + i % PATHS);
            store.write(new NodeWrite(
                            address,
                            "load",
                            "a row",
                            new JsonObject().put("epoch", epoch).put("i", i),
                            NodeWrite.ANY_VERSION,
                            ActivationId.of(epoch, i),
                            new ShardFence("load", address.shard(), epoch, incarnation)))
                    .onSuccess(record -> {
                        // One call a line: a line that is cut off by the kill has no end and does not count.
                        out.print(record.address() + " " + record.version() + '\n');
                        out.flush();
                        room.release();
                    })
                    .onFailure(reason -> {
                        out.print("failed " + reason + '\n');
                        out.flush();
                        room.release();
                    });
        }
    }

    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing more is said to this process; the end is what is waited for.
                        }
                    } catch (IOException e) {
                        LOG.warn("Standard input ended: {}", e.toString());
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent watch");
        watch.setDaemon(true);
        watch.start();
    }
}
