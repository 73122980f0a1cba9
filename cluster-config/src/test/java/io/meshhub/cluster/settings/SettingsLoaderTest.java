package io.meshhub.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O2: settings are read from all sources, and every mistake is reported at once with its origin and rule. */
class SettingsLoaderTest {

    enum Join {
        NONE,
        TCP,
        KUBERNETES
    }

    interface Sample {
        Http http();

        Hub hub();

        @Setting("Join.")
        @WithDefault("none")
        Join join();

        @Setting("Seeds.")
        Optional<List<String>> seeds();

        @Setting(value = "Token.", secret = true, pattern = "[a-z]{8,}", patternRule = "8 or more letters")
        Optional<String> token();
    }

    interface Http {
        @Setting(value = "Port.", min = "0", max = "65535")
        @WithDefault("8080")
        int port();

        @Setting(value = "Host.")
        @WithDefault("127.0.0.1")
        String host();

        @Setting(value = "Body.", min = "1KiB")
        @WithDefault("4MiB")
        ByteSize maxBody();
    }

    interface Hub {
        @Setting(value = "Idle.", min = "1s")
        @WithDefault("10m")
        Duration idleTimeout();

        @Setting("On.")
        @WithDefault("true")
        boolean enabled();
    }

    private static final SettingsLoader<Sample> LOADER = SettingsLoader.of(Sample.class, "meshhub")
            .withReserved(Set.of("MESHHUB_URL", "meshhub.jar"))
            .withChecks(List.of(new SettingsCheck<Sample>(
                    List.of("seeds", "join"),
                    sample -> sample.join() == Join.TCP && sample.seeds().isEmpty()
                            ? Optional.of("must name a node where join is tcp")
                            : Optional.empty())));

    @TempDir
    Path dir;

    private Path file(String... lines) {
        try {
            return Files.writeString(dir.resolve("meshhub.yaml"), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private List<String> problems(SettingsSources sources) {
        SettingsException refused = catchThrowableOfType(SettingsException.class, () -> LOADER.load(sources));
        assertThat(refused).as("the settings are refused").isNotNull();
        return refused.problems().stream()
                .map(problem ->
                        problem.toString().replace(dir.resolve("meshhub.yaml").toString(), "FILE"))
                .toList();
    }

    @Test
    void defaultsHoldWhereNothingIsGiven() throws SettingsException {
        Sample sample = LOADER.load(SettingsSources.none()).value();

        assertThat(sample.http().port()).isEqualTo(8080);
        assertThat(sample.http().maxBody()).isEqualTo(new ByteSize(4 << 20));
        assertThat(sample.hub().idleTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(sample.join()).isEqualTo(Join.NONE);
        assertThat(sample.seeds()).isEmpty();
        assertThat(sample.token()).isEmpty();
    }

    @Test
    void emptyVariableClearsAnOptionalKeyAndIsRefusedForAnother() throws SettingsException {
        SettingsSources sources = SettingsSources.none().withFile(file("seeds: [ a ]"));

        assertThat(LOADER.load(sources.withEnvironment(Map.of("MESHHUB_SEEDS", "")))
                        .value()
                        .seeds())
                .isEmpty();
        assertThat(problems(sources.withEnvironment(Map.of("MESHHUB_HTTP_HOST", ""))))
                .containsExactly("http.host = '' (from env MESHHUB_HTTP_HOST) must not be empty");
    }

    @Test
    void eachSourceWinsOverTheWeakerOnesAndIsNamedAsOrigin() throws SettingsException {
        SettingsSources sources = SettingsSources.none().withFile(file("http:", "  # chosen", "  port: 1"));
        expect(sources, 1, dir.resolve("meshhub.yaml") + " line 3");
        sources = sources.withEnvironment(Map.of("MESHHUB_HTTP_PORT", "2", "HTTP_PORT", "9"));
        expect(sources, 2, "env MESHHUB_HTTP_PORT");
        sources = sources.withProperties(Map.of("meshhub.http.port", "3", "http.port", "9"));
        expect(sources, 3, "-Dmeshhub.http.port");
        sources = sources.withFlags(List.of(new SettingsFlag("http.port", "--http-port", "4")));
        expect(sources, 4, "flag --http-port");
    }

    private static void expect(SettingsSources sources, int port, String origin) throws SettingsException {
        Settings<Sample> settings = LOADER.load(sources);
        assertThat(settings.value().http().port()).isEqualTo(port);
        assertThat(settings.origin("http.port")).hasToString(origin);
        assertThat(settings.origin("http.host")).hasToString("default");
    }

    @Test
    void allProblemsOfAllSourcesComeAtOnce() {
        SettingsSources sources = SettingsSources.none()
                .withFile(file("hub:", "  idle-timeout: 30", "  enabld: true", "join: udp"))
                .withEnvironment(
                        Map.of("MESHHUB_HTTP_PORT", "99999", "MESHHUB_HTP_HOST", "x", "MESHHUB_URL", "http://x"))
                .withProperties(Map.of("meshhub.http.max-body", "4MB", "meshhub.htp.port", "1", "meshhub.jar", "x"))
                .withFlags(List.of(
                        new SettingsFlag("hub.enabled", "--set", "yes"),
                        new SettingsFlag("nothing.like.it", "--set", "1")));

        assertThat(problems(sources))
                .containsExactlyInAnyOrder(
                        "hub.idle-timeout = 30 (from FILE line 2) must be a whole number with a unit (ms, s, m, h or d), such as 30s",
                        "hub.enabld = true (from FILE line 3) is no setting; did you mean 'hub.enabled' (MESHHUB_HUB_ENABLED)?",
                        "join = udp (from FILE line 4) must be one of none, tcp, kubernetes",
                        "http.port = 99999 (from env MESHHUB_HTTP_PORT) must be between 0 and 65535",
                        "htp.host = x (from env MESHHUB_HTP_HOST) is no setting; did you mean 'http.host' (MESHHUB_HTTP_HOST)?",
                        "http.max-body = 4MB (from -Dmeshhub.http.max-body) must be a whole number with a unit (B, KiB, MiB or GiB), such as 4MiB",
                        "htp.port = 1 (from -Dmeshhub.htp.port) is no setting; did you mean 'http.port' (MESHHUB_HTTP_PORT)?",
                        "hub.enabled = yes (from flag --set) must be true or false",
                        "nothing.like.it = 1 (from flag --set) is no setting");
    }

    @Test
    void ruleOverTwoKeysIsAskedOnlyWhenBothAreGood() {
        SettingsSources sources = SettingsSources.none();

        assertThat(problems(sources.withEnvironment(Map.of("MESHHUB_JOIN", "tcp", "MESHHUB_HTTP_PORT", "-1"))))
                .containsExactlyInAnyOrder(
                        "seeds = '' (from default) must name a node where join is tcp",
                        "http.port = -1 (from env MESHHUB_HTTP_PORT) must be between 0 and 65535");
        assertThat(problems(sources.withEnvironment(Map.of("MESHHUB_JOIN", "TCP"))))
                .containsExactly("join = TCP (from env MESHHUB_JOIN) must be one of none, tcp, kubernetes");
    }

    @Test
    void valueIsWhatIsWritten() throws SettingsException {
        Path file =
                file("http:", "  host: no", "  port: 0010", "seeds: [ 'a:1', \"b,c\", 1:30 ]", "token: ${user.home}");

        assertThat(problems(SettingsSources.none().withFile(file)))
                .containsExactly("token = *** (from FILE line 5) must be 8 or more letters");
        Sample sample = LOADER.load(
                        SettingsSources.none().withFile(file).withEnvironment(Map.of("MESHHUB_TOKEN", "abcdefgh")))
                .value();
        assertThat(sample.http().host()).isEqualTo("no");
        assertThat(sample.http().port()).isEqualTo(10);
        assertThat(sample.seeds()).contains(List.of("a:1", "b,c", "1:30"));
    }

    @Test
    void listFromTheEnvironmentReplacesTheListOfTheFile() throws SettingsException {
        SettingsSources sources = SettingsSources.none()
                .withFile(file("seeds:", "  - a", "  - b", "  - c"))
                .withEnvironment(Map.of("MESHHUB_SEEDS", "d,e"));

        assertThat(LOADER.load(sources).value().seeds()).contains(List.of("d", "e"));
    }

    @Test
    void flagGivenTwiceIsRefused() {
        SettingsSources sources = SettingsSources.none()
                .withFlags(List.of(
                        new SettingsFlag("http.port", "--http-port", "1"),
                        new SettingsFlag("http.port", "--set", "2")));

        assertThat(problems(sources))
                .containsExactly("http.port = 2 (from flag --set) is given twice, also by flag --http-port");
    }

    @Nested
    class FileFaults {

        @Test
        void keyGivenTwiceNamesBothLines() {
            assertThat(problems(SettingsSources.none()
                            .withFile(file("http:", "  port: 1", "join: tcp", "http:", "  port: 2"))))
                    .first()
                    .isEqualTo("FILE line 5 gives 'http.port' again; it was given in line 2");
        }

        @Test
        void brokenYamlNamesItsPlaceAndQuotesNothing() {
            assertThat(problems(SettingsSources.none().withFile(file("token: hidden", "http: [ 1"))))
                    .singleElement()
                    .asString()
                    .startsWith("FILE line 3 is not YAML: ")
                    .doesNotContain("hidden");
        }

        @Test
        void sectionWithNothingInItIsFineAndKeyWithNothingBehindItIsNot() {
            assertThat(problems(SettingsSources.none().withFile(file("http:", "  # port: 1", "hub:", "  enabled:"))))
                    .containsExactly("hub.enabled = '' (from FILE line 4) has no value; remove the key or set it");
        }

        @Test
        void valueWhereASectionBelongsIsExplained() {
            assertThat(problems(SettingsSources.none().withFile(file("http: 8080"))))
                    .containsExactly(
                            "http = 8080 (from FILE line 1) is a section and takes no value; its keys are such as 'http.host'");
        }

        @Test
        void aliasIsRefused() {
            assertThat(problems(SettingsSources.none().withFile(file("http: &a", "  port: 1", "hub: *a"))))
                    .containsExactly("FILE line 3 uses an alias for 'hub'; write the value out");
        }

        @Test
        void missingFileIsAProblemOnlyWhereItWasAskedFor() throws SettingsException {
            Path none = dir.resolve("none.yaml");

            assertThat(LOADER.load(SettingsSources.none().withFileIfPresent(none))
                            .value()
                            .join())
                    .isEqualTo(Join.NONE);
            assertThat(problems(SettingsSources.none().withFile(none))).containsExactly(none + " does not exist");
        }
    }

    /** Secrets are printed by nothing: not in the listing, not in problems, not when the key is misspelt. */
    @Test
    void secretsAreNeverPrinted() throws SettingsException {
        Settings<Sample> settings =
                LOADER.load(SettingsSources.none().withEnvironment(Map.of("MESHHUB_TOKEN", "abcdefgh")));

        assertThat(settings.value().token()).contains("abcdefgh");
        assertThat(settings.toText()).doesNotContain("abcdefgh").containsPattern("token +\\*\\*\\* +env MESHHUB_TOKEN");
        assertThat(settings.toJson().encode()).doesNotContain("abcdefgh");
        assertThat(problems(SettingsSources.none()
                        .withEnvironment(Map.of("MESHHUB_TOKN", "abcdefgh", "MESHHUB_TOKEN", "SHORT"))
                        .withProperties(Map.of("meshhub.x.password", "abcdefgh"))))
                .hasSize(3)
                .noneMatch(problem -> problem.contains("abcdefgh") || problem.contains("SHORT"));
    }

    @Test
    void listingNamesEveryKeyWithItsOrigin() throws SettingsException {
        Settings<Sample> settings = LOADER.load(SettingsSources.none()
                .withFlags(
                        List.of(new SettingsFlag("join", "--join", "tcp"), new SettingsFlag("seeds", "--seed", "a"))));

        assertThat(settings.entries())
                .extracting(Settings.Entry::key)
                .containsExactly(
                        "http.host",
                        "http.max-body",
                        "http.port",
                        "hub.enabled",
                        "hub.idle-timeout",
                        "join",
                        "seeds",
                        "token");
        assertThat(settings.describe("join")).isEqualTo("join = tcp (from flag --join)");
        assertThat(settings.toText().lines()).hasSize(8);
    }

    interface Unmarked {
        @WithDefault("1")
        int port();
    }

    @Test
    void mappingWithAnUnmarkedKeyIsRefusedAtOnce() {
        assertThatThrownBy(() -> SettingsLoader.of(Unmarked.class, "meshhub"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'port'");
    }
}
