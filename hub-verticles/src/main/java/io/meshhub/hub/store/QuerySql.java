package io.meshhub.hub.store;

import io.meshhub.query.language.Field;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.Scope;
import io.meshhub.query.language.SortKey;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A query as one SELECT over the nodes. Texts of the query are parameters only, never part of the SQL.
 *
 * <p>Said exactly are scopes, and comparisons of type, name and version without wildcards; skip and limit stand in the
 * SELECT only where nothing else is asked. Otherwise the rows are candidates: none that belongs to the result is
 * missing, and the evaluator has the last word on each ({@link ConditionSql} says what is taken in too much). Said
 * exactly is also the order by type, name, version and path, so candidates may be taken until there are enough. With
 * free text or a sort key in the content the order is the evaluator's, and all candidates are needed: numbers with
 * fractions are read by SQLite with an error in the last digit.
 *
 * @param sql the statement
 * @param parameters for its question marks: strings, longs and doubles
 * @param cutsExactly whether the rows are the result itself, skipped and limited
 * @param ordersExactly whether the rows come in the order of the query
 */
record QuerySql(String sql, List<Object> parameters, boolean cutsExactly, boolean ordersExactly) {

    QuerySql {
        parameters = List.copyOf(parameters);
    }

    /**
     * Translates.
     *
     * @param wanted the most nodes that are needed, after skipping
     */
    static QuerySql of(Query query, int wanted) {
        List<Object> parameters = new ArrayList<>();
        StringBuilder sql = new StringBuilder(NodeRows.SELECT).append("deleted = 0");
        addScope(query, sql, parameters);
        ConditionSql condition = ConditionSql.of(query.condition(), query.path() == null);
        if (!condition.sql().isEmpty()) {
            sql.append(" and ").append(condition.sql());
            parameters.addAll(condition.parameters());
        }
        boolean ordersExactly = !query.isScored()
                && query.sort().stream().noneMatch(key -> key.field().kind() == Field.Kind.CONTENT);
        if (ordersExactly) {
            sql.append(" order by ").append(order(query.sort()));
        }
        boolean cutsExactly = ordersExactly && condition.isExact();
        if (cutsExactly) {
            sql.append(" limit ? offset ?");
            parameters.add((long) wanted);
            parameters.add((long) query.skip());
        }
        return new QuerySql(sql.toString(), parameters, cutsExactly, ordersExactly);
    }

    // The tests of deleted and of the paths are those of the partial indexes, word by word.
    private static void addScope(Query query, StringBuilder sql, List<Object> parameters) {
        MeshAddress path = query.path();
        if (path == null) {
            return;
        }
        String text = path.toString();
        Scope scope = query.scope();
        switch (scope) {
            case EXACT -> {
                sql.append(" and path = ?");
                parameters.add(text);
            }
            case CHILDREN -> {
                sql.append(" and parent = ?");
                parameters.add(text);
            }
            case DESCENDANTS -> {
                sql.append(" and path > ? and path < ?");
                parameters.add(text + "/");
                parameters.add(text + "0");
            }
            case ANCESTORS -> {
                List<String> ancestors = new ArrayList<>();
                Optional<MeshAddress> up = path.parent();
                while (up.isPresent()) {
                    ancestors.add(up.get().toString());
                    up = up.get().parent();
                }
                sql.append(" and path in (")
                        .append(ancestors.stream().map(ancestor -> "?").collect(Collectors.joining(", ")))
                        .append(')');
                parameters.addAll(ancestors);
            }
            case SUBTREE -> {
                sql.append(" and (path = ? or (path > ? and path < ?))");
                parameters.add(text);
                parameters.add(text + "/");
                parameters.add(text + "0");
            }
        }
    }

    private static String order(List<SortKey> sort) {
        StringBuilder order = new StringBuilder();
        for (SortKey key : sort) {
            order.append(ConditionSql.column(key.field())).append(key.descending() ? " desc, " : ", ");
        }
        return order.append("path").toString();
    }
}
