package io.meshhub.query.language;

import io.meshhub.query.language.Condition.All;
import io.meshhub.query.language.Condition.Any;
import io.meshhub.query.language.Condition.Comparison;
import io.meshhub.query.language.Condition.Not;
import io.meshhub.query.language.Condition.Words;
import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import io.meshhub.routing.spi.CodePointOrder;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says of a node whether it meets a condition, and where it stands by a sort key: what every translation must agree with. */
final class Evaluator {

    private Evaluator() {}

    static boolean meets(Folded node, Condition condition) {
        if (condition instanceof All all) {
            return all.parts().stream().allMatch(part -> meets(node, part));
        }
        if (condition instanceof Any any) {
            return any.parts().stream().anyMatch(part -> meets(node, part));
        }
        if (condition instanceof Not not) {
            return !meets(node, not.part());
        }
        if (condition instanceof Words words) {
            return FreeText.occurs(words.text(), node);
        }
        return compares(node.node(), (Comparison) condition);
    }

    private static boolean compares(QueryNode node, Comparison comparison) {
        return switch (comparison.operator()) {
            case EQUAL -> equalsAny(node, comparison);
            case NOT_EQUAL -> isPresent(node, comparison.field()) && !equalsAny(node, comparison);
            case LESS, AT_MOST, GREATER, AT_LEAST -> {
                Literal literal = (Literal) comparison.operands().get(0);
                yield scalars(node, comparison.field()).stream()
                        .anyMatch(value -> comparison.operator().holds(compare(value, literal)));
            }
        };
    }

    private static boolean equalsAny(QueryNode node, Comparison comparison) {
        List<Object> values = scalars(node, comparison.field());
        return comparison.operands().stream().anyMatch(operand -> {
            if (operand instanceof Pattern pattern) {
                return pattern.fitsAll()
                        ? isPresent(node, comparison.field())
                        : values.stream().anyMatch(value -> pattern.fits(Leaves.text(value)));
            }
            return values.stream().anyMatch(value -> compare(value, (Literal) operand) == 0);
        });
    }

    private static boolean isPresent(QueryNode node, Field field) {
        return field.kind() != Field.Kind.CONTENT || Leaves.isPresent(node.content(), field.members());
    }

    private static List<Object> scalars(QueryNode node, Field field) {
        return switch (field.kind()) {
            case PATH -> List.of(node.path().toString());
            case NODE_TYPE -> List.of(node.nodeType());
            case NAME -> List.of(node.name());
            case VERSION -> List.of(node.version());
            case CONTENT -> Leaves.scalars(node.content(), field.members());
        };
    }

    /** Two numbers by what they stand for, anything else as text. */
    private static int compare(Object value, Literal literal) {
        return value instanceof Number number && literal.number() != null
                ? Numbers.compare(Numbers.plain(number), literal.number())
                : CodePointOrder.INSTANCE.compare(Leaves.text(value), literal.text());
    }

    /** The order by one key: numbers, then texts and booleans, then nodes that have neither. */
    static Comparator<QueryNode> order(SortKey key) {
        return (a, b) -> {
            Object x = sortValue(a, key.field());
            Object y = sortValue(b, key.field());
            if (x == null || y == null) {
                return Boolean.compare(x == null, y == null);
            }
            int order = compare(x, y);
            return key.descending() ? -order : order;
        };
    }

    private static @Nullable Object sortValue(QueryNode node, Field field) {
        return field.kind() == Field.Kind.CONTENT
                ? Leaves.single(node.content(), field.members())
                : scalars(node, field).get(0);
    }

    private static int compare(Object x, Object y) {
        boolean number = x instanceof Number;
        if (number != y instanceof Number) {
            return number ? -1 : 1;
        }
        return number
                ? Numbers.compare(Numbers.plain((Number) x), Numbers.plain((Number) y))
                : CodePointOrder.INSTANCE.compare(Leaves.text(x), Leaves.text(y));
    }
}
