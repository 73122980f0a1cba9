package io.meshhub.hub.query;

import io.meshhub.hub.ActivationInfo;
import io.meshhub.hub.HubRuntime;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers queries of source {@value #SOURCE} with the activations that live on this node: each at its address, as a node of
 * type {@value #NODE_TYPE}, its version the number of its life, with {@code type}, {@code node}, {@code runLevel}, {@code
 * activation} (the tag) and {@code mailboxDepth} in its content.
 *
 * <p>While somebody follows, it looks once in each {@link #PACE} and tells what is not as it was: a life shorter than that
 * may not be seen, and a mailbox that is longer or shorter alone is no change, unless the query asks for its depth. The first result is whole or fails, with a loop that is blocked or with more than {@link #MOST}
 * activations; a later look that fails is left out, and what was told stands until the next one.
 */
public final class ActivationsProvider implements QueryProvider {

    /** The source that it answers. */
    public static final String SOURCE = "activations";

    /** The node type of what it finds. */
    public static final String NODE_TYPE = "activation";

    /** The most activations of the node: 100,000. */
    public static final int MOST = 100_000;

    /** How often it looks: once in 1 s. */
    static final Duration PACE = Duration.ofSeconds(1);

    /** The time for a look that no first result waits for: one that comes meanwhile is not kept from its own for longer. */
    private static final Duration LATER_LOOK = Duration.ofSeconds(4);

    private static final String DEPTH = "mailboxDepth";

    private static final Logger LOG = LoggerFactory.getLogger(ActivationsProvider.class);

    private final Context context;
    private final HubRuntime runtime;
    private final String node;
    private final Pacer pacer;
    private final Set<Following> followers = new LinkedHashSet<>();
    private Pacer.Cancellable next = Pacer.Cancellable.NONE;
    private boolean looking;

    /** One call, and what it was told. */
    private static final class Following {

        private final ProviderCall call;
        private final boolean asksForDepth;
        private Map<MeshAddress, QueryNode> told = Map.of();
        private boolean spoken;

        Following(ProviderCall call) {
            this.call = call;
            this.asksForDepth = call.query().text().contains(DEPTH);
        }

        void see(List<QueryNode> all) {
            Map<MeshAddress, QueryNode> now = new HashMap<>();
            for (QueryNode each : all) {
                if (call.query().matches(each)) {
                    now.put(each.path(), each);
                }
            }
            if (spoken) {
                tell(now);
            } else {
                spoken = true;
                List<QueryNode> first = now.values().stream()
                        .sorted(call.query().order())
                        .limit(call.wanted())
                        .toList();
                call.first(first, first.size() < now.size());
            }
            told = now;
        }

        private void tell(Map<MeshAddress, QueryNode> now) {
            told.keySet().stream().filter(path -> !now.containsKey(path)).forEach(call::removed);
            now.forEach((path, each) -> {
                if (!isAsTold(each, told.get(path))) {
                    call.updated(each);
                }
            });
        }

        // What is another at every look would be an update at every look.
        private boolean isAsTold(QueryNode now, @Nullable QueryNode before) {
            return before != null
                    && (now.equals(before)
                            || (!asksForDepth
                                    && now.version() == before.version()
                                    && lasting(now).equals(lasting(before))));
        }

        private static JsonObject lasting(QueryNode node) {
            JsonObject content = node.content().copy();
            content.remove(DEPTH);
            return content;
        }
    }

    /**
     * A provider of the activations of a node.
     *
     * @param context on which it works; nothing there may block
     * @param node the name of this node
     */
    public ActivationsProvider(Context context, HubRuntime runtime, String node, Pacer pacer) {
        this.context = context;
        this.runtime = runtime;
        this.node = node;
        this.pacer = pacer;
    }

    @Override
    public String name() {
        return SOURCE;
    }

    @Override
    public String source() {
        return SOURCE;
    }

    @Override
    public Opened open(ProviderCall call) {
        Following following = new Following(call);
        context.runOnContext(turn -> {
            followers.add(following);
            look();
        });
        return () -> context.runOnContext(turn -> {
            followers.remove(following);
            if (followers.isEmpty()) {
                next.cancel();
            }
        });
    }

    // One that comes while it looks sees what is found: that is as old as the look at most, and the next one follows.
    private void look() {
        if (looking) {
            return;
        }
        looking = true;
        next.cancel();
        List<Following> first =
                followers.stream().filter(following -> !following.spoken).toList();
        Duration remaining = first.stream()
                .map(following -> following.call.remaining())
                .min(Comparator.naturalOrder())
                .orElse(LATER_LOOK);
        runtime.census(MOST, remaining)
                .onComplete((found, failure) -> context.runOnContext(turn -> {
                    looking = false;
                    if (failure != null) {
                        failed(first, failure);
                    } else {
                        List<QueryNode> all = found.stream().map(this::node).toList();
                        List.copyOf(followers).forEach(following -> following.see(all));
                    }
                    if (!followers.isEmpty()) {
                        next = pacer.after(PACE, () -> context.runOnContext(later -> look()));
                    }
                }));
    }

    // One that came meanwhile has time of its own, and waits for the next look.
    private void failed(List<Following> first, Throwable failure) {
        LOG.debug("The activations of node {} were not listed: {}", node, failure.getMessage());
        for (Following following : first) {
            if (followers.remove(following)) {
                following.call.fail(failure);
            }
        }
    }

    private QueryNode node(ActivationInfo info) {
        JsonObject content = new JsonObject()
                .put("type", runtime.typeOf(info.address()))
                .put("node", node)
                .put("runLevel", info.level().name())
                .put("activation", info.activation().tag())
                .put(DEPTH, info.mailboxDepth());
        return new QueryNode(
                info.address(),
                NODE_TYPE,
                info.address().name(),
                content,
                info.activation().value());
    }
}
