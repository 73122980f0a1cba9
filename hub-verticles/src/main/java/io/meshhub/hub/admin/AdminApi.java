package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Supplier;

/** {@code /api/v1}: what operators ask of a node, and the one thing that they can do to an address. */
final class AdminApi {

    private static final String PING = "mesh.ping";
    private static final String RECYCLE = "mesh.recycle";
    private static final String ADDRESS = "address";
    private static final String PARK = "park";
    private static final String RELEASE = "release";

    private final MeshCalls calls;
    private final Membership membership;
    private final Supplier<JsonObject> hubs;

    AdminApi(MeshCalls calls, Membership membership, Supplier<JsonObject> hubs) {
        this.calls = calls;
        this.membership = membership;
        this.hubs = hubs;
    }

    void node(RoutingContext ctx) {
        QueryParameters.of(ctx);
        Answers.json(ctx, 200, toJson(membership.self()).put("hubs", hubs.get()));
    }

    void members(RoutingContext ctx) {
        QueryParameters.of(ctx);
        JsonArray members = new JsonArray();
        membership.nodes().forEach(node -> members.add(toJson(node)));
        Answers.json(ctx, 200, new JsonObject().put("nodes", members));
    }

    void recycle(RoutingContext ctx) {
        QueryParameters query = QueryParameters.of(ctx, ADDRESS, PARK, RELEASE);
        MeshAddress address = query.address(ADDRESS);
        boolean park = query.flag(PARK);
        boolean release = query.flag(RELEASE);
        if (park && release) {
            throw Problem.rejected("Query parameters '" + PARK + "' and '" + RELEASE + "' exclude each other")
                    .with("parameters", List.of(PARK, RELEASE));
        }
        MeshBody order =
                park || release ? MeshBody.of(new JsonObject().put(park ? PARK : RELEASE, true)) : MeshBody.NULL;
        calls.ask(ctx, address, RECYCLE, order, true, reply -> Answers.empty(ctx, 204));
    }

    void ping(RoutingContext ctx) {
        MeshAddress address = QueryParameters.of(ctx, ADDRESS).address(ADDRESS);
        calls.ask(ctx, address, PING, MeshBody.NULL, true, reply -> Answers.reply(ctx, 200, reply.body()));
    }

    private static JsonObject toJson(NodeInfo node) {
        JsonArray types = new JsonArray();
        node.types().stream().sorted().forEach(types::add);
        return new JsonObject()
                .put("name", node.name())
                .put("incarnation", node.incarnation())
                .put("state", node.state().name())
                .put("role", node.role())
                .put("loops", node.loops())
                .put("types", types)
                .put("storeId", node.storeId())
                .put("version", node.version());
    }
}
