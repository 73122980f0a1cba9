package io.meshhub.hub.sync;

import io.meshhub.routing.MeshAddress;
import io.meshhub.sync.protocol.Publisher;
import io.meshhub.sync.protocol.SyncPlaces;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the owners of a node say to clients: all that comes in one turn goes to each process as one message. */
final class SyncOutbox {

    // Past them the rest goes in another message, so that one does not block the link for long.
    private static final int MAX_LETTERS = 256;
    private static final int MAX_BYTES = 256 * 1024;

    private record Letter(String place, Buffer text) {}

    /** What goes to one process, as JSON. */
    private static final class Batch {
        final Buffer text = Buffer.buffer();
        int letters;

        void add(Buffer letter) {
            text.appendString(letters++ == 0 ? "" : ",").appendBuffer(letter);
        }

        boolean isFull() {
            return letters == MAX_LETTERS || text.length() >= MAX_BYTES;
        }
    }

    private final Queue<Letter> letters = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final String sender;
    private volatile Context context;

    SyncOutbox(Context context, String sender) {
        this.context = context;
        this.sender = sender;
    }

    /** Sends on that context from now on. */
    void sendsOn(Context newContext) {
        context = newContext;
    }

    /** Queues a message; any thread. What one thread queues arrives in its order. */
    void offer(MeshAddress address, Publisher.Outgoing outgoing) {
        letters.add(new Letter(
                outgoing.place(), SyncPlaces.letter(address, outgoing.message()).toBuffer()));
        if (scheduled.compareAndSet(false, true)) {
            context.runOnContext(turn -> flush());
        }
    }

    private void flush() {
        scheduled.set(false);
        Map<String, Batch> batches = new LinkedHashMap<>();
        Letter letter = letters.poll();
        while (letter != null) {
            Batch batch = batches.computeIfAbsent(letter.place(), absent -> new Batch());
            batch.add(letter.text());
            if (batch.isFull()) {
                send(letter.place(), batch);
                batches.remove(letter.place());
            }
            letter = letters.poll();
        }
        batches.forEach(this::send);
    }

    private void send(String place, Batch batch) {
        Buffer text = Buffer.buffer("{\"from\":\"" + sender + "\",\"letters\":[")
                .appendBuffer(batch.text)
                .appendString("]}");
        context.owner().eventBus().send(place, text);
    }
}
