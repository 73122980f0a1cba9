package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** W7 and W9: a process that writes at full speed is killed, and every write that it acknowledged is stored. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class AcknowledgedWritesSurviveKillIT {

    private static final Logger LOG = LoggerFactory.getLogger(AcknowledgedWritesSurviveKillIT.class);
    private static final int KILLS = 20;
    private static final int MOST_LINES_BEFORE_A_KILL = 2_000;

    @TempDir
    Path directory;

    private Vertx vertx;
    private SqliteNodeStore store;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        store = await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
    }

    @AfterEach
    void close() {
        started.forEach(Process::destroyForcibly);
        await(store.close());
        await(vertx.close());
    }

    @Test
    void everyAcknowledgedWriteIsStoredAfterTwentyKills() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, Long> acknowledged = new HashMap<>();
        long lines = 0;
        Process writer = start(1);
        for (int kill = 1; kill <= KILLS; kill++) {
            // Its JVM starts meanwhile, and waits.
            Process next = kill < KILLS ? start(kill + 1) : writer;
            lines += writeUntilKilled(writer, 1 + random.nextInt(MOST_LINES_BEFORE_A_KILL), acknowledged);
            // The next owner writes at once beside what the dead one has left behind.
            long begun = System.nanoTime();
            NodeRecord beside =
                    await(store.write(StoreFixture.write("beside", content(kill), kill - 1, kill, "survivor")));
            Duration blocked = Duration.ofNanos(System.nanoTime() - begun);
            assertThat(beside.version()).isEqualTo(kill);
            LOG.info(
                    "Kill {} of {}: {} writes acknowledged so far; the next write of another process took {} ms",
                    kill,
                    KILLS,
                    lines,
                    blocked.toMillis());
            assertStored(acknowledged, seed);
            writer = next;
        }
        assertThat(lines).isGreaterThanOrEqualTo(KILLS);
        // All processes gone, and the file opened anew.
        await(store.close());
        store = await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
        assertStored(acknowledged, seed);
    }

    private static JsonObject content(int kill) {
        return new JsonObject().put("kill", kill);
    }

    private void assertStored(Map<String, Long> acknowledged, long seed) {
        List<NodeRecord> page = await(store.list(
                new NodeListing(MeshAddress.of("load"), NodeListing.Scope.CHILDREN, null, NodeListing.MAX_LIMIT)));
        Map<String, Long> stored = new HashMap<>();
        page.forEach(record -> stored.put(record.address().toString(), record.version()));
        acknowledged.forEach((path, version) -> assertThat(stored.getOrDefault(path, 0L))
                .as("stored version of %s (seed %d)", path, seed)
                .isGreaterThanOrEqualTo(version));
    }

    private Process start(int epoch) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreWriterProcess.class.getName(),
                        directory.toString(),
                        Integer.toString(epoch),
                        "writer-" + epoch)
                .redirectError(new File(directory.toFile(), "writer-" + epoch + ".err"))
                .start();
        started.add(process);
        return process;
    }

    /** Lets a process write until so many of its writes were acknowledged, kills it, and takes in what it had said. */
    private static long writeUntilKilled(Process process, int killAt, Map<String, Long> acknowledged)
            throws IOException, InterruptedException {
        long lines = 0;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            StringBuilder line = new StringBuilder();
            for (int c = out.read(); c >= 0; c = out.read()) {
                if (c != '\n') {
                    line.append((char) c);
                    continue;
                }
                String[] words = line.toString().split(" ", 2);
                assertThat(words[0]).as(line.toString()).startsWith("load/");
                acknowledged.merge(words[0], Long.parseLong(words[1]), Math::max);
                line.setLength(0);
                if (++lines == killAt) {
                    // Not by the process itself, which would close its output too: the rest is read to its end.
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(lines).as("acknowledged writes of process %d", process.pid()).isGreaterThanOrEqualTo(killAt);
        return lines;
    }
}
