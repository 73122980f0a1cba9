package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ImportLinesTest {

    private static List<ImportLines.Line> read(String text, int max) {
        List<ImportLines.Line> all = new ArrayList<>();
        try (ImportLines lines =
                new ImportLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), max)) {
            for (ImportLines.Line line = lines.next(); line != null; line = lines.next()) {
                all.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    @Test
    void lineThatIsTooLongCostsNoOther() {
        List<ImportLines.Line> lines = read("12345\n123456\n1", 5);

        assertThat(lines).extracting(ImportLines.Line::tooLong).containsExactly(false, true, false);
        assertThat(lines).extracting(ImportLines.Line::number).containsExactly(1L, 2L, 3L);
    }

    /** Joined lines come apart as they were, whatever is in them. */
    @Property
    void linesComeBack(@ForAll @Size(max = 10) List<@CharRange(from = ' ', to = '\u00FF') String> texts) {
        List<String> read = read(
                        String.join("", texts.stream().map(text -> text + "\n").toList()), 1 << 20)
                .stream()
                .map(line -> line.bytes().toString())
                .toList();

        assertThat(read).isEqualTo(texts);
    }
}
