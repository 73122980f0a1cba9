package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.Scored;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.CodePointOrder;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;

/**
 * What one reading connection can be asked; blocks, one thread at a time.
 *
 * <p>The descendants of {@code a} are the paths between {@code a/} and {@code a0}, since {@code 0} follows {@code /}.
 * They need not follow {@code a} itself: {@code a-b} lies between.
 */
final class SqliteReads implements AutoCloseable {

    static final String ONE = NodeRows.SELECT + "path = ?";
    static final String CHILDREN = NodeRows.SELECT + "deleted = 0 and parent = ? and path > ? order by path limit ?";
    static final String RANGE = NodeRows.SELECT + "deleted = 0 and path > ? and path < ? order by path limit ?";
    static final String COUNT = "select count(*) from nodes where deleted = 0";
    static final String HIGHEST_FENCE = "select coalesce(max(epoch), 0) from shard_fence";

    // The last code point of all, which no path holds.
    private static final String PAST_ALL = Character.toString(Character.MAX_CODE_POINT);

    /** How many steps of its machine the database makes before it looks whether a query is still wanted: about 1 ms. */
    private static final int STEPS_BETWEEN_LOOKS = 20_000;

    private static final String PARTITIONS =
            "select distinct partition from nodes where deleted = 0 and partition > ? order by partition limit ?";

    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement end;
    private final PreparedStatement one;
    private final PreparedStatement children;
    private final PreparedStatement range;
    private final PreparedStatement count;
    private final PreparedStatement partitions;
    private final PreparedStatement highestFence;

    SqliteReads(Connection connection) throws SQLException {
        this.connection = connection;
        begin = connection.prepareStatement("begin");
        end = connection.prepareStatement("rollback");
        one = connection.prepareStatement(ONE);
        children = connection.prepareStatement(CHILDREN);
        range = connection.prepareStatement(RANGE);
        count = connection.prepareStatement(COUNT);
        partitions = connection.prepareStatement(PARTITIONS);
        highestFence = connection.prepareStatement(HIGHEST_FENCE);
    }

    Optional<NodeRecord> read(MeshAddress address) throws SQLException {
        return Optional.ofNullable(row(address)).map(NodeRow::toRecord);
    }

    /** A page, all of it as of one moment. */
    List<NodeRecord> list(NodeListing listing) throws SQLException {
        begin.execute();
        try {
            return page(listing);
        } finally {
            end.execute();
        }
    }

    private List<NodeRecord> page(NodeListing listing) throws SQLException {
        List<NodeRecord> page = new ArrayList<>();
        MeshAddress path = listing.path();
        switch (listing.scope()) {
            case SELF -> addLive(page, path, listing);
            case CHILDREN -> addChildren(page, path, listing);
            case DESCENDANTS -> addDescendants(page, path, listing);
            case ANCESTORS -> {
                for (MeshAddress ancestor : ancestors(path)) {
                    addLive(page, ancestor, listing);
                }
            }
            case SUBTREE -> {
                addLive(page, path, listing);
                addDescendants(page, path, listing);
            }
        }
        return page;
    }

    /** From the partition down. */
    private static List<MeshAddress> ancestors(@Nullable MeshAddress path) {
        List<MeshAddress> ancestors = new ArrayList<>();
        Optional<MeshAddress> up = Optional.ofNullable(path).flatMap(MeshAddress::parent);
        while (up.isPresent()) {
            ancestors.add(0, up.get());
            up = up.get().parent();
        }
        return ancestors;
    }

    private void addLive(List<NodeRecord> page, @Nullable MeshAddress path, NodeListing listing) throws SQLException {
        if (path == null
                || page.size() == listing.limit()
                || CodePointOrder.INSTANCE.compare(path.toString(), after(listing)) <= 0) {
            return;
        }
        NodeRow row = row(path);
        if (row != null && !row.deleted()) {
            page.add(row.toRecord());
        }
    }

    private void addChildren(List<NodeRecord> page, @Nullable MeshAddress path, NodeListing listing)
            throws SQLException {
        children.setString(1, path == null ? "" : path.toString());
        children.setString(2, after(listing));
        children.setInt(3, listing.limit() - page.size());
        addAll(page, children);
    }

    private void addDescendants(List<NodeRecord> page, @Nullable MeshAddress path, NodeListing listing)
            throws SQLException {
        String low = path == null ? "" : path + "/";
        String after = after(listing);
        range.setString(1, CodePointOrder.INSTANCE.compare(low, after) < 0 ? after : low);
        range.setString(2, path == null ? PAST_ALL : path + "0");
        range.setInt(3, listing.limit() - page.size());
        addAll(page, range);
    }

    private static String after(NodeListing listing) {
        MeshAddress after = listing.after();
        return after == null ? "" : after.toString();
    }

    private static void addAll(List<NodeRecord> page, PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                page.add(NodeRows.read(rows).toRecord());
            }
        }
    }

    private @Nullable NodeRow row(MeshAddress address) throws SQLException {
        one.setString(1, address.toString());
        try (ResultSet rows = one.executeQuery()) {
            return rows.next() ? NodeRows.read(rows) : null;
        }
    }

    /**
     * What belongs to the result of a query, as of one moment.
     *
     * @param isOver asked at each row, and in between; ends it with an {@link SQLException}
     */
    Harvest query(Query query, int most, BooleanSupplier isOver) throws SQLException {
        // Rows that the database does not hand out are no reason to go on either.
        ProgressHandler.setHandler(connection, STEPS_BETWEEN_LOOKS, new ProgressHandler() {
            @Override
            protected int progress() {
                return isOver.getAsBoolean() ? 1 : 0;
            }
        });
        try {
            return harvest(query, most, isOver);
        } finally {
            ProgressHandler.clearHandler(connection);
        }
    }

    private Harvest harvest(Query query, int most, BooleanSupplier isOver) throws SQLException {
        QuerySql translated = QuerySql.of(query, Harvest.wanted(query, most));
        boolean cutsExactly = translated.cutsExactly();
        Harvest harvest = new Harvest(query, cutsExactly ? 0 : query.skip(), most, translated.ordersExactly());
        try (PreparedStatement statement = connection.prepareStatement(translated.sql())) {
            int index = 1;
            for (Object parameter : translated.parameters()) {
                bind(statement, index, parameter);
                index++;
            }
            try (ResultSet rows = statement.executeQuery()) {
                boolean more = true;
                while (more && rows.next()) {
                    if (isOver.getAsBoolean()) {
                        throw new SQLException("nobody waits for the answer any more");
                    }
                    Scored row = query.evaluate(NodeRows.read(rows).toQueryNode());
                    more = row == null || harvest.offer(row);
                }
            }
        }
        return harvest;
    }

    private static void bind(PreparedStatement statement, int index, Object parameter) throws SQLException {
        if (parameter instanceof String text) {
            statement.setString(index, text);
        } else if (parameter instanceof Long number) {
            statement.setLong(index, number);
        } else {
            statement.setDouble(index, (Double) parameter);
        }
    }

    List<String> partitions(@Nullable String after, int limit) throws SQLException {
        partitions.setString(1, after == null ? "" : after);
        partitions.setInt(2, limit);
        List<String> page = new ArrayList<>();
        try (ResultSet rows = partitions.executeQuery()) {
            while (rows.next()) {
                page.add(rows.getString(1));
            }
        }
        return page;
    }

    long count() throws SQLException {
        return number(count);
    }

    long highestFence() throws SQLException {
        return number(highestFence);
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
