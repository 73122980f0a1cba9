package io.meshhub.bench;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the figures of a benchmark go: lines on the standard output, and JSON in the file that was named. */
final class Report {

    private static final PrintStream OUT = System.out;

    private Report() {}

    /** The names of the columns. */
    static void header(String format, Object... columns) {
        line(format.replaceAll("(\\d)(?:\\.\\d+)?[df]", "$1s"), columns);
    }

    static void line(String format, Object... values) {
        OUT.printf(format + "%n", values);
    }

    /** The one in the middle. */
    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** Writes all figures into the file {@code -Dbench.json}, if there is one. */
    static void write(JsonArray results) throws IOException {
        String file = System.getProperty("bench.json");
        if (file != null) {
            Files.writeString(Path.of(file), results.encodePrettily() + "\n");
        }
    }
}
