/** The right of a node to serve, and what follows when one is lost: rules without a clock and without I/O. */
@NullMarked
package io.meshhub.cluster.lease;

import org.jspecify.annotations.NullMarked;
