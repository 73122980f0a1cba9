package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.launcher.client.ClientCommands;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Q4: an operation time-out that is set is what the innermost rung of every surface is made of. */
@Timeout(60)
class BudgetsReachEverySurfaceTest {

    private static final Duration LEAST = Duration.ofMillis(1);

    /** Time that passes when the test says so. */
    private static final class Time implements MeshClock, Pacer {

        private record Entry(long due, Runnable action) {}

        private final List<Entry> entries = new CopyOnWriteArrayList<>();
        private volatile long now = 1_000_000_000L;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(now);
        }

        @Override
        public Cancellable after(Duration delay, Runnable action) {
            Entry entry = new Entry(now + Math.max(0, delay.toNanos()), action);
            entries.add(entry);
            return () -> entries.remove(entry);
        }

        void pass(Duration time) {
            long later = now + time.toNanos();
            now = later;
            for (Entry entry : List.copyOf(entries)) {
                if (entry.due <= now && entries.remove(entry)) {
                    entry.action.run();
                }
            }
        }
    }

    /** Says nothing. */
    private static final class Silent implements QueryProvider {

        private final BlockingQueue<ProviderCall> opened = new LinkedBlockingQueue<>();

        @Override
        public String name() {
            return "silent";
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            opened.add(call);
            return Opened.NONE;
        }
    }

    @ParameterizedTest
    @CsvSource({"30000, 15000", "20000, 5000", "8000, 1000", "1000, 125"})
    void theQueryRungIsThatOfTheOperation(long operation, long rung) throws Exception {
        Time time = new Time();
        Silent silent = new Silent();
        MeshHub hub = MeshHub.builder()
                .budgets(BudgetLadder.of(Duration.ofMillis(operation)))
                .time(time, time)
                .start()
                .await();
        hub.query().register(silent).await();
        HttpEdge edge = HttpEdge.builder(hub.vertx(), hub.mesh(), hub.membership())
                .options(HttpOptions.ofDefaults().withPort(0).withMaxBodyBytes(2048))
                .queries(hub.query())
                .build()
                .start()
                .await();
        WebClient client = WebClient.create(hub.vertx());
        try {
            Future<JsonObject> http = client.get(edge.port(), "127.0.0.1", "/query?q=http")
                    .send()
                    .map(response -> response.bodyAsJsonObject());
            assertThat(endsAfter(Duration.ofMillis(rung), http, time, silent).getInteger("budget"))
                    .isEqualTo((int) rung);

            String url = "http://127.0.0.1:" + edge.port();
            Future<String> command = hub.vertx().executeBlocking(() -> query(url));
            assertThat(endsAfter(Duration.ofMillis(rung), command, time, silent))
                    .startsWith("exit 5")
                    .contains("'silent'");

            Future<String> bus = hub.vertx()
                    .eventBus()
                    .request(
                            "mesh.query",
                            new JsonObject().put("q", "bus"),
                            new DeliveryOptions().setSendTimeout(60_000))
                    .map(answer -> "")
                    .otherwise(Throwable::getMessage);
            assertThat(endsAfter(Duration.ofMillis(rung), bus, time, silent)).contains("'silent'");

            Future<Duration> java = hub.query()
                    .run(Query.parse("java"), QueryCaller.MESH)
                    .map(result -> Duration.ZERO)
                    .otherwise(failure -> ((QueryProviderStalled) failure).rung());
            assertThat(endsAfter(Duration.ofMillis(rung), java, time, silent)).hasMillis(rung);
        } finally {
            edge.close().await();
            hub.stop(Duration.ofSeconds(2)).await();
        }
    }

    @Command(name = "meshhub")
    private static final class Root {}

    private static String query(String url) {
        StringWriter said = new StringWriter();
        CommandLine meshhub = new CommandLine(new Root());
        ClientCommands.addTo(meshhub);
        meshhub.setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
        return "exit " + meshhub.execute("query", "command", "--url", url) + "\n" + said;
    }

    // Not a moment before its rung, and then.
    private static <T> T endsAfter(Duration rung, Future<T> answer, Time time, Silent silent)
            throws InterruptedException {
        ProviderCall call = silent.opened.poll(10, TimeUnit.SECONDS);
        assertThat(call).as("the call of the provider").isNotNull();
        assertThat(call.remaining()).isEqualTo(rung);
        time.pass(rung.minus(LEAST));
        assertThat(call.remaining()).isEqualTo(LEAST);
        assertThat(answer.isComplete()).isFalse();
        time.pass(LEAST);
        Awaitility.await().until(answer::isComplete);
        return answer.result();
    }
}
