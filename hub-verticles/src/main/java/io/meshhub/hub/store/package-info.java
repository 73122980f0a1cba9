/**
 * The stores: where nodes and the fences of shards are kept, in a file that the processes of one machine share, or in
 * memory.
 *
 * <p>What a write does is decided by one pure function, {@code WriteRules}, for every store alike. Paths are listed in
 * the order of their code points, which is that of their UTF-8 bytes.
 */
@NullMarked
package io.meshhub.hub.store;

import org.jspecify.annotations.NullMarked;
