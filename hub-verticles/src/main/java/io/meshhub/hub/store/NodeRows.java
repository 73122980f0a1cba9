package io.meshhub.hub.store;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** How a {@link NodeRow} lies in the table. */
final class NodeRows {

    /** What {@link #read} reads. */
    static final String SELECT =
            "select path, node_type, name, content, version, deleted, changed_at from nodes where ";

    /** What {@link #bind} binds. */
    static final String UPSERT = """
            insert into nodes (path, parent, depth, partition, node_type, name, content, version, activation, deleted,
              changed_at, shard)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (path) do update set node_type = excluded.node_type, name = excluded.name,
              content = excluded.content, version = excluded.version, activation = excluded.activation,
              deleted = excluded.deleted, changed_at = excluded.changed_at""";

    private NodeRows() {}

    static NodeRow read(ResultSet row) throws SQLException {
        return new NodeRow(
                MeshAddress.of(row.getString(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getInt(6) != 0,
                Instant.ofEpochMilli(row.getLong(7)));
    }

    static void bind(PreparedStatement statement, NodeRow row, ActivationId activation) throws SQLException {
        MeshAddress address = row.address();
        statement.setString(1, address.toString());
        statement.setString(2, address.parent().map(MeshAddress::toString).orElse(""));
        statement.setInt(3, address.segments().size());
        statement.setString(4, address.partition());
        statement.setString(5, row.nodeType());
        statement.setString(6, row.name());
        statement.setString(7, row.content());
        statement.setLong(8, row.version());
        statement.setLong(9, activation.value());
        statement.setInt(10, row.deleted() ? 1 : 0);
        statement.setLong(11, row.changedAt().toEpochMilli());
        statement.setInt(12, address.shard());
    }
}
