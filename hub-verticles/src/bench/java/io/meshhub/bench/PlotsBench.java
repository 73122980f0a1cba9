package io.meshhub.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Draws what {@code route} and {@code cold} wrote as bars, one picture for each, beside their JSON. */
public final class PlotsBench {

    private static final int BAR = 14;
    private static final int LABEL = 230;
    private static final int WIDTH = 520;
    private static final Map<String, String> COLOURS =
            Map.of("mesh", "#1f77b4", "raw", "#999999", "pekko", "#ff7f0e", "verticle", "#999999");

    private final StringBuilder svg = new StringBuilder();
    private int y = 10;

    private PlotsBench() {}

    /** The directory is that of {@code -Dbench.json}, which names a file in it. */
    public static void main(String[] args) throws IOException {
        Path directory = Objects.requireNonNull(Path.of(System.getProperty("bench.json", "bench.json"))
                .toAbsolutePath()
                .getParent());
        for (String name : List.of("route", "cold")) {
            Path file = directory.resolve(name + ".json");
            if (Files.exists(file)) {
                Path picture = directory.resolve(name + ".svg");
                Files.writeString(picture, new PlotsBench().draw(new JsonArray(Files.readString(file))));
                Report.line("%s", picture);
            }
        }
    }

    private String draw(JsonArray rows) {
        for (Object row : rows) {
            rates((JsonObject) row);
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + (LABEL + WIDTH + 90) + "\" height=\"" + (y + 10)
                + "\" font-family=\"sans-serif\" font-size=\"11\">\n" + svg + "</svg>\n";
    }

    private record Bar(String side, double rate) {}

    private void rates(JsonObject row) {
        List<Bar> bars = new ArrayList<>();
        for (String side : List.of("mesh", "raw", "pekko", "verticle")) {
            Object seen = row.getValue(side);
            if (seen instanceof JsonObject window) {
                bars.add(new Bar(side, window.getDouble("perSecond")));
            } else if (seen instanceof Number rate) {
                bars.add(new Bar(side, rate.doubleValue()));
            }
        }
        double most = bars.stream().mapToDouble(Bar::rate).max().orElse(1);
        text(0, row.getString("case"), "bold");
        for (Bar bar : bars) {
            double length = bar.rate() / most * WIDTH;
            text(LABEL - 70, bar.side(), "normal");
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                    LABEL,
                    y,
                    length,
                    BAR - 3,
                    COLOURS.get(bar.side())));
            text(LABEL + (int) length + 6, String.format(Locale.ROOT, "%,.0f/s", bar.rate()), "normal");
            y += BAR;
        }
        y += 8;
    }

    private void text(int x, String text, String weight) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>%n", x, y + BAR - 5, weight, text));
    }
}
