package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static io.meshhub.hub.store.StoreFixture.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that take long keep nobody else from the store, and end when nobody waits for them. */
@Timeout(60)
class QueriesLeaveRoomTest {

    private static final Query COUNTRIES = Query.parse("nodeType:country");

    private static QuerySample iso;

    @BeforeAll
    static void fill() throws IOException {
        iso = QuerySample.iso();
    }

    @AfterAll
    static void close() throws IOException {
        iso.close();
    }

    private static void hold(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Test
    void queriesThatTakeLongLeaveAThreadToTheOtherReads() {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        List<Future<StoreAnswer>> queries = IntStream.range(0, 5)
                .mapToObj(i -> iso.file.query(COUNTRIES, 10, () -> {
                    begun.incrementAndGet();
                    hold(slow);
                }))
                .toList();

        assertThat(await(iso.file.read(MeshAddress.of("iso/CH")))).isPresent();
        assertThat(begun).hasValueLessThanOrEqualTo(1);
        slow.countDown();
        queries.forEach(query -> assertThat(await(query).nodes()).hasSize(10));
        assertThat(begun).hasValue(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "content.nowhere:x", "sort:content.numeric"})
    void aQueryThatNobodyWaitsForIsGivenUpInItsMidst(String text) {
        for (QueryableStore store : List.of(iso.file, iso.memory)) {
            AtomicInteger begun = new AtomicInteger();
            AtomicInteger looks = new AtomicInteger();
            Future<StoreAnswer> answer =
                    store.query(Query.parse(text), 10_000, begun::incrementAndGet, () -> looks.incrementAndGet() > 2);

            assertThat(failureOf(answer)).isInstanceOf(StoreException.class);
            assertThat(begun).hasValue(1);
            assertThat(looks).hasValue(3);
        }
        assertThat(await(iso.file.query(COUNTRIES, 300)).nodes()).hasSize(249);
    }

    @Test
    void aQueryThatNobodyWaitsForIsNotBegun() {
        AtomicInteger begun = new AtomicInteger();

        assertThat(failureOf(iso.file.query(COUNTRIES, 10, begun::incrementAndGet, () -> true)))
                .isInstanceOf(StoreException.class);
        assertThat(begun).hasValue(0);
        assertThat(await(iso.file.query(COUNTRIES, 10)).nodes()).hasSize(10);
    }

    @Test
    void aQueryInMemoryKeepsNobodyFromReading() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch slow = new CountDownLatch(1);
        CompletableFuture<StoreAnswer> query =
                CompletableFuture.supplyAsync(() -> await(iso.memory.query(COUNTRIES, 10, () -> {
                    begun.countDown();
                    hold(slow);
                })));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> read = CompletableFuture.supplyAsync(
                () -> await(iso.memory.read(MeshAddress.of("iso/CH"))).isPresent());

        assertThat(read.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        slow.countDown();
        assertThat(query.join().nodes()).hasSize(10);
    }

    @Test
    void aQueryInMemoryBlocksNoEventLoop() {
        Vertx vertx = Vertx.vertx();
        try {
            Promise<Boolean> onLoop = Promise.promise();
            vertx.runOnContext(turn -> iso.memory
                    .query(COUNTRIES, 10, () -> onLoop.complete(Context.isOnEventLoopThread()))
                    .onFailure(onLoop::tryFail));

            assertThat(await(onLoop.future())).isFalse();
        } finally {
            await(vertx.close());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"content.a", "name"})
    void theDatabaseTakesTheLargestQueries(String field) {
        StringBuilder values = new StringBuilder("*0*");
        StringBuilder terms = new StringBuilder(field + ":*0*");
        for (int i = 1; i < Query.MAX_TERMS; i++) {
            values.append(",*").append(i).append('*');
            terms.append(" OR ").append(field).append(":*").append(i).append('*');
        }
        StringBuilder nested = new StringBuilder(field + ":0");
        for (int i = 1; i < Query.MAX_DEPTH; i++) {
            nested.insert(0, "-(" + field + ":" + i + " OR ").append(')');
        }
        String deep = "content" + ".a".repeat(Query.MAX_MEMBERS);
        List<String> texts = List.of(
                field + ":" + values, field + ":!" + values, terms.toString(), nested.toString(), deep + ":!*1*");
        for (String text : texts) {
            Query query = Query.parse(text);
            assertThat(await(iso.file.query(query, 10_000)).nodes())
                    .isEqualTo(await(iso.memory.query(query, 10_000)).nodes());
        }
    }
}
