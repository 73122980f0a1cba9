package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static io.meshhub.hub.store.StoreFixture.creation;
import static io.meshhub.hub.store.StoreFixture.failureOf;
import static io.meshhub.hub.store.StoreFixture.fence;
import static io.meshhub.hub.store.StoreFixture.read;
import static io.meshhub.hub.store.StoreFixture.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StaleFenceException;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several instances share one file as several processes do, and nobody else's file is touched (N1, W8, A10). */
class SqliteFileIsSharedAndGuardedTest {

    @TempDir
    Path root;

    private final List<SqliteNodeStore> opened = new ArrayList<>();
    private Path directory;
    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        directory = root.resolve("data/store");
    }

    @AfterEach
    void stop() {
        opened.forEach(store -> await(store.close()));
        await(vertx.close());
    }

    private Future<SqliteNodeStore> opening() {
        return SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE);
    }

    private SqliteNodeStore open() {
        SqliteNodeStore store = await(opening());
        opened.add(store);
        return store;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteFile.NAME));
    }

    private void execute(String... sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    @Test
    void eachInstanceReadsWhatTheOtherWrote() {
        SqliteNodeStore a = open();
        SqliteNodeStore b = open();
        assertThat(b.storeId()).isEqualTo(a.storeId());
        for (int i = 1; i <= 20; i++) {
            SqliteNodeStore writer = i % 2 == 0 ? a : b;
            SqliteNodeStore reader = i % 2 == 0 ? b : a;
            NodeRecord written =
                    await(writer.write(write("n", new JsonObject().put("i", i), i == 1 ? 0 : i - 1, 1, "x")));
            assertThat(read(reader, "n")).isEqualTo(written);
        }
    }

    @Test
    void loneWritesGetTheirTurnBesideAnInstanceThatWritesAllTheTime() {
        SqliteNodeStore busy = open();
        SqliteNodeStore lone = open();
        AtomicBoolean enough = new AtomicBoolean();
        List<Future<Long>> chains = new ArrayList<>();
        for (int chain = 0; chain < 100; chain++) {
            chains.add(writeUntil(enough, busy, "busy/" + chain, 0));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(await(lone.write(creation("lone/" + i))).version()).isEqualTo(1);
        }
        enough.set(true);
        chains.forEach(chain -> assertThat(await(chain)).isPositive());
    }

    private static Future<Long> writeUntil(AtomicBoolean enough, SqliteNodeStore store, String path, long version) {
        return store.write(write(path, new JsonObject().put("n", version), version, 1, "a"))
                .compose(record -> enough.get()
                        ? Future.succeededFuture(record.version())
                        : writeUntil(enough, store, path, record.version()));
    }

    @Test
    void oneOfTwoRacingOwnersWinsTheFenceAndOnlyItWrites() {
        SqliteNodeStore a = open();
        SqliteNodeStore b = open();
        List<ShardFence> ofA = IntStream.range(0, 200)
                .mapToObj(shard -> new ShardFence("hub", shard, 7, "a"))
                .toList();
        List<ShardFence> ofB = IntStream.range(0, 200)
                .mapToObj(shard -> new ShardFence("hub", shard, 7, "b"))
                .toList();
        // One fence a call, so that the two mix.
        List<Future<Map<Integer, Long>>> takenByA = new ArrayList<>();
        List<Future<Map<Integer, Long>>> takenByB = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            takenByA.add(a.take(List.of(ofA.get(i))));
            takenByB.add(b.take(List.of(ofB.get(199 - i))));
        }
        int won = 0;
        for (int shard = 0; shard < 200; shard++) {
            boolean isOfA = await(takenByA.get(shard)).isEmpty();
            assertThat(await(takenByB.get(199 - shard)).isEmpty()).isEqualTo(!isOfA);
            won += isOfA ? 1 : 0;
        }
        assertThat(await(a.take(ofA))).hasSize(200 - won);
        assertThat(await(b.take(ofB))).hasSize(won);
    }

    @Test
    void supersededInstanceWritesNoMoreWhileTheOtherDoes() {
        SqliteNodeStore a = open();
        SqliteNodeStore b = open();
        await(a.take(List.of(fence("n", 3, "a"))));
        List<Future<NodeRecord>> ofA = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ofA.add(a.write(write("n", new JsonObject().put("a", i), NodeWrite.ANY_VERSION, 3, "a")));
        }
        assertThat(await(b.take(List.of(fence("n", 4, "b"))))).isEmpty();
        long seen = await(b.read(MeshAddress.of("n"))).map(NodeRecord::version).orElse(0L);
        long highest = 0;
        boolean refused = false;
        for (Future<NodeRecord> write : ofA) {
            try {
                long version = await(write).version();
                assertThat(refused).as("a write after a refused one").isFalse();
                highest = version;
            } catch (StaleFenceException e) {
                refused = true;
                assertThat(e.storedEpoch()).isEqualTo(4);
            }
        }
        assertThat(seen).isEqualTo(highest);
        assertThat(failureOf(a.write(write("n", new JsonObject(), NodeWrite.ANY_VERSION, 3, "a"))))
                .isInstanceOf(StaleFenceException.class);
        assertThat(await(b.write(write("n", new JsonObject().put("b", 1), NodeWrite.ANY_VERSION, 4, "b")))
                        .version())
                .isEqualTo(highest + 1);
    }

    @Test
    void everythingIsThereAfterReopening() {
        SqliteNodeStore first = open();
        NodeRecord written = await(first.write(write("a/b", new JsonObject().put("n", 1), 0, 9, "x")));
        await(first.write(creation("a/c")));
        await(first.write(StoreFixture.deletion("a/c")));
        await(first.close());
        SqliteNodeStore second = open();
        assertThat(second.storeId()).isEqualTo(first.storeId());
        assertThat(read(second, "a/b")).isEqualTo(written);
        assertThat(read(second, "a/c").deleted()).isTrue();
        assertThat(await(second.highestFence())).isEqualTo(9);
        assertThat(failureOf(second.write(write("a/b", new JsonObject(), NodeWrite.ANY_VERSION, 8, "x"))))
                .isInstanceOf(StaleFenceException.class);
    }

    @RepeatedTest(40)
    void manyWhoOpenANewFileAtOnceAgreeOnItsId() {
        List<Future<SqliteNodeStore>> openings =
                IntStream.range(0, 8).mapToObj(i -> opening()).toList();
        openings.forEach(opening -> opened.add(await(opening)));
        assertThat(opened)
                .extracting(SqliteNodeStore::storeId)
                .hasSize(8)
                .containsOnly(opened.get(0).storeId());
        assertThat(opened.get(0).storeId()).hasSize(36);
    }

    @Test
    void filesBelongToTheirOwnerOnly() throws IOException {
        await(open().write(creation("a")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        for (String name : List.of("store.db", "store.db-wal", "store.db-shm")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name))))
                    .as(name)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void fileThatIsNoDatabaseIsLeftAloneAndNamed() throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(SqliteFile.NAME);
        String text = "this is no database. ".repeat(100);
        Files.writeString(file, text);
        assertThat(failureOf(opening()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("no SQLite database");
        assertThat(file).hasContent(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"create table theirs (x)", "pragma user_version = 3", "pragma application_id = 99"})
    void databaseOfAnotherApplicationIsLeftAlone(String theirs) throws IOException, SQLException {
        Files.createDirectories(directory);
        execute(theirs);
        byte[] before = Files.readAllBytes(directory.resolve(SqliteFile.NAME));
        assertThat(failureOf(opening()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("another application");
        assertThat(directory.resolve(SqliteFile.NAME)).hasBinaryContent(before);
    }

    @Test
    void fileOfANewerSchemaIsRefusedWithBothVersions() throws SQLException {
        await(open().close());
        execute("pragma user_version = 2");
        assertThat(failureOf(opening()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("schema has version 2")
                .hasMessageContaining("knows version 1");
    }

    @Test
    void damagedFileFailsWithOneClearReason() throws IOException, SQLException {
        await(open().close());
        Path file = directory.resolve(SqliteFile.NAME);
        byte[] bytes = Files.readAllBytes(file);
        // All pages but the head of the first.
        Arrays.fill(bytes, 100, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);
        assertThat(failureOf(opening()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("damaged");
    }

    @Test
    void directoryThatCannotBeMadeIsNamed() throws IOException {
        Files.writeString(root.resolve("data"), "a file where the directory should be");
        assertThat(failureOf(opening()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString());
    }

    @Test
    void rowThatCannotBeReadFailsOnlyWhoAsksForIt() throws SQLException {
        SqliteNodeStore store = open();
        await(store.write(creation("bad")));
        await(store.write(creation("good")));
        execute("update nodes set content = 'no json' where path = 'bad'");
        assertThat(failureOf(store.read(MeshAddress.of("bad")))).isInstanceOf(StoreException.class);
        Future<NodeRecord> bad = store.write(write("bad", new JsonObject(), NodeWrite.ANY_VERSION, 1, "a"));
        Future<NodeRecord> good = store.write(write("good", new JsonObject(), NodeWrite.ANY_VERSION, 1, "a"));
        assertThat(failureOf(bad)).isInstanceOf(StoreException.class).hasMessageContaining("'bad'");
        assertThat(await(good).version()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {SqliteReads.ONE, SqliteReads.CHILDREN, SqliteReads.RANGE, SqliteReads.COUNT})
    void everyQueryUsesAnIndexAndSortsNothing(String sql) throws SQLException {
        open();
        assertThat(plan(sql)).contains("INDEX").doesNotContain("TEMP B-TREE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodeType:country                                   | nodes_by_type (node_type=?)",
                "nodeType:country content.a:x                       | nodes_by_type (node_type=?)",
                "path:iso scope:children nodeType:country           | nodes_by_parent (parent=?)",
                "path:iso scope:descendants nodeType:country name:a | (path>? AND path<?)",
                "path:iso/CH                                        | (path=?)",
                "path:iso/CH/ZH scope:ancestors                     | (path=?)",
                "content.a:x                                        | USING INDEX nodes_by_path"
            })
    void askedQueriesUseTheIndexOfTheirScope(String query, String index) throws SQLException {
        open();
        assertThat(plan(QuerySql.of(Query.parse(query), 10).sql()))
                .contains(index)
                .doesNotContain("TEMP B-TREE");
    }

    private String plan(String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("explain query plan " + sql)) {
            while (rows.next()) {
                plan.append(rows.getString("detail")).append('\n');
            }
        }
        return plan.toString();
    }

    @Test
    void anOlderFileGetsTheIndexThatItLacks() throws SQLException {
        open();
        execute("drop index nodes_by_type");
        open();
        assertThat(plan(QuerySql.of(Query.parse("nodeType:a"), 10).sql())).contains("nodes_by_type");
    }
}
