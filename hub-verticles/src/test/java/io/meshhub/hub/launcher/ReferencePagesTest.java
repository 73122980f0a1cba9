package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsKey;
import io.meshhub.cluster.settings.SettingsSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages and the sample file say what the code does. {@code -Dreference.write=true} writes the pages anew. */
class ReferencePagesTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path SAMPLE = ROOT.resolve("conf/meshhub.yaml");

    @TempDir
    Path dir;

    private static void check(String page, String text) throws IOException {
        Path file = ROOT.resolve("docs/reference").resolve(page);
        if (Boolean.getBoolean("reference.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        assertThat(file).as("written anew by -Dreference.write=true").hasContent(text);
    }

    @Test
    void configurationPageIsThatOfTheMapping() throws IOException {
        check("configuration.md", ReferencePages.configuration());
    }

    @Test
    void commandLinePageIsThatOfTheCommands() throws IOException {
        check("command-line.md", ReferencePages.commandLine(new Console(new FakeMeshNode(), Map.of()).commandLine()));
    }

    @Test
    void queryLanguagePageIsThatOfTheParser() throws IOException {
        check("query-language.md", ReferencePages.queryLanguage());
    }

    @Test
    void sampleFileSetsNothing() throws Exception {
        Settings<MeshHubSettings> settings =
                SettingsRules.loader().load(SettingsSources.none().withFile(SAMPLE));

        assertThat(settings.entries())
                .allSatisfy(entry -> assertThat(entry.origin()).hasToString("default"));
    }

    /** Each commented line of the sample, once uncommented, sets its key to its default; no key is missing. */
    @Test
    void sampleFileNamesEveryKeyWithItsRealDefault() throws Exception {
        String uncommented = Files.readString(SAMPLE)
                .lines()
                .map(line -> line.replaceFirst("^( *)#(?=[a-z-]+:)", "$1"))
                .collect(Collectors.joining("\n"));
        Settings<MeshHubSettings> defaults = SettingsRules.loader().load(SettingsSources.none());
        Settings<MeshHubSettings> settings = SettingsRules.loader()
                .load(SettingsSources.none().withFile(Files.writeString(dir.resolve("all.yaml"), uncommented)));

        TreeSet<String> missing = new TreeSet<>();
        for (SettingsKey key : SettingsRules.loader().keys()) {
            if (key.defaultValue().isEmpty()) {
                assertThat(Files.readString(SAMPLE))
                        .contains("# " + key.name().substring(key.name().lastIndexOf('.') + 1) + ":");
                continue;
            }
            assertThat(settings.entry(key.name()).value())
                    .as(key.name())
                    .isEqualTo(defaults.entry(key.name()).value());
            if (settings.origin(key.name()).line() == 0) {
                missing.add(key.name());
            }
        }
        assertThat(missing).isEmpty();
    }
}
