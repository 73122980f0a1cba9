/**
 * The cluster: typed settings, a ready clustered Vert.x, and who is in the mesh and owns which shard, kept in Hazelcast.
 */
@NullMarked
package io.meshhub.cluster;

import org.jspecify.annotations.NullMarked;
