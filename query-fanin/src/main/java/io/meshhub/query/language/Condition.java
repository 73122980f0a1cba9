package io.meshhub.query.language;

import io.meshhub.routing.spi.CodePointOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What a node must meet: a tree in normal form. Parts stand in the order of their texts and once each; no part of a
 * list is a list of the same kind, and none is the negation of a negation.
 */
public sealed interface Condition {

    /** All parts hold; without parts that is always so. */
    record All(List<Condition> parts) implements Condition {
        public All {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return Quoting.join(" ", parts, part -> part.toString());
        }
    }

    /** One of the parts holds, or several do; there are at least two. */
    record Any(List<Condition> parts) implements Condition {
        public Any {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return Quoting.join(" OR ", parts, part -> part instanceof All ? "(" + part + ")" : part.toString());
        }
    }

    /** The part does not hold. */
    record Not(Condition part) implements Condition {
        @Override
        public String toString() {
            return part instanceof All || part instanceof Any ? "-(" + part + ")" : "-" + part;
        }
    }

    /**
     * What the node has in a field compares so with what is asked for. A node without the field never meets it.
     *
     * @param operands at least one, and one only for an operator of order; in the order of their texts
     */
    record Comparison(Field field, Operator operator, List<Operand> operands) implements Condition {
        public Comparison {
            operands = List.copyOf(operands);
        }

        @Override
        public String toString() {
            return field + ":" + operator.symbol() + Quoting.join(",", operands, Object::toString);
        }
    }

    /**
     * A text occurs in the node's name, in the last segment of its path, or in a string of its document.
     *
     * @param text without difference of case
     */
    record Words(String text) implements Condition {
        @Override
        public String toString() {
            return Quoting.words(text);
        }
    }

    /** The normal form of: all of these. */
    static Condition all(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        for (Condition part : parts) {
            if (part instanceof All all) {
                flat.addAll(all.parts);
            } else {
                flat.add(part);
            }
        }
        List<Condition> distinct = inOrder(flat);
        return distinct.size() == 1 ? distinct.get(0) : new All(distinct);
    }

    /** The normal form of: at least one of these, of which there is one. */
    static Condition any(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        for (Condition part : parts) {
            if (part instanceof Any any) {
                flat.addAll(any.parts);
            } else {
                flat.add(part);
            }
        }
        List<Condition> distinct = inOrder(flat);
        return distinct.size() == 1 ? distinct.get(0) : new Any(distinct);
    }

    /** The normal form of: not this. */
    static Condition not(Condition part) {
        return part instanceof Not not ? not.part : new Not(part);
    }

    /** The normal form of a comparison. */
    static Condition comparison(Field field, Operator operator, List<Operand> operands) {
        return new Comparison(field, operator, inOrder(operands));
    }

    private static <T> List<T> inOrder(List<T> parts) {
        TreeMap<String, T> sorted = new TreeMap<>(CodePointOrder.INSTANCE);
        for (T part : parts) {
            sorted.putIfAbsent(part.toString(), part);
        }
        return List.copyOf(sorted.values());
    }
}
