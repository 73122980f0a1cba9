package io.meshhub.hub.launcher.client;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of text with aligned columns, two blanks apart. Control characters in a cell are shown as question marks. */
final class TextTable {

    private final List<String[]> rows = new ArrayList<>();

    void row(String... cells) {
        String[] clean = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            // What a node holds must not steer the reader's terminal.
            clean[i] = cells[i].replaceAll("\\p{Cntrl}", "?");
        }
        rows.add(clean);
    }

    /** The rows, without a line end behind the last. */
    @Override
    public String toString() {
        int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
        int[] widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], width(row[i]));
            }
        }
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining(System.lineSeparator()));
    }

    private static String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            line.append(row[i]);
            if (i < row.length - 1) {
                line.append(" ".repeat(widths[i] - width(row[i]) + 2));
            }
        }
        return line.toString().stripTrailing();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
