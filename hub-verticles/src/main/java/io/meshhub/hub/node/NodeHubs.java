package io.meshhub.hub.node;

import io.meshhub.hub.HubType;
import io.meshhub.routing.spi.NodeStore;
import java.util.Set;

/** Makes the hub type of nodes. */
public final class NodeHubs {

    /** Answers with the document; takes no body. */
    public static final String GET = "get";

    /** Creates or replaces the document: {@code {nodeType, name, content, ifVersion?}}. */
    public static final String PUT = "put";

    /** Changes the document: {@code {format: merge-patch | json-patch, patch, ifVersion?}}. */
    public static final String PATCH = "patch";

    /** Deletes the node: no body, or {@code {ifVersion}}. */
    public static final String DELETE = "delete";

    private NodeHubs() {}

    /**
     * The type of every address that no other type matches: the {@link StoreCatalog} says which exist, and a {@code put}
     * makes one.
     */
    public static HubType type(NodeStore store) {
        return HubType.catalogued("", () -> new NodeHub(store), Set.of(PUT));
    }
}
