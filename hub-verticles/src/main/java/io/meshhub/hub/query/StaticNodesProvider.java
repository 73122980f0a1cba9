package io.meshhub.hub.query;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import java.util.List;

/**
 * Answers queries of source {@value Query#NODES} with nodes that never change, such as those of a file; see {@link
 * StaticNodes}. A node of the store covers one of the same path.
 */
public final class StaticNodesProvider implements QueryProvider {

    /** Its name. */
    public static final String NAME = "static";

    private final List<QueryNode> nodes;

    /** A provider of these nodes. */
    public StaticNodesProvider(List<QueryNode> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String source() {
        return Query.NODES;
    }

    @Override
    public Opened open(ProviderCall call) {
        List<QueryNode> found = nodes.stream()
                .filter(call.query()::matches)
                .sorted(call.query().order())
                .toList();
        boolean cut = found.size() > call.wanted();
        call.first(cut ? found.subList(0, call.wanted()) : found, cut);
        return Opened.NONE;
    }
}
