/**
 * The node hub: what lives at an address that no other hub type matches, a versioned JSON document in the store.
 *
 * <p>{@link io.meshhub.hub.node.NodeHubs#type} registers it. It makes a process useful without a line of code.
 */
@NullMarked
package io.meshhub.hub.node;

import org.jspecify.annotations.NullMarked;
