package io.meshhub.query;

import static io.meshhub.query.QueryHouse.QUERY;
import static io.meshhub.query.QueryHouse.RUNG;
import static io.meshhub.query.QueryHouse.await;
import static io.meshhub.query.QueryHouse.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.QueryHouse.Stub;
import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever providers tell, come and go: each who asks is answered, a live one begins or ends, and nothing is left. */
class QueryRunProperties {

    private static final List<Query> QUERIES = List.of(QUERY, Query.parse("path:iso scope:children limit:2"));

    private final List<Stub> stubs = List.of(new Stub("a"), new Stub("b"), new Stub("c"));
    private final List<Future<QueryResult>> asked = new ArrayList<>();
    private final List<List<QueryFrame>> followed = new ArrayList<>();
    private final List<LiveQuery> live = new ArrayList<>();

    private void happen(QueryHouse house, int what, int which, int number) {
        Stub stub = stubs.get(which);
        Query query = QUERIES.get(number % 2);
        ProviderCall last = stub.calls.isEmpty() ? null : stub.last();
        String path = "iso/N" + number;
        switch (what) {
            case 0 -> asked.add(house.ask(query, QueryCaller.MESH));
            case 1 -> asked.add(house.ask(query, QueryCaller.MESH.within(Duration.ofSeconds(8))));
            case 2 -> follow(house, query);
            case 3 -> await(house.fanIn.register(stub));
            case 4 -> await(house.fanIn.unregister(stub));
            case 5 -> house.pass(Duration.ofMillis(100L * number));
            default -> {
                if (last != null) {
                    tell(last, what, path, number);
                }
            }
        }
        house.settle();
    }

    private void follow(QueryHouse house, Query query) {
        List<QueryFrame> frames = new CopyOnWriteArrayList<>();
        followed.add(frames);
        live.add(house.fanIn.live(query, QueryCaller.MESH, frames::add));
    }

    private static void tell(ProviderCall call, int what, String path, int number) {
        switch (what) {
            case 6 -> call.complete();
            case 7 -> call.reset();
            case 8 -> call.removed(MeshAddress.of(path));
            case 9 -> call.added(node(path, number + 1));
            case 10 -> call.first(List.of(node(path, 1), node("iso/M", 1)), number > 4);
            default -> call.first(List.of(node(path, 1)), false);
        }
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void eachWhoAsksIsAnsweredAndNothingIsLeft(
            @ForAll @Size(min = 10, max = 40) List<@IntRange(max = 12 * 3 * 8 - 1) Integer> seeds) {
        stubs.forEach(stub -> stub.calls.clear());
        asked.clear();
        followed.clear();
        live.clear();
        try (QueryHouse house = new QueryHouse(stubs.get(0), stubs.get(1))) {
            for (int seed : seeds) {
                happen(house, seed % 12, seed / 12 % 3, seed / 36);
            }
            house.pass(RUNG.multipliedBy(2));

            assertThat(asked).allMatch(Future::succeeded);
            for (List<QueryFrame> frames : followed) {
                assertThat(frames).isNotEmpty();
                assertThat(frames.subList(1, frames.size())).noneMatch(frame -> frame instanceof QueryFrame.Initial);
                assertThat(frames.subList(0, frames.size() - 1)).noneMatch(frame -> frame instanceof QueryFrame.Ended);
            }
            live.forEach(LiveQuery::close);
            house.settle();
            assertThat(house.runs()).isZero();
            assertThat(house.subscribers()).isZero();
            assertThat(house.timers()).isZero();
        }
    }
}
