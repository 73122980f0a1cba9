package io.meshhub;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever reads a query stands in the table of the page about failing closed, with a test that shows what he does then. */
@Timeout(120)
class QueryConsumersAreInTheTableTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String HEADING = "## Who decides from a query\n";
    private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z]*)`");
    private static final String FAN_IN = "io.meshhub.query.QueryFanIn";
    private static final Set<String> READS = Set.of("run", "ask", "live");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("test-classes") && !location.contains("Test.class"))
            .importPackages("io.meshhub.hub", "io.meshhub.cluster", "io.meshhub.sync", "io.meshhub.routing");

    /** The first cell of each row, and the tests of its last one. */
    private static Map<String, Set<String>> table() {
        String page;
        try {
            page = Files.readString(ROOT.resolve("docs/architecture/failing-closed.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int begin = page.indexOf(HEADING);
        assertThat(begin).as("the page has the table").isPositive();
        int end = page.indexOf("\n## ", begin + HEADING.length());
        Map<String, Set<String>> rows = new TreeMap<>();
        for (String line : page.substring(begin, end).split("\n", -1)) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `")) {
                names(cells[1])
                        .forEach(name -> rows.computeIfAbsent(name, key -> new TreeSet<>())
                                .addAll(names(cells[cells.length - 2])));
            }
        }
        return rows;
    }

    private static Set<String> names(String cell) {
        return NAME.matcher(cell)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The classes of the product that read a query; the fan-in's own module apart. */
    private static Set<String> consumers() {
        Set<String> consumers = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (!isOfTheProduct(type)) {
                continue;
            }
            Stream<? extends JavaAccess<?>> accesses =
                    Stream.concat(type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
            boolean reads = accesses.map(JavaAccess::getTarget)
                    .anyMatch((AccessTarget target) ->
                            target.getOwner().getName().equals(FAN_IN) && READS.contains(target.getName()));
            if (reads) {
                consumers.add(topLevel(type));
            }
        }
        return consumers;
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }

    // Wherever it was compiled to: tests and benchmarks read queries as they like.
    private static boolean isOfTheProduct(JavaClass type) {
        String file = type.getPackageName().replace('.', '/') + "/" + topLevel(type) + ".java";
        return Stream.of("hub-verticles", "cluster-config", "sync-client", "routing")
                .anyMatch(module -> Files.exists(
                        ROOT.resolve(module).resolve("src/main/java").resolve(file)));
    }

    @Test
    void everyClassThatReadsAQueryHasARow() {
        assertThat(consumers()).as("classes that read a query").hasSizeGreaterThan(4);
        assertThat(table().keySet()).as("rows of the table").containsAll(consumers());
    }

    @Test
    void everyRowNamesTestsThatExist() throws IOException {
        Set<String> tests;
        try (Stream<Path> files = Files.walk(ROOT.resolve("hub-verticles/src"))) {
            tests = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        table().forEach((name, named) -> {
            assertThat(named).as("tests of row %s", name).isNotEmpty();
            assertThat(tests).as("tests of row %s", name).containsAll(List.copyOf(named));
        });
    }
}
