package io.meshhub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.failure.FailureCodecs;
import io.meshhub.routing.failure.MeshException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation shows is what is compiled, and where it points there is something. */
class DocumentationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- snippet: (\\w+) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @Test
    void snippetsAreTheCompiledSource() throws IOException {
        int found = 0;
        for (Path page : pages()) {
            Matcher matcher = SNIPPET.matcher(Files.readString(page));
            while (matcher.find()) {
                found++;
                assertThat(matcher.group(2).strip())
                        .as("snippet %s of %s", matcher.group(1), page.getFileName())
                        .isEqualTo(source(matcher.group(1)));
            }
        }

        assertThat(found).as("snippets in the documentation").isPositive();
    }

    private static String source(String name) throws IOException {
        String text = Files.readString(Path.of("src/test/java/io/meshhub/docs/" + name + ".java"));
        int begin = text.indexOf("// snippet-begin\n") + "// snippet-begin\n".length();
        return text.substring(begin, text.indexOf("// snippet-end")).strip();
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher matcher = LINK.matcher(Files.readString(page));
            while (matcher.find()) {
                Path target = page.resolveSibling(matcher.group(1)).normalize();
                if (!Files.exists(target)) {
                    dead.add(page.getFileName() + " -> " + matcher.group(1));
                }
            }
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void thePageOfFailuresNamesEveryKindAndEveryCode() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/architecture/failures.md"));
        int codes = 0;
        for (Class<? extends MeshException> leaf : FailureCodecs.leaves()) {
            assertThat(page).contains("`" + leaf.getSimpleName() + "`");
            for (Field field : leaf.getFields()) {
                if (field.getName().startsWith("CODE")) {
                    codes++;
                    assertThat(page)
                            .as(leaf.getSimpleName() + "." + field.getName())
                            .contains(field.get(null).toString());
                }
            }
        }

        assertThat(codes).isEqualTo(17);
    }
}
