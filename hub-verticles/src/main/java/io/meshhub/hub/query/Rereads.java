package io.meshhub.hub.query;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.vertx.core.Context;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads nodes that changed from the store: each once, however often it changed while it waited, and never twice at a
 * time, so that what was read last is the latest. Touched only on its context.
 */
final class Rereads {

    /** The most nodes that are read at one time. */
    static final int IN_FLIGHT = 32;

    /** The most nodes that wait to be read. */
    static final int MOST_WAITING = 10_000;

    private final Context context;
    private final NodeStore store;
    private final BiConsumer<MeshAddress, Optional<NodeRecord>> found;
    private final Consumer<Throwable> lost;
    private final Set<MeshAddress> waiting = new LinkedHashSet<>();
    private final Set<MeshAddress> reading = new HashSet<>();
    private final Set<MeshAddress> again = new HashSet<>();
    private long failures;

    /**
     * Reads nothing so far.
     *
     * @param found takes what stands at an address
     * @param lost is told that something that changed is not read, and why: once for all reads that were under way then
     */
    Rereads(
            Context context,
            NodeStore store,
            BiConsumer<MeshAddress, Optional<NodeRecord>> found,
            Consumer<Throwable> lost) {
        this.context = context;
        this.store = store;
        this.found = found;
        this.lost = lost;
    }

    /** The node at the address may not be as it was. */
    void of(MeshAddress address) {
        if (reading.contains(address)) {
            again.add(address);
            return;
        }
        if (waiting.size() >= MOST_WAITING && !waiting.contains(address)) {
            clear();
            lost.accept(new IllegalStateException("more than " + MOST_WAITING + " changed nodes wait to be read"));
            return;
        }
        waiting.add(address);
        advance();
    }

    /** Nobody wants to know any more. */
    void clear() {
        waiting.clear();
        again.clear();
    }

    // Those who were told of the first begin anew, and read after it whatever the others were about.
    private void failed(long before, Throwable failure) {
        if (before == failures) {
            failures++;
            waiting.clear();
            lost.accept(failure);
        }
    }

    private void advance() {
        while (reading.size() < IN_FLIGHT && !waiting.isEmpty()) {
            Iterator<MeshAddress> first = waiting.iterator();
            MeshAddress address = first.next();
            first.remove();
            reading.add(address);
            long before = failures;
            store.read(address)
                    .onComplete((record, failure) -> context.runOnContext(turn -> {
                        reading.remove(address);
                        if (failure != null) {
                            failed(before, failure);
                        } else {
                            found.accept(address, record);
                        }
                        if (again.remove(address)) {
                            waiting.add(address);
                        }
                        advance();
                    }));
        }
    }
}
