package io.meshhub.routing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The main sources of all modules as text, for rules that concern what is written rather than what runs. */
final class MainSources {

    /** One line of code, and where it stands. */
    record Line(Path file, int number, String text) {

        boolean isIn(String fileName) {
            return file.getFileName().toString().equals(fileName);
        }

        @Override
        public String toString() {
            return file + ":" + number + ": " + text;
        }
    }

    private MainSources() {}

    /** All lines of code; lines of comment are left out. */
    static List<Line> code() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path sources : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> all = Files.walk(sources)) {
                    all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                }
            }
        }
        List<Line> code = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (!line.startsWith("*") && !line.startsWith("/*") && !line.startsWith("//")) {
                    code.add(new Line(file, i + 1, line));
                }
            }
        }
        return code;
    }
}
