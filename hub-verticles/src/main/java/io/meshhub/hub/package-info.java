/**
 * The hub runtime: wakes, feeds and ends the activations of a node, and what an embedder writes a hub with.
 *
 * <p>An embedder extends {@link io.meshhub.hub.HubVerticle} and registers it in {@link io.meshhub.hub.HubTypes}; {@link
 * io.meshhub.hub.HubRuntime} hosts it.
 */
@NullMarked
package io.meshhub.hub;

import org.jspecify.annotations.NullMarked;
