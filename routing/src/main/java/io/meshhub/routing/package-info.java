/**
 * The contract: what an address, an activation, a message and its budget are.
 *
 * <p>Everything that a caller or a hub touches is here or in {@code io.meshhub.routing.failure}; the two packages are
 * one layer and may refer to each other. Nothing here performs I/O.
 */
@NullMarked
package io.meshhub.routing;

import org.jspecify.annotations.NullMarked;
