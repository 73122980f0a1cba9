package io.meshhub.bench;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A provider that has its rows, and tells them from a loop of its own as soon as it is asked. */
final class ReadyProvider implements QueryProvider {

    private static final int ROWS = 10;

    private final String name;
    private final String source;
    private final Context context;
    private final List<QueryNode> rows;

    ReadyProvider(String source, int number, Context context) {
        this.name = source + "-" + number;
        this.source = source;
        this.context = context;
        this.rows = IntStream.range(0, ROWS)
                .mapToObj(row -> MeshAddress.of(source + "/" + number + "/" + row))
                .map(path -> new QueryNode(path, "bench", path.name(), new JsonObject().put("at", path.toString()), 1))
                .toList();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public Opened open(ProviderCall call) {
        context.runOnContext(turn -> call.first(rows, false));
        return Opened.NONE;
    }

    /** Asks it without a fan-in. */
    Future<List<QueryNode>> alone(Query query) {
        Alone call = new Alone(query, Promise.promise());
        open(call);
        return call.first.future();
    }

    /** A call of nobody but the benchmark. */
    private record Alone(Query query, Promise<List<QueryNode>> first) implements ProviderCall {

        @Override
        public Optional<String> principal() {
            return Optional.empty();
        }

        @Override
        public int wanted() {
            return ROWS;
        }

        @Override
        public Duration remaining() {
            return Duration.ofSeconds(15);
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void started() {
            // Its time is taken from outside.
        }

        @Override
        public void first(List<QueryNode> nodes, boolean cut) {
            first.complete(nodes);
        }

        @Override
        public void added(QueryNode node) {
            throw new UnsupportedOperationException("nothing changes");
        }

        @Override
        public void updated(QueryNode node) {
            throw new UnsupportedOperationException("nothing changes");
        }

        @Override
        public void removed(MeshAddress path) {
            throw new UnsupportedOperationException("nothing changes");
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("nothing is taken back");
        }

        @Override
        public void complete() {
            throw new UnsupportedOperationException("it has rows");
        }

        @Override
        public void fail(Throwable cause) {
            first.fail(cause);
        }
    }
}
