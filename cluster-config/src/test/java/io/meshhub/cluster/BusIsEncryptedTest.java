package io.meshhub.cluster;

import static io.meshhub.cluster.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over an encrypted bus nodes hear those whose certificates they trust, and nobody else. */
@Timeout(120)
class BusIsEncryptedTest {

    private static final String PASSWORD = "only-for-this-test";

    @Test
    void nodesThatTrustEachOtherAreHeardAndAStrangerIsNot(@TempDir Path directory) throws Exception {
        BusTls ours = tls(directory, "ours");
        BusTls strangers = tls(directory, "strangers");
        List<ClusteredVertx> started = new ArrayList<>();
        try (TestCluster cluster = new TestCluster(3)) {
            cluster.tuning = builder -> builder.busTls(ours);
            ClusteredVertx a = start(cluster, "a", started);
            ClusteredVertx b = start(cluster, "b", started);
            cluster.tuning = builder -> builder.busTls(strangers);
            ClusteredVertx stranger = start(cluster, "stranger", started);
            await(answering(b));

            assertThat(await(ask(a)).toString()).isEqualTo("heard");
            assertThatThrownBy(() -> await(ask(stranger))).isInstanceOf(ReplyException.class);
        } finally {
            started.forEach(node -> await(node.close(Duration.ofSeconds(5))));
        }
    }

    private static ClusteredVertx start(TestCluster cluster, String name, List<ClusteredVertx> started) {
        ClusteredVertx node = await(ClusteredVertx.start(cluster.options(name)));
        started.add(node);
        return node;
    }

    private static Future<Void> answering(ClusteredVertx node) {
        Promise<Void> promise = Promise.promise();
        MessageConsumer<Object> consumer = node.vertx().eventBus().consumer("ear", message -> message.reply("heard"));
        consumer.completion().onComplete(promise);
        return promise.future();
    }

    private static Future<Object> ask(ClusteredVertx node) {
        return node.vertx()
                .eventBus()
                .request("ear", "?", new DeliveryOptions().setSendTimeout(15_000))
                .map(reply -> reply.body());
    }

    // A certificate that is its own authority: whoever has this file as its trust store trusts it, and no other.
    private static BusTls tls(Path directory, String name) throws IOException, InterruptedException {
        Path file = directory.resolve(name + ".p12");
        run(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "RSA",
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file);
        Path trust = directory.resolve(name + "-trust.p12");
        Path certificate = directory.resolve(name + ".pem");
        run("-exportcert", "-rfc", "-alias", name, "-file", certificate, "-keystore", file);
        run(
                "-importcert",
                "-noprompt",
                "-alias",
                name,
                "-file",
                certificate,
                "-storetype",
                "PKCS12",
                "-keystore",
                trust);
        return new BusTls(file, trust, PASSWORD);
    }

    private static void run(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        command.addAll(List.of("-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void thePasswordIsNotShown() {
        assertThat(new BusTls(Path.of("k"), Path.of("t"), PASSWORD).toString()).doesNotContain(PASSWORD);
    }
}
