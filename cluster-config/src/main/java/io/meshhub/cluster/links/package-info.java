/** The connections between the members of the cluster, and what is done with one that has fallen silent. */
@NullMarked
package io.meshhub.cluster.links;

import org.jspecify.annotations.NullMarked;
