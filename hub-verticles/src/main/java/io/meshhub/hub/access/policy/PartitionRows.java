package io.meshhub.hub.access.policy;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of one partition, by what they are asked for. Never changed; the order in which they came is irrelevant. */
final class PartitionRows {

    private final Map<MeshAddress, Row> named = new HashMap<>();
    private final Map<MeshAddress, List<Row>> assignments = new HashMap<>();
    private final List<Row> policies = new ArrayList<>();
    private final List<Row> faults = new ArrayList<>();

    private PartitionRows() {}

    /** Of these nodes; those of other types are left out. */
    static PartitionRows of(Collection<QueryNode> nodes) {
        PartitionRows rows = new PartitionRows();
        nodes.stream()
                .sorted(Comparator.comparing(QueryNode::path))
                .flatMap(node -> RowReader.read(node).stream())
                .forEach(rows::add);
        return rows;
    }

    private void add(Row row) {
        if (row instanceof Row.Misplaced) {
            faults.add(row);
            return;
        }
        if (row instanceof Row.Malformed) {
            faults.add(row);
        }
        MeshAddress path = row.origin().path();
        switch (row.kind()) {
            case ROLE, GROUP -> named.put(path, row);
            case POLICY -> policies.add(row);
            case ASSIGNMENT ->
                AccessModel.scopeOf(path)
                        .ifPresent(scope -> assignments
                                .computeIfAbsent(scope, first -> new ArrayList<>())
                                .add(row));
        }
    }

    /** Whether nothing in it could decide anything. */
    boolean decidesNothing() {
        return assignments.isEmpty() && policies.isEmpty();
    }

    /** The role, group, or what stands in its place; null where there is none. */
    @Nullable
    Row named(MeshAddress path) {
        return named.get(path);
    }

    /** The assignments of exactly this scope, in order of their paths. */
    List<Row> assignments(MeshAddress scope) {
        return assignments.getOrDefault(scope, List.of());
    }

    /** The policies, in order of their paths. */
    List<Row> policies() {
        return policies;
    }

    /** Those that cannot be read, and those that are not in their place. */
    List<Row> faults() {
        return faults;
    }
}
