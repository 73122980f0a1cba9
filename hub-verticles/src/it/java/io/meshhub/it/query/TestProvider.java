package io.meshhub.it.query;

import io.meshhub.it.ToParent;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A provider of one node, which does what its kind says; it tells the test when it is opened. */
final class TestProvider implements QueryProvider {

    /** What it does when it is opened. */
    enum Kind {
        /** It has one node, and tells when that changes. */
        HEALTHY,
        /** It completes, and says nothing before. */
        SILENT,
        /** It fails by itself. */
        FAILING,
        /** It never says anything. */
        HANGING
    }

    private final String source;
    private final Kind kind;
    private final MeshAddress path;
    private final AtomicLong version = new AtomicLong(1);
    private final Set<ProviderCall> calls = ConcurrentHashMap.newKeySet();

    TestProvider(String source, Kind kind, String node) {
        this.source = source;
        this.kind = kind;
        this.path = MeshAddress.of(source + "/" + node);
    }

    @Override
    public String name() {
        return source + "-" + kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public Opened open(ProviderCall call) {
        ToParent.say("OPENED " + name());
        switch (kind) {
            case HEALTHY -> {
                calls.add(call);
                call.first(List.of(node()), false);
            }
            case SILENT -> call.complete();
            case FAILING -> call.fail(new IllegalStateException("disk on fire"));
            case HANGING -> {
                // Nothing, which is its fault.
            }
        }
        return () -> calls.remove(call);
    }

    /** Its node is in the next version. */
    void change() {
        version.incrementAndGet();
        calls.forEach(call -> call.updated(node()));
    }

    private QueryNode node() {
        return new QueryNode(path, "test", path.name(), new JsonObject(), version.get());
    }
}
