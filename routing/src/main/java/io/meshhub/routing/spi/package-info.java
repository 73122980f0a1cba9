/**
 * The seams: what routing asks of a cluster, a store, a clock and the host of activations.
 *
 * <p>Single-process implementations live in {@code io.meshhub.routing.router}, the Hazelcast ones in {@code
 * io.meshhub.cluster}, the stores in {@code io.meshhub.hub.store}.
 */
@NullMarked
package io.meshhub.routing.spi;

import org.jspecify.annotations.NullMarked;
