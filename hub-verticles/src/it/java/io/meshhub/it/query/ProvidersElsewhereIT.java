package io.meshhub.it.query;

import static io.meshhub.it.query.TestProvider.Kind.FAILING;
import static io.meshhub.it.query.TestProvider.Kind.HANGING;
import static io.meshhub.it.query.TestProvider.Kind.HEALTHY;
import static io.meshhub.it.query.TestProvider.Kind.SILENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.meshhub.it.chaos.ChaosOptions;
import io.meshhub.it.chaos.Cluster;
import io.meshhub.it.chaos.Fault;
import io.meshhub.it.chaos.Managed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Q1, Q2, Q3, Q6 and Q13 over processes: node a asks; the providers of node b do as they should or not, node c is killed
 * and stands still, node d is cut off. A query ends with what became of each provider, whatever happens to its process.
 *
 * <p>Each test has a source of its own, so that nobody else answers it. A member is dropped 5 s after it was last heard.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ProvidersElsewhereIT {

    private static final Duration BOUND = Duration.ofSeconds(60);
    /** Ends before the mesh notices that a member is silent. */
    private static final int BRIEF_MS = 3000;
    /** Ends long after it has. */
    private static final int LONG_MS = 40_000;

    private Cluster cluster;
    private Managed a;
    private Managed b;
    private Managed c;
    private Managed d;

    @BeforeAll
    @Timeout(180)
    void start() {
        cluster = Cluster.of(
                ChaosOptions.of(13, Duration.ofMinutes(2), Set.of(Fault.Kind.CUT_NODE))
                        .withNodes(4),
                QueryProcess.class);
        a = cluster.nodes().get(0);
        b = cluster.nodes().get(1);
        c = cluster.nodes().get(2);
        d = cluster.nodes().get(3);
        cluster.startAll();
        tell(a, "settle");
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private void tell(Managed node, String what) {
        cluster.command(node, what, BOUND);
    }

    private void serve(Managed node, String source, TestProvider.Kind kind) {
        tell(node, "serve " + source + " " + kind);
    }

    /** Waits until the node that asks knows so many providers of the source. */
    private void known(String source, int count) {
        tell(a, "known " + source + " " + count);
    }

    private JsonObject ask(String source, int millis) {
        begin(source, millis);
        return result(source);
    }

    // Whose end is awaited by itself: a command would wait for it.
    private void begin(String source, int millis) {
        a.jvm().say("ask " + source + " " + millis + " none");
    }

    private List<JsonObject> told(String what, String source) {
        String prefix = what + " " + source + " ";
        return a.jvm().lines().stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> new JsonObject(line.substring(prefix.length())))
                .toList();
    }

    /** The only result of a source so far; one more would be a second answer. */
    private JsonObject result(String source) {
        await().atMost(BOUND).until(() -> !told("RESULT", source).isEmpty());
        assertThat(told("RESULT", source)).hasSize(1);
        return told("RESULT", source).get(0);
    }

    private JsonObject frame(String source, int index, String kind) {
        await().atMost(BOUND).until(() -> told("FRAME", source).size() > index);
        JsonObject frame = told("FRAME", source).get(index);
        assertThat(frame.getString("frame")).as(frame.encode()).isEqualTo(kind);
        return frame;
    }

    private static JsonArray counts(int asked, int answered, int empty, int failed, int stalled) {
        return new JsonArray(List.of(asked, answered, empty, failed, stalled));
    }

    private static void complete(JsonObject result, JsonArray counts, List<String> nodes, List<String> silent) {
        assertThat(result)
                .isEqualTo(new JsonObject()
                        .put("outcome", "Complete")
                        .put("counts", counts)
                        .put("nodes", new JsonArray(nodes))
                        .put("silent", new JsonArray(silent)));
    }

    private static void stalled(JsonObject result, JsonArray counts, String name) {
        assertThat(result.getString("outcome")).as(result.encode()).isEqualTo("Stalled");
        assertThat(result.getString("failure")).isEqualTo("QueryProviderStalled");
        assertThat(result.getJsonArray("names")).containsExactly(name);
        assertThat(result.getJsonArray("counts")).isEqualTo(counts);
        assertThat(result.getString("text")).contains("do not raise the caller's time-out");
    }

    private static void failed(JsonObject result, JsonArray counts, String name, String failure) {
        assertThat(result.getString("outcome")).as(result.encode()).isEqualTo("Failed");
        assertThat(result.getString("failure")).as(result.encode()).isEqualTo(failure);
        assertThat(result.getJsonArray("names")).containsExactly(name);
        assertThat(result.getJsonArray("counts")).isEqualTo(counts);
        assertThat(result.getString("text")).contains(name.substring(0, name.indexOf('@')));
    }

    @Test
    void oneThatCompletesSilentlyIsEmptyAndNamed() {
        serve(b, "q1", SILENT);
        serve(b, "q1", HEALTHY);
        known("q1", 2);
        serve(b, "q1all", SILENT);
        known("q1all", 1);

        complete(ask("q1", 0), counts(2, 1, 1, 0, 0), List.of("q1/b 1"), List.of("q1-silent@b"));
        complete(ask("q1all", 0), counts(1, 0, 1, 0, 0), List.of(), List.of("q1all-silent@b"));
    }

    @Test
    void oneThatHangsEndsTheQueryAndIsNamedAlone() {
        serve(b, "q2", HANGING);
        serve(b, "q2", HEALTHY);
        known("q2", 2);
        serve(b, "q2one", HANGING);
        known("q2one", 1);

        stalled(ask("q2", BRIEF_MS), counts(2, 1, 0, 0, 1), "q2-hanging@b");
        stalled(ask("q2one", BRIEF_MS), counts(1, 0, 0, 0, 1), "q2one-hanging@b");
    }

    @Test
    void theRungThatNobodySetIs15SecondsAndWhoHadAllAnswersIsToldChangesAfterIt() {
        serve(b, "q3", HEALTHY);
        serve(d, "q3", HEALTHY);
        known("q3", 2);
        serve(b, "q15", HANGING);
        known("q15", 1);
        tell(a, "follow q3");
        assertThat(frame("q3", 0, "Initial").getJsonArray("nodes")).containsExactly("q3/b 1", "q3/d 1");

        JsonObject end = ask("q15", 0);
        stalled(end, counts(1, 0, 0, 0, 1), "q15-hanging@b");
        assertThat(end.getLong("rungMs")).isEqualTo(15_000);

        assertThat(told("FRAME", "q3")).hasSize(1);
        tell(b, "change q3");
        assertThat(frame("q3", 1, "Updated").getJsonArray("nodes")).containsExactly("q3/b 2");
    }

    @Test
    void itsOwnErrorIsTheEndAndNoStallOfAnother() {
        serve(b, "q6", FAILING);
        serve(b, "q6", HANGING);
        known("q6", 2);

        JsonObject end = ask("q6", LONG_MS);

        failed(end, counts(2, 0, 0, 2, 0), "q6-failing@b", "HandlerFailed");
        assertThat(end.getString("text")).contains("disk on fire");
        assertThat(end.getJsonArray("givenUp")).containsExactly("q6-hanging@b");
    }

    /** Brings a node up that a test has ended. */
    private void restored(Managed node) {
        if (!node.isAlive()) {
            cluster.start(node);
            cluster.await(BOUND, node.name + " is up again", node::isUp);
            tell(a, "settle");
        }
    }

    @Test
    void oneThatIsKilledBeforeItsFirstResultIsNamedByAFailure() {
        restored(c);
        serve(b, "k1", HEALTHY);
        serve(c, "k1", HANGING);
        known("k1", 2);

        begin("k1", LONG_MS);
        c.jvm().awaitLine("OPENED k1-hanging", BOUND);
        c.jvm().kill();

        failed(result("k1"), counts(2, 1, 0, 1, 0), "k1-hanging@c", "Unavailable");
        known("k1", 1);
    }

    @Test
    void oneThatIsKilledAfterItsFirstResultLeavesAResetWithItsNameAndIsThereAgainWhenItReturns() {
        restored(c);
        serve(b, "k2", HEALTHY);
        serve(c, "k2", HEALTHY);
        known("k2", 2);
        tell(a, "follow k2");
        assertThat(frame("k2", 0, "Initial").getJsonArray("nodes")).containsExactly("k2/b 1", "k2/c 1");

        c.jvm().kill();

        JsonObject reset = frame("k2", 1, "Reset");
        assertThat(reset.getJsonArray("gone")).containsExactly("k2-healthy@c");
        assertThat(reset.getJsonArray("nodes")).containsExactly("k2/b 1");
        tell(b, "change k2");
        assertThat(frame("k2", 2, "Updated").getJsonArray("nodes")).containsExactly("k2/b 2");

        restored(c);
        serve(c, "k2", HEALTHY);
        assertThat(frame("k2", 3, "Added").getJsonArray("nodes")).containsExactly("k2/c 1");
    }

    @Test
    void oneWhoseProcessStandsStillIsNamedAndAnswersAgainAfterwards() {
        restored(c);
        serve(b, "f1", HEALTHY);
        serve(c, "f1", HEALTHY);
        known("f1", 2);

        c.freeze();
        try {
            stalled(ask("f1", BRIEF_MS), counts(2, 1, 0, 0, 1), "f1-healthy@c");
        } finally {
            c.thaw();
        }

        tell(a, "settle");
        tell(a, "follow f1");
        assertThat(frame("f1", 0, "Initial").getJsonArray("nodes")).containsExactly("f1/b 1", "f1/c 1");
    }

    @Test
    void oneThatIsCutOffStallsThenFailsAndLeavesAResetAndIsThereAgainWhenTheCutIsHealed() {
        assumeTrue(cluster.canCut(), "links cannot be cut here");
        for (String source : List.of("c1", "c2", "c3")) {
            serve(b, source, HEALTHY);
            serve(d, source, HEALTHY);
            known(source, 2);
        }
        tell(a, "follow c3");
        assertThat(frame("c3", 0, "Initial").getJsonArray("nodes")).containsExactly("c3/b 1", "c3/d 1");

        cluster.cutOff(d);
        try {
            begin("c1", BRIEF_MS);
            begin("c2", LONG_MS);
            stalled(result("c1"), counts(2, 1, 0, 0, 1), "c1-healthy@d");
            failed(result("c2"), counts(2, 1, 0, 1, 0), "c2-healthy@d", "Unavailable");
            JsonObject reset = frame("c3", 1, "Reset");
            assertThat(reset.getJsonArray("gone")).containsExactly("c3-healthy@d");
            assertThat(reset.getJsonArray("nodes")).containsExactly("c3/b 1");
        } finally {
            cluster.heal(d);
        }

        assertThat(frame("c3", 2, "Added").getJsonArray("nodes")).containsExactly("c3/d 1");
    }
}
