package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two processes of the jar serve the sample data alike, whichever is asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
class TwoNodesServeTheSampleIT {

    private static final Logger LOG = LoggerFactory.getLogger(TwoNodesServeTheSampleIT.class);
    private static final int BURST = 1000;
    private static final int STORM = 200;

    @TempDir
    private static Path home;

    private TwoProcesses nodes;
    private NodeHttp a;
    private NodeHttp b;
    private Meshhub.Ended imported;

    @BeforeAll
    @Timeout(180)
    void importTheSample() {
        nodes = TwoProcesses.start(home);
        a = nodes.a().http();
        b = nodes.b().http();
        imported = Meshhub.at(a, "import", SampleFile.path().toString(), "--json");
    }

    @AfterAll
    void end() {
        if (nodes != null) {
            nodes.close();
        }
    }

    private Stream<NodeHttp> both() {
        return Stream.of(a, b);
    }

    /** N5: a second import of the same file, through the other node, changes nothing. */
    @Test
    void importCreatesEachNodeOnceAndASecondOneChangesNothing() {
        LOG.info("Import: {}", imported.out());
        assertThat(imported.code()).as(imported.toString()).isZero();
        assertThat(imported.json().getInteger("created")).isEqualTo(SampleFile.LINES);
        assertThat(imported.json().getInteger("failed")).isZero();

        Meshhub.Ended again = Meshhub.at(b, "import", SampleFile.path().toString(), "--json");

        LOG.info("Second import: {}", again.out());
        assertThat(again.code()).as(again.toString()).isZero();
        assertThat(again.json().getInteger("created")).isZero();
        assertThat(again.json().getInteger("updated")).isZero();
        assertThat(again.json().getInteger("unchanged")).isEqualTo(SampleFile.LINES);
        assertThat(SampleFile.PARTITIONS.stream().flatMap(partition -> SampleFile.below(partition, a).stream()))
                .hasSize(SampleFile.LINES)
                .allSatisfy(node -> assertThat(node.getLong("version")).isEqualTo(1));
    }

    @Test
    void aNodeReadsAlikeFromBoth() {
        assertThat(both().map(node -> node.get("/mesh/iso/CH/ZH")))
                .allSatisfy(answer -> {
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.json().getString("name")).isEqualTo("Zürich");
                    assertThat(answer.version()).isEqualTo(1);
                })
                .extracting(NodeHttp.Answer::json)
                .satisfies(answers -> assertThat(answers.get(0)).isEqualTo(answers.get(1)));
        assertThat(a.ping("iso/CH/ZH")).isEqualTo(b.ping("iso/CH/ZH"));
    }

    /** R1 and R2: what is not in the store is known not to be, alike from both; an ancestor does not answer for it. */
    @Test
    void whatDoesNotExistIsNotFoundOnBoth() {
        for (String path : List.of("iso/XX", "iso/CH/ZH/none", "nothing/at/all")) {
            assertThat(both().map(node -> node.get("/mesh/" + path))).allSatisfy(answer -> {
                assertThat(answer.status()).as(answer.text()).isEqualTo(404);
                assertThat(answer.problem()).contains("NotFound");
                assertThat(answer.json().getString("remedy")).isEqualTo("STOP");
                assertThat(answer.json().getString("address")).isEqualTo(path);
            });
        }
    }

    @Test
    void badAddressIsRejectedWithThePositionOfItsFault() {
        assertThat(both().map(node -> node.get("/mesh/iso//x"))).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.problem()).contains("Rejected");
            assertThat(answer.json().getString("detail")).contains("iso//x").containsPattern("position 4");
        });
    }

    /** N1 */
    @Test
    void whatOneCreatedTheOtherFindsAtOnceAndCannotCreateAgain() {
        for (int i = 0; i < 50; i++) {
            String path = "/mesh/created/" + i;
            NodeHttp creator = i % 2 == 0 ? a : b;
            NodeHttp other = i % 2 == 0 ? b : a;

            NodeHttp.Answer created = creator.put(path, new JsonObject().put("i", i), "If-None-Match", "*");
            NodeHttp.Answer found = other.get(path);
            NodeHttp.Answer second = other.put(path, new JsonObject().put("i", -1), "If-None-Match", "*");

            assertThat(created.status()).as(created.text()).isEqualTo(201);
            assertThat(found.status()).as(found.text()).isEqualTo(200);
            assertThat(found.json().getJsonObject("content")).isEqualTo(new JsonObject().put("i", i));
            assertThat(second.status()).as(second.text()).isEqualTo(409);
            assertThat(second.problem()).contains("Conflict");
            assertThat(creator.get(path).version()).isEqualTo(1);
        }
    }

    /** R4 */
    @Test
    void deletedNodeIsNotFoundAtOnceAndItsVersionsGoOnWhenItIsCreatedAnew() {
        for (int i = 0; i < 20; i++) {
            String path = "/mesh/deleted/" + i;
            assertThat(a.put(path, new JsonObject().put("life", 1)).version()).isEqualTo(1);
            assertThat(b.get(path).status()).isEqualTo(200);

            assertThat(b.delete(path).status()).isEqualTo(204);

            assertThat(both().map(node -> node.get(path).status())).containsExactly(404, 404);
            NodeHttp.Answer anew = b.put(path, new JsonObject().put("life", 2), "If-None-Match", "*");
            assertThat(anew.status()).as(anew.text()).isEqualTo(201);
            assertThat(anew.version()).isEqualTo(3);
            assertThat(both().map(node -> node.get(path).version())).containsExactly(3L, 3L);
        }
    }

    @Test
    void childrenOfSwitzerlandAreItsCantons() {
        assertThat(both().map(node -> node.get("/mesh/iso/CH?children")))
                .allSatisfy(answer -> assertThat(answer.json().getJsonArray("nodes"))
                        .hasSize(26)
                        .allSatisfy(canton -> assertThat(((JsonObject) canton).getString("path"))
                                .startsWith("iso/CH/")));
    }

    @Test
    void theCantonsAreFoundFromEitherInTheSameOrder() {
        String query = "nodeType:subdivision path:iso/CH scope:children sort:name";
        List<Meshhub.Ended> answers =
                both().map(node -> Meshhub.at(node, "query", query)).toList();

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.code()).as(answer.toString()).isZero();
            assertThat(answer.out())
                    .hasSize(26)
                    .allSatisfy(line -> assertThat(line).startsWith("iso/CH/").contains("  subdivision  "));
        });
        assertThat(answers.get(0).out()).isEqualTo(answers.get(1).out());
    }

    /** R5, over HTTP and across nodes. */
    @Test
    void aThousandRequestsToAColdAddressOfTheOtherNodeWakeItOnce() {
        List<String> addresses = TwoProcesses.put("cold", 20, a);
        String address = TwoProcesses.on("b", TwoProcesses.pings(addresses, a)).get(0);
        NodeHttp.Ping before = b.ping(address);
        assertThat(b.recycleAsync(address).join().status()).isEqualTo(204);

        List<CompletableFuture<NodeHttp.Answer>> answers = IntStream.range(0, BURST)
                .mapToObj(i -> a.getAsync("/mesh/" + address))
                .toList();

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().status())
                        .as(answer.join().text())
                        .isEqualTo(200));
        NodeHttp.Ping after = a.ping(address);
        assertThat(after.node()).isEqualTo("b");
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(after.counter()).as("activations of the shard").isEqualTo(before.counter() + 1);
        assertThat(after.tag()).isNotEqualTo(before.tag());
    }

    /** A3: recycled by HTTP and by the command line. */
    @Test
    void recycledAddressHasALaterActivation() {
        NodeHttp.Ping first = a.ping("iso/CH/BE");
        assertThat(a.recycleAsync("iso/CH/BE").join().status()).isEqualTo(204);
        NodeHttp.Ping second = b.ping("iso/CH/BE");
        assertThat(Meshhub.at(b, "recycle", "iso/CH/BE").code()).isZero();
        NodeHttp.Ping third = a.ping("iso/CH/BE");

        assertThat(List.of(first.id(), second.id(), third.id())).isSorted().doesNotHaveDuplicates();
        assertThat(List.of(first.tag(), second.tag(), third.tag())).doesNotHaveDuplicates();
    }

    /** A3 and R11: requests ride out each recycle, and ids only rise. */
    @Test
    void requestsRideOutAStormOfRecycles() {
        String address = "iso/CH/TI";
        List<Long> ids = new ArrayList<>(List.of(a.ping(address).id()));
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> storm = recycleUntil(over, address, 0);

        List<NodeHttp.Answer> answers = new ArrayList<>();
        while (answers.size() < 5 * STORM) {
            List<CompletableFuture<NodeHttp.Answer>> wave = IntStream.range(0, STORM)
                    .mapToObj(i -> (i % 2 == 0 ? a : b).getAsync("/mesh/" + address))
                    .toList();
            wave.forEach(answer -> answers.add(answer.join()));
            ids.add(b.ping(address).id());
        }
        over.set(true);

        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(200));
        LOG.info("{} recycles while {} requests ran", storm.join(), answers.size());
        assertThat(storm.join()).as("recycles").isGreaterThan(5);
        assertThat(ids).isSorted();
        assertThat(ids.get(ids.size() - 1)).isGreaterThan(ids.get(0));
    }

    // One recycle after the other, so that the address is never at rest; each is answered.
    private CompletableFuture<Integer> recycleUntil(AtomicBoolean over, String address, int done) {
        if (over.get()) {
            return CompletableFuture.completedFuture(done);
        }
        return (done % 2 == 0 ? a : b).recycleAsync(address).thenCompose(answer -> {
            assertThat(answer.status()).as(answer.text()).isEqualTo(204);
            return recycleUntil(over, address, done + 1);
        });
    }
}
