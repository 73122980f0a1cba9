package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** An access model that a test writes down, of any number of partitions. */
final class ModelBuilder {

    static final Principal ANN = Principal.of("ann", Set.of());
    static final Principal BOB = Principal.of("bob", Set.of());

    private final Map<MeshAddress, QueryNode> nodes = new TreeMap<>();
    private final Map<String, Undetermined> silent = new HashMap<>();
    private final Set<String> missing = new TreeSet<>();

    static QueryNode node(String path, String nodeType, JsonObject content) {
        MeshAddress address = MeshAddress.of(path);
        return new QueryNode(address, nodeType, address.name(), content, 1);
    }

    static QueryNode allow(String path, String principal, String role) {
        return assignment(path, "principal", principal, role, "allow");
    }

    static QueryNode assignment(String path, String field, String subject, String role, String effect) {
        JsonObject content =
                new JsonObject().put(field, subject).put("role", role).put("effect", effect);
        return node(path, "access-assignment", content);
    }

    static QueryNode role(String path, String... permissions) {
        JsonObject content = new JsonObject().put("permissions", new JsonArray(Arrays.asList(permissions)));
        return node(path, "access-role", content);
    }

    static QueryNode policy(String path, String effect, String... permissions) {
        JsonObject content =
                new JsonObject().put("effect", effect).put("permissions", new JsonArray(Arrays.asList(permissions)));
        return node(path, "access-policy", content);
    }

    static QueryNode group(String path, List<String> principals, List<String> groups) {
        JsonObject content =
                new JsonObject().put("principals", new JsonArray(principals)).put("groups", new JsonArray(groups));
        return node(path, "access-group", content);
    }

    ModelBuilder with(QueryNode node) {
        nodes.put(node.path(), node);
        return this;
    }

    ModelBuilder allowed(String path, String principal, String role) {
        return with(allow(path, principal, role));
    }

    ModelBuilder denied(String path, String principal, String role) {
        return with(assignment(path, "principal", principal, role, "deny"));
    }

    ModelBuilder groupIs(String path, String group, String role, String effect) {
        return with(assignment(path, "group", group, role, effect));
    }

    ModelBuilder without(String path) {
        nodes.remove(MeshAddress.of(path));
        return this;
    }

    ModelBuilder stalled(String partition, String provider) {
        silent.put(partition, new Undetermined(List.of(provider), "partition '" + partition + "' stalled"));
        return this;
    }

    ModelBuilder unread(String partition) {
        missing.add(partition);
        return this;
    }

    List<QueryNode> of(String partition) {
        return nodes.values().stream()
                .filter(node -> node.path().partition().equals(partition))
                .toList();
    }

    Models models() {
        return new Models(partition -> {
            if (missing.contains(partition)) {
                return null;
            }
            Undetermined why = silent.get(partition);
            return why == null
                    ? new PartitionState.Established(PartitionRows.of(of(partition)))
                    : new PartitionState.Unestablished(why);
        });
    }

    AccessDecision ask(Principal who, Permission what, String where) {
        return ask(who, what, where, step -> {});
    }

    AccessDecision ask(Principal who, Permission what, String where, Consumer<Step> trace) {
        return Fold.decide(who, what, MeshAddress.of(where), models(), trace);
    }

    List<Step> steps(Principal who, Permission what, String where) {
        List<Step> steps = new ArrayList<>();
        ask(who, what, where, steps::add);
        return steps;
    }
}
