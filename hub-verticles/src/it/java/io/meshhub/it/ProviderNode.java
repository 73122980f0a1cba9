package io.meshhub.it;

import io.meshhub.hub.MeshHub;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** An embedder's process that hosts no hub and answers queries of nodes with one more canton. */
final class ProviderNode {

    static final String PROVIDER = "invented";
    static final MeshAddress CANTON = MeshAddress.of("iso/CH/AA");

    private ProviderNode() {}

    /** Arguments: node name, cluster name, own Hazelcast port, seed (host:port). Prints {@code UP} when it is. */
    public static void main(String[] args) {
        MeshHub.builder()
                .callerOnly()
                .cluster(TestNode.described(args[0], args[1], Integer.parseInt(args[2]), args[3])
                        .lite(true)
                        .build())
                .start()
                .compose(hub -> hub.serve(new Invented()))
                .onSuccess(served -> ToParent.say("UP " + args[0]))
                .onFailure(cause -> {
                    ToParent.say("FAILED " + cause);
                    Runtime.getRuntime().halt(1);
                });
    }

    private static final class Invented implements QueryProvider {

        @Override
        public String name() {
            return PROVIDER;
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            List<QueryNode> all = List.of(new QueryNode(CANTON, "subdivision", "Aachen", new JsonObject(), 1));
            call.first(all.stream().filter(node -> call.query().matches(node)).toList(), false);
            return () -> {
                // It has nothing that a call holds.
            };
        }
    }
}
