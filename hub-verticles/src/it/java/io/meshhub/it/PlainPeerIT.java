package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationTag;
import io.meshhub.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R1, R20: a Vert.x program that has none of our classes asks through {@code mesh.route} and can read what it gets. */
@Timeout(150)
class PlainPeerIT {

    @Test
    void aProgramWithoutOurJarsGetsAnAnswerAndReadableFailures(@TempDir Path directory) throws IOException {
        try (TwoNodes nodes = TwoNodes.start()) {
            String here = nodes.addressesOn("a", "witness", 1).get(0).toString();
            String there = nodes.addressesOn("b", "witness", 1).get(0).toString();
            String failing = nodes.addressesOn("b", "failing", 1).get(0).toString();
            int port = FreePorts.of(1).get(0);

            List<String> lines = ask(
                    directory,
                    nodes.cluster(),
                    nodes.seed(),
                    Integer.toString(port),
                    here,
                    "WhoAreYou",
                    there,
                    "WhoAreYou",
                    "nowhere/1",
                    "WhoAreYou",
                    there,
                    "unheard",
                    "bad//address",
                    "x");

            assertThat(lines).hasSize(6);
            assertThat(lines.get(0)).startsWith("REPLY {\"node\":\"a\"");
            assertThat(lines.get(1)).startsWith("REPLY {\"node\":\"b\"");
            String raw = "FAILURE io.vertx.core.eventbus.ReplyException RECIPIENT_FAILURE ";
            assertThat(lines.get(2)).startsWith(raw + "4040 ").contains("nowhere/1");
            assertThat(lines.get(3)).startsWith(raw + "4050 ").contains(there).contains("unheard");
            assertThat(lines.get(4)).startsWith(raw + "4000 ").contains("position 4");
            assertThat(lines.get(5)).isEqualTo("DONE");
            assertThat(failing).isNotEmpty();
            assertThat(ActivationTag.parse(lines.get(1))).isEmpty();
        }
    }

    private static List<String> ask(Path directory, String... args) throws IOException {
        try (ChildJvm peer = ChildJvm.start("peer", classPath(directory), "plainpeer.PlainPeer", Map.of(), args)) {
            peer.awaitLine("DONE", TwoNodes.START);
            assertThat(peer.awaitExit(Duration.ofSeconds(20))).isZero();
            return peer.lines().stream()
                    .filter(line -> line.startsWith("REPLY") || line.startsWith("FAILURE") || line.equals("DONE"))
                    .toList();
        }
    }

    // The libraries of this test without anything of ours, and the peer's own class alone.
    private static String classPath(Path directory) throws IOException {
        Path classes = Files.createDirectories(directory.resolve("plainpeer"));
        Path compiled = Path.of(PlainPeerIT.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        try (Stream<Path> files = Files.list(compiled.resolve("plainpeer"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                Files.copy(file, classes.resolve(file.getFileName()));
            }
        }
        Files.copy(compiled.resolve("logback-test.xml"), directory.resolve("logback-test.xml"));
        String libraries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("meshhub"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(libraries).doesNotContain("io/meshhub");
        return directory + File.pathSeparator + libraries;
    }
}
