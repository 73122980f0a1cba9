package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the nodes: versioned JSON documents by address, durable before a write is acknowledged.
 *
 * <p>Every call returns at once and is done off the event loop. Every future fails with {@link StoreException} when the
 * store could not be asked, and a write also as it says.
 */
public interface NodeStore extends FenceStore {

    /** The identity of this store; two stores never share one. */
    String storeId();

    /** The node at the address; a tombstone counts and says so, empty means that there never was one. */
    Future<Optional<NodeRecord>> read(MeshAddress address);

    /**
     * Writes, or deletes and leaves a tombstone with the next version.
     *
     * @return the record as it stands now. A write that changes nothing (equal type, name and content) answers with the
     *     record that stands, and changes neither version nor time. Fails with {@link
     *     io.meshhub.routing.failure.Conflict} when another version stands than expected, with {@link
     *     io.meshhub.routing.failure.NotFound} when a deletion finds no node, with {@link StaleFenceException} when the
     *     shard was taken by a later owner; then nothing was written
     */
    Future<NodeRecord> write(NodeWrite write);

    /** A page of nodes that exist, without tombstones, in order of their paths. */
    Future<List<NodeRecord>> list(NodeListing listing);

    /**
     * The partitions in which nodes exist, in code point order.
     *
     * @param after the partition after which this page begins; null for the first page
     * @param limit the most partitions of a page, at least 1
     */
    Future<List<String>> partitions(@Nullable String after, int limit);

    /** How many nodes exist. */
    Future<Long> count();

    /** Announces the changes that were written through this instance. */
    ChangeFeed changes();

    /** Finishes what was begun and closes; later calls fail. */
    Future<Void> close();
}
