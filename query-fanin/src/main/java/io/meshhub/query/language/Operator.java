package io.meshhub.query.language;

/** How a comparison compares what a node has with what is asked for. */
public enum Operator {
    /** One of the values is equal, or fits where it has wildcards. */
    EQUAL("", "Equal to one of the values (`a,b`), or like it where it has wildcards."),
    /** There is something, and none of it is equal. */
    NOT_EQUAL("!", "There, and neither equal to nor like any of the values."),
    /** Something is less than the value. */
    LESS("<", "Less than the one value."),
    /** Something is at most the value. */
    AT_MOST("<=", "Less than the one value, or equal."),
    /** Something is greater than the value. */
    GREATER(">", "Greater than the one value."),
    /** Something is at least the value. */
    AT_LEAST(">=", "Greater than the one value, or equal.");

    private final String symbol;
    private final String meaning;

    Operator(String symbol, String meaning) {
        this.symbol = symbol;
        this.meaning = meaning;
    }

    /** What stands for it between colon and value. */
    public String symbol() {
        return symbol;
    }

    /** What it asks for, for people. */
    public String meaning() {
        return meaning;
    }

    /** Whether it takes one value of an order, and neither a list nor wildcards. */
    public boolean isOrdering() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    /** Whether it holds for something that compares so with the value: negative is less. */
    public boolean holds(int comparison) {
        return switch (this) {
            case EQUAL -> comparison == 0;
            case NOT_EQUAL -> comparison != 0;
            case LESS -> comparison < 0;
            case AT_MOST -> comparison <= 0;
            case GREATER -> comparison > 0;
            case AT_LEAST -> comparison >= 0;
        };
    }
}
