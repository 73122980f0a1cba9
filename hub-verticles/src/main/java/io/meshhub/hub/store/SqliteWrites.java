package io.meshhub.hub.store;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ShardFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writing connection and its transaction; blocks, one thread at a time.
 *
 * <p>A transaction holds the write lock of the file from its beginning, so what it reads stands until it ends.
 */
final class SqliteWrites implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement readNode;
    private final PreparedStatement writeNode;
    private final PreparedStatement readFence;
    private final PreparedStatement writeFence;
    // The fences that this transaction has seen; the same few come again and again.
    private final Map<StoredFence.Key, StoredFence> fences = new HashMap<>();

    SqliteWrites(Connection connection) throws SQLException {
        this.connection = connection;
        begin = connection.prepareStatement("begin immediate");
        commit = connection.prepareStatement("commit");
        readNode = connection.prepareStatement(SqliteReads.ONE);
        writeNode = connection.prepareStatement(NodeRows.UPSERT);
        readFence =
                connection.prepareStatement("select epoch, incarnation from shard_fence where role = ? and shard = ?");
        writeFence = connection.prepareStatement("""
                insert into shard_fence (role, shard, epoch, incarnation) values (?, ?, ?, ?)
                on conflict (role, shard) do update set epoch = excluded.epoch, incarnation = excluded.incarnation""");
    }

    void begin() throws SQLException {
        fences.clear();
        begin.execute();
    }

    /** On disk when this returns. */
    void commit() throws SQLException {
        commit.execute();
    }

    @Nullable
    NodeRow node(MeshAddress address) throws SQLException {
        readNode.setString(1, address.toString());
        try (ResultSet rows = readNode.executeQuery()) {
            return rows.next() ? NodeRows.read(rows) : null;
        }
    }

    void put(NodeRow row, ActivationId activation) throws SQLException {
        NodeRows.bind(writeNode, row, activation);
        writeNode.executeUpdate();
    }

    @Nullable
    StoredFence fence(StoredFence.Key key) throws SQLException {
        StoredFence known = fences.get(key);
        if (known != null) {
            return known;
        }
        readFence.setString(1, key.role());
        readFence.setInt(2, key.shard());
        try (ResultSet rows = readFence.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            StoredFence stored = new StoredFence(rows.getLong(1), rows.getString(2));
            fences.put(key, stored);
            return stored;
        }
    }

    /** Raises the stored fence to this one, unless it is the one that stands. */
    void raise(ShardFence fence, @Nullable StoredFence held) throws SQLException {
        StoredFence raised = StoredFence.of(fence);
        if (raised.equals(held)) {
            return;
        }
        writeFence.setString(1, fence.role());
        writeFence.setInt(2, fence.shard());
        writeFence.setLong(3, fence.epoch());
        writeFence.setString(4, fence.incarnation());
        writeFence.executeUpdate();
        fences.put(StoredFence.Key.of(fence), raised);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
