package io.meshhub.hub.store;

import io.meshhub.routing.spi.StoreException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * The file of the store: made with its schema by whoever opens it first, shared by all processes of the machine.
 *
 * <p>A process may meet another one that makes the file, recovers it after a crash, or leaves it as the last one. SQLite
 * waits for most of that by itself, and says "busy" for the rest; then everything is tried again from the start.
 */
final class SqliteFile {

    /** The name of the file in the store's directory; SQLite puts two more beside it. */
    static final String NAME = "store.db";

    /** Says in the file's head that it is ours: MESH. */
    static final int APPLICATION_ID = 0x4d455348;

    /** The schema that this code writes. */
    static final int SCHEMA_VERSION = 1;

    private static final int OPEN_ATTEMPTS = 5;

    private static final String[] SCHEMA = {
        """
        create table nodes (
          path text primary key not null,
          parent text not null,
          depth integer not null,
          partition text not null,
          node_type text not null,
          name text not null,
          content text not null,
          version integer not null,
          activation integer not null,
          deleted integer not null,
          changed_at integer not null,
          shard integer not null
        ) strict""",
        "create index nodes_by_path on nodes (path) where deleted = 0",
        "create index nodes_by_partition on nodes (partition) where deleted = 0",
        "create index nodes_by_parent on nodes (parent, path) where deleted = 0",
        """
        create table shard_fence (
          role text not null,
          shard integer not null,
          epoch integer not null,
          incarnation text not null,
          primary key (role, shard)
        ) strict, without rowid""",
        "create table meta (key text primary key not null, value text not null) strict, without rowid",
    };

    /** What files of the same version may lack: software that does not know it works with it all the same. */
    private static final String[] ADDED = {
        "create index if not exists nodes_by_type on nodes (node_type, path) where deleted = 0",
    };

    private final Path path;
    private final Duration busyTimeout;
    private final String storeId;

    private SqliteFile(Path path, Duration busyTimeout) throws IOException, SQLException {
        this.path = path;
        this.busyTimeout = busyTimeout;
        this.storeId = prepare();
    }

    /** Opens the file, and makes it when it is missing; blocks. */
    static SqliteFile open(StoreOptions options) {
        Path path = options.directory().toAbsolutePath().resolve(NAME);
        try {
            return new SqliteFile(path, options.busyTimeout());
        } catch (IOException e) {
            throw new StoreException("Store " + path + " cannot be made: " + e, e);
        } catch (SQLException e) {
            throw failure(path, "cannot be opened", e);
        }
    }

    /** The id that was made with the file. */
    String storeId() {
        return storeId;
    }

    Path path() {
        return path;
    }

    /** A connection whose commits are on disk when they return. */
    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout((int) busyTimeout.toMillis());
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setPragma(SQLiteConfig.Pragma.JOURNAL_SIZE_LIMIT, Long.toString(64L << 20));
        return config.createConnection("jdbc:sqlite:" + path);
    }

    /** A connection that gets its turn beside a busy process. */
    Connection connectToWrite() throws SQLException {
        Connection connection = connect();
        try {
            BusyHandler.setHandler(connection, new PatientWriter(busyTimeout));
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A connection that cannot change anything. */
    Connection connectToRead() throws SQLException {
        Connection connection = connect();
        try {
            execute(connection, "pragma query_only = true");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** What failed, where and why. */
    StoreException failure(String what, Throwable cause) {
        return failure(path, what, cause);
    }

    private static StoreException failure(Path path, String what, Throwable cause) {
        String text = "Store " + path + " " + what;
        if (is(cause, SQLiteErrorCode.SQLITE_NOTADB)) {
            return new StoreException(text + ": the file is no SQLite database", cause);
        }
        if (is(cause, SQLiteErrorCode.SQLITE_CORRUPT)) {
            return new StoreException(text + ": the file is damaged (" + cause.getMessage() + ")", cause);
        }
        if (is(cause, SQLiteErrorCode.SQLITE_BUSY)) {
            return new StoreException(text + ": another process held it all the time", cause);
        }
        return new StoreException(text + ": " + cause.getMessage(), cause);
    }

    private String prepare() throws IOException, SQLException {
        makeFile();
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = connect()) {
                checkOurs(connection);
                return prepare(connection);
            } catch (SQLException e) {
                if (attempt == OPEN_ATTEMPTS || !is(e, SQLiteErrorCode.SQLITE_BUSY)) {
                    throw e;
                }
            }
        }
    }

    private String prepare(Connection connection) throws SQLException {
        // Waits for whoever is making the file.
        execute(connection, "begin immediate");
        execute(connection, "commit");
        if (!"wal".equals(text(connection, "pragma journal_mode = wal"))) {
            throw new StoreException(
                    "Store " + path + " cannot be opened: its file system has no room for a write-ahead log", null);
        }
        execute(connection, "begin immediate");
        try {
            if (number(connection, "pragma user_version") == 0) {
                for (String sql : SCHEMA) {
                    execute(connection, sql);
                }
                execute(connection, "insert into meta values ('store_id', '" + UUID.randomUUID() + "')");
                execute(connection, "pragma application_id = " + APPLICATION_ID);
                execute(connection, "pragma user_version = " + SCHEMA_VERSION);
            }
            for (String sql : ADDED) {
                execute(connection, sql);
            }
            String id = text(connection, "select value from meta where key = 'store_id'");
            execute(connection, "commit");
            return id;
        } catch (SQLException e) {
            rollback(connection, e);
            throw e;
        }
    }

    /** Looks before anything is changed: a file of somebody else stays as it is. */
    private void checkOurs(Connection connection) throws SQLException {
        long application;
        long version;
        boolean empty;
        // One snapshot: between two statements somebody else may finish making the file.
        execute(connection, "begin");
        try {
            application = number(connection, "pragma application_id");
            version = number(connection, "pragma user_version");
            empty = application == 0 && version == 0 && number(connection, "select count(*) from sqlite_master") == 0;
            execute(connection, "commit");
        } catch (SQLException e) {
            rollback(connection, e);
            throw e;
        }
        if (empty) {
            return;
        }
        if (application != APPLICATION_ID) {
            throw new StoreException(
                    "Store " + path
                            + " cannot be opened: the file is a database of another application (application id "
                            + application + ")",
                    null);
        }
        if (version != SCHEMA_VERSION) {
            throw new StoreException(
                    "Store " + path + " cannot be opened: its schema has version " + version
                            + ", and this software knows version " + SCHEMA_VERSION,
                    null);
        }
    }

    // SQLite gives the files that it puts beside this one the same permissions.
    private void makeFile() throws IOException {
        Path directory = path.getParent();
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(directory, ownerOnly(posix, "rwx------"));
        }
        try {
            Files.createFile(path, ownerOnly(posix, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            // Somebody made it before; opening tells whether it is a store.
        }
    }

    private static FileAttribute<?>[] ownerOnly(boolean posix, String permissions) {
        if (!posix) {
            return new FileAttribute<?>[0];
        }
        FileAttribute<Set<PosixFilePermission>> attribute =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        return new FileAttribute<?>[] {attribute};
    }

    private static boolean is(Throwable failure, SQLiteErrorCode code) {
        return failure instanceof SQLException e && (e.getErrorCode() & 0xff) == code.code;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void rollback(Connection connection, SQLException reason) {
        try {
            execute(connection, "rollback");
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        return Long.parseLong(text(connection, sql));
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new SQLException("no row for: " + sql);
            }
            return rows.getString(1);
        }
    }
}
