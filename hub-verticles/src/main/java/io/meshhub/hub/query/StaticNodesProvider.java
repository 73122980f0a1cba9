package io.meshhub.hub.query;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.query.language.Scored;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers queries of source {@value Query#NODES} with nodes that never change, such as those of a file; see {@link
 * StaticNodes}. A node of the store covers one of the same path.
 */
public final class StaticNodesProvider implements QueryProvider {

    /** Its name. */
    public static final String NAME = "static";

    private final Context context;
    private final List<QueryNode> nodes;

    /**
     * A provider of these nodes.
     *
     * @param context whose worker threads look through them: there may be very many
     */
    public StaticNodesProvider(Context context, List<QueryNode> nodes) {
        this.context = context;
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

    /** It says so from the thread that it has got. */
    @Override
    public boolean saysWhenStarted() {
        return true;
    }

    @Override
    public Opened open(ProviderCall call) {
        context.executeBlocking(() -> find(call), false).onComplete((found, failure) -> {
            if (found == null) {
                call.fail(failure);
            } else {
                boolean cut = found.size() > call.wanted();
                call.first(cut ? found.subList(0, call.wanted()) : found, cut);
            }
        });
        return Opened.NONE;
    }

    private List<QueryNode> find(ProviderCall call) {
        call.started();
        List<Scored> found = new ArrayList<>();
        for (QueryNode node : nodes) {
            if (call.isOver()) {
                // Nobody waits for the rest.
                return List.of();
            }
            Scored scored = call.query().evaluate(node);
            if (scored != null) {
                found.add(scored);
            }
        }
        found.sort(call.query().scoredOrder());
        return found.stream().map(Scored::node).toList();
    }
}
