package io.meshhub.query.language;

/**
 * One key by which results are sorted; nodes without the field come last in either direction.
 *
 * @param field what is compared
 * @param descending whether the greatest comes first
 */
public record SortKey(Field field, boolean descending) {

    @Override
    public String toString() {
        return descending ? "-" + field : field.toString();
    }
}
