package io.meshhub.hub.store;

import io.meshhub.query.language.Condition;
import io.meshhub.query.language.Condition.All;
import io.meshhub.query.language.Condition.Any;
import io.meshhub.query.language.Condition.Comparison;
import io.meshhub.query.language.Condition.Not;
import io.meshhub.query.language.Condition.Words;
import io.meshhub.query.language.Field;
import io.meshhub.query.language.Operand;
import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import io.meshhub.query.language.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition in SQL, as the translator of {@link QuerySql} writes it.
 *
 * <p>Each part is written on one of two sides. The wide side holds for every row that meets the part, and for some that
 * may; the narrow side holds only for rows that surely meet it. A negation turns the sides. On both a part is true or
 * false and never null, since the negation of null is null.
 *
 * <p>Open remain, and so belong to the wide side only: members behind an array; numbers with a fraction close to the
 * asked one; numbers as text; names of members with quotes, backslashes or control characters; and free text, whose
 * letters beyond ASCII fit any character. Rows with a NUL, where SQLite ends a text, are candidates whatever is asked.
 */
final class ConditionSql {

    // SQLite ends a text there; in JSON text it stands as an escape.
    private static final String NUL = "instr(content, '\\u0000') > 0 or instr(cast(name as blob), x'00') > 0"
            + " or instr(cast(node_type as blob), x'00') > 0";

    private final StringBuilder sql = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();
    private final boolean byType;
    private boolean exact = true;

    private ConditionSql(boolean byType) {
        this.byType = byType;
    }

    /**
     * Translates.
     *
     * @param byType whether the index on types may be used: within a scope the one on paths serves better
     */
    static ConditionSql of(Condition condition, boolean byType) {
        ConditionSql translated = new ConditionSql(byType);
        List<Condition> parts = condition instanceof All all ? all.parts() : List.of(condition);
        parts.forEach(translated::addOutermost);
        return translated;
    }

    // An exact part stands by itself, so that an index can serve it.
    private void addOutermost(Condition part) {
        if (!sql.isEmpty()) {
            sql.append(" and ");
        }
        int start = sql.length();
        boolean before = exact;
        exact = true;
        add(part, true);
        if (!exact) {
            sql.insert(start, "(" + NUL + " or ").append(')');
        }
        exact &= before;
    }

    /** The condition; empty when there is none. */
    String sql() {
        return sql.toString();
    }

    List<Object> parameters() {
        return parameters;
    }

    /** Whether it holds for the right rows and for no other. */
    boolean isExact() {
        return exact;
    }

    /** The column in which a field lies that is none of the content. */
    static String column(Field field) {
        return switch (field.kind()) {
            case PATH -> "path";
            case NODE_TYPE -> "node_type";
            case NAME -> "name";
            case VERSION -> "version";
            case CONTENT -> throw new IllegalArgumentException("no column: " + field);
        };
    }

    private void add(Condition condition, boolean wide) {
        if (condition instanceof All all) {
            addJoined(all.parts(), " and ", wide);
        } else if (condition instanceof Any any) {
            addJoined(any.parts(), " or ", wide);
        } else if (condition instanceof Not not) {
            sql.append("not ");
            add(not.part(), !wide);
        } else if (condition instanceof Words words) {
            addWords(words.text(), wide);
        } else if (condition instanceof Comparison comparison) {
            addComparison(comparison, wide);
        }
    }

    private void addJoined(List<Condition> parts, String joint, boolean wide) {
        sql.append('(');
        String before = "";
        for (Condition part : parts) {
            sql.append(before);
            add(part, wide);
            before = joint;
        }
        sql.append(')');
    }

    private void addComparison(Comparison comparison, boolean wide) {
        Field field = comparison.field();
        if (comparison.operator() != Operator.NOT_EQUAL) {
            addAnyOf(comparison, comparison.operator(), wide);
            return;
        }
        sql.append('(');
        if (field.kind() == Field.Kind.CONTENT) {
            addMember(MemberSql.presence(field, wide));
            sql.append(" and ");
        }
        sql.append("not ");
        addAnyOf(comparison, Operator.EQUAL, !wide);
        sql.append(')');
    }

    private void addAnyOf(Comparison comparison, Operator operator, boolean wide) {
        Field field = comparison.field();
        if (field.kind() == Field.Kind.CONTENT) {
            addMember(MemberSql.comparison(field, operator, comparison.operands(), wide));
            return;
        }
        String column = column(field);
        if (field.kind() == Field.Kind.NODE_TYPE && !byType) {
            // A plus keeps the index out.
            column = "+" + column;
        }
        sql.append('(');
        String before = "";
        for (Operand operand : comparison.operands()) {
            sql.append(before).append(column);
            if (operand instanceof Pattern pattern) {
                sql.append(" glob ?");
                parameters.add(SqlPatterns.glob(pattern));
                exact = false;
            } else if (operand instanceof Literal literal) {
                sql.append(' ').append(symbol(operator)).append(" ?");
                Number number = literal.number();
                boolean asNumber = field.kind() == Field.Kind.VERSION && number != null;
                parameters.add(asNumber ? number : literal.text());
            }
            before = " or ";
        }
        sql.append(')');
    }

    private void addMember(MemberSql member) {
        exact = false;
        sql.append(member.sql());
        parameters.addAll(member.parameters());
    }

    private void addWords(String text, boolean wide) {
        exact = false;
        if (!wide) {
            sql.append('0');
            return;
        }
        sql.append(
                        "(name like ? escape '\\' or path like ? escape '\\' or exists (select 1 from json_tree(content) leaf")
                .append(" where leaf.type = 'text' and leaf.atom like ? escape '\\'))");
        String like = SqlPatterns.like(text);
        parameters.addAll(List.of(like, like, like));
    }

    static String symbol(Operator operator) {
        return switch (operator) {
            case EQUAL -> "=";
            case NOT_EQUAL -> "<>";
            case LESS, AT_MOST, GREATER, AT_LEAST -> operator.symbol();
        };
    }
}
