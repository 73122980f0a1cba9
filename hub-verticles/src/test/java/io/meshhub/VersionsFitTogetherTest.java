package io.meshhub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions on the class path are ones that were tried together: none of them may move alone, or unseen. */
class VersionsFitTogetherTest {

    @ParameterizedTest
    @CsvSource({
        "vertx-core, 5\\.1\\.6",
        "vertx-web, 5\\.1\\.6",
        "vertx-web-client, 5\\.1\\.6",
        "vertx-health-check, 5\\.1\\.6",
        "vertx-hazelcast, 5\\.2\\.3",
        "hazelcast, 5\\.7\\.0",
        "jackson-core, 2\\.21\\.\\d+",
        "jackson-databind, 2\\.21\\.\\d+"
    })
    void libraryHasTheVersionThatTheOthersWereTriedWith(String artifact, String version) throws IOException {
        assertThat(jars()).containsKey(artifact);
        assertThat(version(artifact, jars().get(artifact))).as(artifact).matches(version);
    }

    @Test
    void allPartsOfNettyHaveOneVersion() throws IOException {
        Map<String, String> netty = new LinkedHashMap<>();
        for (Map.Entry<String, Path> jar : jars().entrySet()) {
            if (jar.getKey().startsWith("netty-") && !jar.getKey().startsWith("netty-tcnative")) {
                netty.put(jar.getKey(), version(jar.getKey(), jar.getValue()));
            }
        }
        assertThat(netty).hasSizeGreaterThan(5);
        assertThat(netty.values()).as(netty.toString()).containsOnly("4.2.17.Final");
    }

    private static final Pattern NAME = Pattern.compile("([A-Za-z].*?)-(\\d[^/]*)\\.jar");

    /** The jars of the class path by artifact. */
    private static Map<String, Path> jars() {
        Map<String, Path> jars = new LinkedHashMap<>();
        Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(java.io.File.pathSeparator))
                .map(Path::of)
                .forEach(path -> {
                    Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
                    if (name.matches()) {
                        // A jar with native code stands beside the one of its classes, with the same name and version.
                        jars.putIfAbsent(name.group(1), path);
                    }
                });
        return jars;
    }

    // What the jar says of itself; some say it only by their name.
    private static String version(String artifact, Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            ZipEntry own = jar.stream()
                    .filter(entry -> entry.getName().matches("META-INF/maven/[^/]+/" + artifact + "/pom\\.properties"))
                    .findFirst()
                    .orElse(null);
            if (own != null) {
                Properties properties = new Properties();
                try (InputStream in = jar.getInputStream(own)) {
                    properties.load(in);
                }
                return properties.getProperty("version");
            }
            String declared = jar.getManifest() == null
                    ? null
                    : jar.getManifest().getMainAttributes().getValue("Implementation-Version");
            if (declared != null) {
                return declared;
            }
        }
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        return name.matches() ? name.group(2) : "";
    }
}
