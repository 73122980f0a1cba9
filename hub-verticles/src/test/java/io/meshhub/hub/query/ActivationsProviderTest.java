package io.meshhub.hub.query;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.query.QueryProvider.Opened;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a provider of live activations tells at each look, which comes when the test says so. */
@Timeout(60)
class ActivationsProviderTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("slow/one");

    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    private final List<Promise<Object>> held = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private MeshHub hub;
    private ActivationsProvider provider;

    /** Answers its messages when the test says so. */
    private final class Slow extends HubVerticle {

        @Override
        protected void configure(HubSetup setup) {
            setup.on("wait", String.class, body -> {
                Promise<Object> answer = Promise.promise();
                held.add(answer);
                return answer.future();
            });
        }
    }

    @BeforeEach
    void start() {
        hub = await(MeshHub.builder().hub("slow", Slow::new).start());
        provider = new ActivationsProvider(
                ((VertxInternal) hub.vertx()).createEventLoopContext(), hub.runtime(), "n1", (delay, action) -> {
                    assertThat(delay).isEqualTo(ActivationsProvider.PACE);
                    looks.add(action);
                    return () -> looks.remove(action);
                });
    }

    @AfterEach
    void stop() {
        held.forEach(answer -> answer.tryComplete("done"));
        await(hub.stop(Duration.ofSeconds(5)));
        assertThat(failures).isEmpty();
    }

    private void send() {
        int before = held.size();
        hub.mesh()
                .request(ADDRESS, "now", String.class, MeshOptions.DEFAULT.withType("wait"))
                .onFailure(failures::add);
        Awaitility.await().until(() -> held.size() > before);
    }

    private void look() {
        Awaitility.await().until(() -> !looks.isEmpty());
        Runnable due = looks.remove(0);
        due.run();
        Awaitility.await().until(() -> !looks.isEmpty());
    }

    private RecordingCall live(String query) throws InterruptedException {
        RecordingCall call = new RecordingCall(query);
        provider.open(call);
        assertThat(call.next()).isEqualTo("first 1");
        return call;
    }

    @Test
    void aMailboxThatIsLongerOrShorterAloneIsNoChange() throws Exception {
        send();
        RecordingCall call = live("from:activations path:" + ADDRESS);
        assertThat(call.first.get(0).content().getInteger("mailboxDepth")).isEqualTo(1);

        held.get(0).complete("done");
        Awaitility.await().until(() -> depth() == 0);
        look();
        send();
        look();
        assertThat(call.told).isEmpty();

        held.forEach(answer -> answer.tryComplete("done"));
        await(hub.mesh().recycle(ADDRESS));
        Awaitility.await().until(() -> hub.runtime().count(RunLevel.STARTED) == 0);
        look();
        assertThat(call.next()).isEqualTo("removed " + ADDRESS);
    }

    @Test
    void whoAsksForTheDepthIsToldEachOne() throws Exception {
        send();
        RecordingCall call = live("from:activations content.mailboxDepth:>=0 path:" + ADDRESS);

        held.get(0).complete("done");
        Awaitility.await().until(() -> depth() == 0);
        look();

        assertThat(call.next()).isEqualTo("updated " + ADDRESS);
        assertThat(call.last.content().getInteger("mailboxDepth")).isZero();
    }

    @Test
    void whoLeavesIsLookedForNoMore() throws Exception {
        send();
        RecordingCall call = new RecordingCall("from:activations");
        Opened opened = provider.open(call);
        assertThat(call.next()).isEqualTo("first 1");
        Awaitility.await().until(() -> looks.size() == 1);

        opened.cancel();

        Awaitility.await().until(looks::isEmpty);
        assertThat(call.told).isEmpty();
    }

    private int depth() {
        return await(hub.runtime().census(10, Duration.ofSeconds(5))).get(0).mailboxDepth();
    }
}
