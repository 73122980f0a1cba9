package io.meshhub.it.soak;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.sync.SyncClient;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A stream of each address in this process, and what they say, noted whenever it is another at a look; on a thread of its
 * own. A stream of an address that does not exist ends, and is opened again.
 */
final class SoakStreams {

    private static final Duration LOOKS = Duration.ofMillis(100);

    private record Said(long version, boolean live) {}

    private final SyncClient client;
    private final SoakLog log;
    private final List<MeshAddress> addresses;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "looks");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<MeshAddress, SyncStream<JsonObject>> streams = new ConcurrentHashMap<>();
    private final Map<MeshAddress, Said> said = new ConcurrentHashMap<>();
    private final LongAdder changes = new LongAdder();
    private volatile boolean comparing;

    /** Streams that are not open. */
    SoakStreams(SyncClient client, SoakLog log, List<MeshAddress> addresses) {
        this.client = client;
        this.log = log;
        this.addresses = addresses;
    }

    /** Opens all, and looks at them from now on. */
    void open() {
        addresses.forEach(this::open);
        ScheduledFuture<?> unused =
                looks.scheduleAtFixedRate(this::look, LOOKS.toMillis(), LOOKS.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void open(MeshAddress address) {
        streams.put(address, client.watch(address).onChange(change -> changes.increment()));
    }

    SyncStream<JsonObject> stream(MeshAddress address) {
        return Objects.requireNonNull(streams.get(address));
    }

    private void look() {
        streams.forEach((address, stream) -> {
            boolean before = stream.state() instanceof SyncState.Live;
            long version = stream.version();
            // What it said between two looks at its state is said by a live stream only when both say so.
            SyncState state = stream.state();
            Said now = new Said(version, before && state instanceof SyncState.Live);
            if (!now.equals(said.put(address, now))) {
                log.seen(address.toString(), now.version(), now.live());
            }
            if (state instanceof SyncState.Ended && !comparing) {
                open(address);
            }
        });
        log.looked();
    }

    /** What of the streams is not as the store has it, each for people. */
    Future<List<String>> wrong(NodeStore store) {
        comparing = true;
        List<Future<Optional<String>>> all = addresses.stream()
                .map(address -> store.read(address).map(found -> wrong(address, found.filter(node -> !node.deleted()))))
                .toList();
        return Future.all(all)
                .map(done -> all.stream()
                        .map(Future::result)
                        .flatMap(Optional::stream)
                        .toList());
    }

    private Optional<String> wrong(MeshAddress address, Optional<NodeRecord> stored) {
        SyncStream<JsonObject> stream = stream(address);
        SyncState state = stream.state();
        if (stored.isPresent() && state instanceof SyncState.Ended) {
            // It was created after the stream had ended, and is looked at again.
            open(address);
        }
        boolean right = stored.map(node -> state instanceof SyncState.Live
                        && stream.version() == node.version()
                        && stream.value()
                                .filter(value -> value.getJsonObject("content").equals(node.content()))
                                .isPresent())
                .orElseGet(() -> state.equals(new SyncState.Dormant(SyncState.Reason.NOT_FOUND))
                        || (state instanceof SyncState.Ended ended && ended.reason() == SyncState.Reason.NOT_FOUND));
        return right
                ? Optional.empty()
                : Optional.of(address + ": " + state + " version " + stream.version() + " "
                        + stream.value().orElse(null) + ", age "
                        + stream.age().map(Duration::toMillis).orElse(-1L) + " ms; the store has "
                        + stored.map(node -> "version " + node.version() + " " + node.content())
                                .orElse("nothing"));
    }

    /** How many changes the streams told. */
    long changes() {
        return changes.sum();
    }

    /** Looks no more, and closes all. */
    void close() {
        looks.shutdown();
        try {
            if (!looks.awaitTermination(5, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the looks did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        streams.values().forEach(SyncStream::close);
    }
}
