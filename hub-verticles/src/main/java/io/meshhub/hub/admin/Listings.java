package io.meshhub.hub.admin;

import io.meshhub.hub.access.Permission;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeListing.Scope;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages of what the store holds around a path. */
final class Listings {

    static final String CHILDREN = "children";
    static final String SCOPE = "scope";
    static final String LIMIT = "limit";
    static final String AFTER = "after";
    static final String[] PARAMETERS = {CHILDREN, SCOPE, LIMIT, AFTER};

    /** The nodes of a page where nothing is said. */
    static final int DEFAULT_LIMIT = 100;

    /** The most nodes of a page. */
    static final int MAX_LIMIT = 1000;

    private static final Map<String, Scope> SCOPES = Map.of(
            "children", Scope.CHILDREN,
            "descendants", Scope.DESCENDANTS,
            "subtree", Scope.SUBTREE,
            "ancestors", Scope.ANCESTORS);

    private final @Nullable NodeStore store;
    private final String node;
    private final Callers callers;

    Listings(@Nullable NodeStore store, String node, Callers callers) {
        this.store = store;
        this.node = node;
        this.callers = callers;
    }

    /**
     * Whether the query asks for a listing.
     *
     * @throws Problem when it pages without saying what
     */
    static boolean isAsked(QueryParameters query) {
        boolean asked = query.has(CHILDREN) || query.has(SCOPE);
        if (!asked && (query.has(LIMIT) || query.has(AFTER))) {
            throw Problem.rejected(
                    "Query parameters 'limit' and 'after' page a listing; 'children' or 'scope' asks for one");
        }
        return asked;
    }

    /** Answers a caller who may read the path with a page below, or above, it; null lists from the root. */
    void list(RoutingContext ctx, @Nullable MeshAddress path, QueryParameters query) {
        callers.may(ctx, Permission.READ, path, () -> listed(ctx, path, query));
    }

    private void listed(RoutingContext ctx, @Nullable MeshAddress path, QueryParameters query) {
        Scope scope = scope(query);
        int limit = query.count(LIMIT, DEFAULT_LIMIT, MAX_LIMIT);
        MeshAddress after = query.text(AFTER).map(MeshAddress::of).orElse(null);
        NodeStore asked = store;
        if (asked == null) {
            throw Problem.noStore();
        }
        if (path == null && scope == Scope.CHILDREN) {
            partitions(ctx, asked, after, limit);
            return;
        }
        // One more than the page holds tells whether there is a next one.
        asked.list(new NodeListing(path, scope, after, limit + 1))
                .compose(found -> found.isEmpty() && path != null
                        ? requireKnown(asked, path).map(known -> found)
                        : Future.succeededFuture(found))
                .onSuccess(found -> Answers.json(ctx, 200, page(path, scope, found, limit)))
                .onFailure(ctx::fail);
    }

    // Below the root lie the partitions, whether or not a node stands at the partition's own address.
    private static void partitions(RoutingContext ctx, NodeStore asked, @Nullable MeshAddress after, int limit) {
        asked.partitions(after == null ? null : after.toString(), limit + 1)
                .onSuccess(found -> {
                    List<String> shown = found.size() > limit ? found.subList(0, limit) : found;
                    JsonArray nodes = new JsonArray();
                    shown.forEach(name -> nodes.add(new JsonObject().put("path", name)));
                    JsonObject page = new JsonObject()
                            .put("path", "")
                            .put("scope", "children")
                            .put("nodes", nodes);
                    Answers.json(ctx, 200, found.size() > limit ? page.put("next", shown.get(limit - 1)) : page);
                })
                .onFailure(ctx::fail);
    }

    private static Scope scope(QueryParameters query) {
        if (query.has(CHILDREN) && query.has(SCOPE)) {
            throw Problem.rejected("Query parameters 'children' and 'scope' exclude each other");
        }
        String flag = query.text(CHILDREN).orElse("");
        if (!flag.isEmpty() && !flag.equals("true")) {
            throw Problem.rejected("Query parameter 'children' = '" + flag + "' takes no value");
        }
        String name = query.text(SCOPE).orElse("children");
        Scope scope = SCOPES.get(name);
        if (scope == null) {
            throw Problem.rejected("Query parameter 'scope' = '" + name
                            + "' must be children, descendants, subtree or ancestors")
                    .with("parameters", List.of(SCOPE));
        }
        return scope;
    }

    // An empty page of a path that is no node and has nothing below it is a path that does not exist.
    private Future<Void> requireKnown(NodeStore asked, MeshAddress path) {
        return asked.read(path).compose(record -> {
            if (record.isPresent() && !record.get().deleted()) {
                return Future.succeededFuture();
            }
            return asked.list(new NodeListing(path, Scope.DESCENDANTS, null, 1))
                    .compose(below -> below.isEmpty()
                            ? Future.failedFuture(NotFound.noNode(path, node))
                            : Future.succeededFuture());
        });
    }

    private static JsonObject page(@Nullable MeshAddress path, Scope scope, List<NodeRecord> found, int limit) {
        List<NodeRecord> shown = found.size() > limit ? found.subList(0, limit) : found;
        JsonArray nodes = new JsonArray();
        for (NodeRecord record : shown) {
            nodes.add(new JsonObject()
                    .put("path", record.address().toString())
                    .put("nodeType", record.nodeType())
                    .put("name", record.name())
                    .put("version", record.version()));
        }
        JsonObject page = new JsonObject()
                .put("path", path == null ? "" : path.toString())
                .put("scope", scope.name().toLowerCase(Locale.ROOT))
                .put("nodes", nodes);
        if (found.size() > limit) {
            page.put("next", shown.get(limit - 1).address().toString());
        }
        return page;
    }
}
