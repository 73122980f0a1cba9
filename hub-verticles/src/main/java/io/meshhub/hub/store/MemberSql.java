package io.meshhub.hub.store;

import io.meshhub.query.language.Field;
import io.meshhub.query.language.Operand;
import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import io.meshhub.query.language.Operator;
import io.meshhub.routing.spi.CodePointOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a member of the content must be, in SQL, on the wide or on the narrow side (see {@link ConditionSql}). */
final class MemberSql {

    /** How far a double that SQLite reads from text may be off, generously. */
    private static final double ERROR = 1e-12;

    private static final String TYPE = "json_type(content, ?)";
    private static final String VALUE = "json_extract(content, ?)";

    private final StringBuilder sql = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();
    private final List<String> members;
    private final @Nullable String path;
    private final boolean wide;

    private MemberSql(Field field, boolean wide) {
        this.members = field.members();
        this.path = jsonPath(members);
        this.wide = wide;
    }

    /** It is there. */
    static MemberSql presence(Field field, boolean wide) {
        MemberSql member = new MemberSql(field, wide);
        member.write(member::addPresence);
        return member;
    }

    /** It compares so with one of the operands. */
    static MemberSql comparison(Field field, Operator operator, List<Operand> operands, boolean wide) {
        MemberSql member = new MemberSql(field, wide);
        member.write(() -> {
            String before = "";
            for (Operand operand : operands) {
                member.sql.append(before);
                if (operand instanceof Literal literal) {
                    member.addLiteral(operator, literal);
                } else if (operand instanceof Pattern pattern) {
                    member.addPattern(pattern);
                }
                before = " or ";
            }
        });
        return member;
    }

    String sql() {
        return sql.toString();
    }

    List<Object> parameters() {
        return parameters;
    }

    private void write(Runnable tests) {
        if (path == null) {
            sql.append(wide ? '1' : '0');
            return;
        }
        // Where nothing is found SQL says null.
        sql.append("coalesce(");
        tests.run();
        if (wide) {
            for (int i = 1; i <= members.size(); i++) {
                sql.append(" or json_type(content, ?) = 'array'");
                parameters.add(String.valueOf(jsonPath(members.subList(0, i))));
            }
        }
        sql.append(", 0)");
    }

    private void addPresence() {
        sql.append(type()).append(" <> 'null'");
    }

    private void addLiteral(Operator operator, Literal literal) {
        sql.append('(')
                .append(type())
                .append(" = 'text' and ")
                .append(value())
                .append(' ')
                .append(ConditionSql.symbol(operator))
                .append(" ?)");
        parameters.add(literal.text());
        for (String bool : List.of("true", "false")) {
            if (operator.holds(CodePointOrder.INSTANCE.compare(bool, literal.text()))) {
                addBoolean(bool);
            }
        }
        Number number = literal.number();
        if (number != null) {
            addWhole(operator, number);
            addFraction(operator, number.doubleValue());
        } else if (operator.isOrdering() || SqlPatterns.mayBeNumber(literal.text())) {
            addAnyNumber();
        }
    }

    private void addPattern(Pattern pattern) {
        if (pattern.fitsAll()) {
            addPresence();
            return;
        }
        sql.append('(').append(type()).append(" = 'text' and ").append(value()).append(" glob ?)");
        parameters.add(SqlPatterns.glob(pattern));
        for (String bool : List.of("true", "false")) {
            if (pattern.fits(bool)) {
                addBoolean(bool);
            }
        }
        if (SqlPatterns.mayFitNumber(pattern)) {
            addAnyNumber();
        }
    }

    private void addBoolean(String type) {
        sql.append(" or ").append(type()).append(" = '").append(type).append('\'');
    }

    private void addAnyNumber() {
        if (wide) {
            sql.append(" or ").append(type()).append(" in ('integer', 'real')");
        }
    }

    // Also a JSON integer is a double when it has more than 64 bits.
    private void addWhole(Operator operator, Number number) {
        sql.append(" or (")
                .append(type())
                .append(" = 'integer' and typeof(")
                .append(value())
                .append(") = 'integer' and ");
        sql.append(value()).append(' ').append(ConditionSql.symbol(operator)).append(" ?)");
        parameters.add(number);
    }

    private void addFraction(Operator operator, double number) {
        double error = Math.abs(number) * ERROR + Double.MIN_NORMAL;
        double low = number - error;
        double high = number + error;
        if (operator == Operator.EQUAL) {
            if (wide) {
                sql.append(" or (")
                        .append(type())
                        .append(" in ('integer', 'real') and typeof(")
                        .append(value());
                sql.append(") = 'real' and ").append(value()).append(" between ? and ?)");
                parameters.add(low);
                parameters.add(high);
            }
            return;
        }
        boolean less = operator == Operator.LESS || operator == Operator.AT_MOST;
        sql.append(" or (")
                .append(type())
                .append(" in ('integer', 'real') and typeof(")
                .append(value());
        sql.append(") = 'real' and ").append(value()).append(less ? " < ?)" : " > ?)");
        parameters.add(less == wide ? high : low);
    }

    private String type() {
        parameters.add(String.valueOf(path));
        return TYPE;
    }

    private String value() {
        parameters.add(String.valueOf(path));
        return VALUE;
    }

    /** The path of members in SQLite's words; null when it has none for their names. */
    private static @Nullable String jsonPath(List<String> members) {
        StringBuilder path = new StringBuilder("$");
        for (String member : members) {
            if (member.chars().anyMatch(c -> c == '"' || c == '\\' || c < ' ' || c == 127)) {
                return null;
            }
            path.append(".\"").append(member).append('"');
        }
        return path.toString();
    }
}
