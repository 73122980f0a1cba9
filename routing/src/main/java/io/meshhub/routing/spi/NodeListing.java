package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes to list, in order of their paths.
 *
 * @param path where to start; null lists from the root
 * @param scope how far to go from there
 * @param after the path after which this page begins; null for the first page
 * @param limit the most nodes of a page, from 1 to {@link #MAX_LIMIT}
 */
public record NodeListing(
        @Nullable MeshAddress path, Scope scope, @Nullable MeshAddress after, int limit) {

    /** The most nodes of one page. */
    public static final int MAX_LIMIT = 10_000;

    /** How far a listing goes from its path. */
    public enum Scope {
        /** The node itself. */
        SELF,
        /** The nodes one segment below. */
        CHILDREN,
        /** All nodes below, at any depth. */
        DESCENDANTS,
        /** All nodes above. */
        ANCESTORS,
        /** The node itself and all below. */
        SUBTREE
    }

    public NodeListing {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit = " + limit + " must be between 1 and " + MAX_LIMIT);
        }
    }
}
