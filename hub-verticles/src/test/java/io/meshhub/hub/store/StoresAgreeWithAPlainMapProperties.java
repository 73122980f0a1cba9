package io.meshhub.hub.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.CodePointOrder;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StaleFenceException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Any sequence of writes leaves in either store what it leaves in a map of versions and values (W4, W8, N1). */
class StoresAgreeWithAPlainMapProperties {

    private static final List<String> PATHS = List.of("a", "a/b", "a/b/c", "a-b", "a0", "é/Ω", "é/\uD840\uDC00");

    /** One write; without a value it deletes. */
    record Step(String path, @Nullable Integer value, long expected, long epoch) {

        NodeWrite toWrite() {
            return new NodeWrite(
                    MeshAddress.of(path),
                    "thing",
                    "n",
                    value == null ? null : new JsonObject().put("v", value),
                    expected,
                    ActivationId.of(epoch, 1),
                    new ShardFence("hub", 7, epoch, "i" + epoch));
        }
    }

    /** What stands at a path. */
    record Standing(long version, @Nullable Integer value) {}

    /** The obvious way to do it. */
    static final class Model {

        final Map<String, Standing> standing = new HashMap<>();
        long fence;

        String apply(Step step) {
            if (step.epoch < fence) {
                return "stale";
            }
            Standing before = standing.getOrDefault(step.path, new Standing(0, null));
            long current = before.value == null ? 0 : before.version;
            if (step.value == null && current == 0) {
                return "missing";
            }
            if (step.expected >= 0 && step.expected != current) {
                return "conflict " + current;
            }
            fence = step.epoch;
            if (!Objects.equals(step.value, before.value)) {
                standing.put(step.path, new Standing(before.version + 1, step.value));
            }
            return "version " + standing.get(step.path).version;
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(PATHS),
                        Arbitraries.integers().between(0, 2).injectNull(0.3),
                        Arbitraries.of(-1L, -1L, -1L, 0L, 1L, 2L, 3L),
                        Arbitraries.longs().between(1, 4))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 300)
    void memory(@ForAll("steps") List<Step> steps) {
        check(new InMemoryNodeStore(), steps);
    }

    @Property(tries = 40)
    void file(@ForAll("steps") List<Step> steps) throws IOException {
        Path directory = Files.createTempDirectory("meshhub-store");
        Vertx vertx = Vertx.vertx();
        try {
            NodeStore store =
                    StoreFixture.await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
            check(store, steps);
            StoreFixture.await(store.close());
        } finally {
            StoreFixture.await(vertx.close());
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static void check(NodeStore store, List<Step> steps) {
        Model model = new Model();
        // All at once, so that the file commits them in groups.
        List<Future<NodeRecord>> answers =
                steps.stream().map(step -> store.write(step.toWrite())).toList();
        List<String> actual = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            expected.add(model.apply(steps.get(i)));
            actual.add(outcome(answers.get(i)));
        }
        assertThat(actual).isEqualTo(expected);
        for (String path : PATHS) {
            Standing standing = model.standing.get(path);
            assertThat(StoreFixture.await(store.read(MeshAddress.of(path)))
                            .map(record -> new Standing(
                                    record.version(),
                                    record.deleted() ? null : record.content().getInteger("v"))))
                    .isEqualTo(Optional.ofNullable(standing));
        }
        assertThat(StoreFixture.list(store, null, NodeListing.Scope.DESCENDANTS))
                .isEqualTo(PATHS.stream()
                        .filter(path -> model.standing.getOrDefault(path, new Standing(0, null)).value != null)
                        .sorted(CodePointOrder.INSTANCE)
                        .toList());
        assertThat(StoreFixture.await(store.highestFence())).isEqualTo(model.fence);
    }

    private static String outcome(Future<NodeRecord> answer) {
        try {
            return "version " + StoreFixture.await(answer).version();
        } catch (StaleFenceException e) {
            return "stale";
        } catch (NotFound e) {
            return "missing";
        } catch (Conflict e) {
            return "conflict " + e.currentVersion();
        }
    }
}
