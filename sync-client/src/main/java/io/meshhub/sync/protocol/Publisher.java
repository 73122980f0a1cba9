package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One state and those who follow it: decides what each of them is sent. Without a clock, a bus or a thread: it is touched
 * by one thread at a time, and sends nothing itself.
 *
 * <p>Changes are conflated: a flush makes at most one frame for each subscriber, of all that came since the last one. A
 * stream that is subscribed again stays one stream.
 */
public final class Publisher {

    /** A subscriber that is silent for so many intervals is dropped. */
    public static final int SILENT_INTERVALS = 3;

    // Past it a whole document is shorter and sooner applied.
    private static final int MAX_OPERATIONS = 500;

    /** Something to be sent to the process at a place. */
    public record Outgoing(String place, ToClient message) {}

    private record Document(Map<String, @Nullable Object> tree) {}

    private static final class Subscriber {
        final Subscribe terms;
        final List<String> view;
        long heard;
        long sequence;
        boolean full = true;
        long version;

        @Nullable
        Document sent;

        Subscriber(Subscribe terms) {
            this.terms = terms;
            this.view = JsonPointers.steps(terms.view());
        }
    }

    private final ActivationId activation;
    private final Map<String, Subscriber> subscribers = new LinkedHashMap<>();
    private final Map<String, Document> documents = new HashMap<>();
    private @Nullable Object state;
    private boolean known;
    private long version;
    private boolean complete;
    // Since the last flush: the version that was sent then, and who made the only change since.
    private long flushed;
    private @Nullable Author author;

    /** Nothing is known yet, and nobody follows. */
    public Publisher(ActivationId activation) {
        this.activation = activation;
    }

    /** The state, as a {@linkplain JsonTrees tree}; null when there is none. */
    public @Nullable Object state() {
        return state;
    }

    /** How many follow. */
    public int size() {
        return subscribers.size();
    }

    /**
     * Sets the state.
     *
     * @param tree the state, as a {@linkplain JsonTrees tree}
     * @param newVersion above the version of before; the same for a state that says the same
     * @param newAuthor who made the change; null when none of the subscribers did
     * @throws IllegalArgumentException when the version is not above the one of before, and the state says something else
     * @throws IllegalStateException when the state of before was final
     */
    public void set(@Nullable Object tree, long newVersion, @Nullable Author newAuthor) {
        if (complete) {
            throw new IllegalStateException("the state is final: version " + newVersion + " cannot follow " + version);
        }
        boolean same = known && Objects.equals(tree, state);
        if (known && (newVersion < version || (newVersion == version && !same))) {
            throw new IllegalArgumentException("version = " + newVersion + " must be above " + version
                    + ", the version that another state has already");
        }
        if (known && newVersion == version) {
            return;
        }
        // Two changes in one frame are no longer the write of one.
        author = version == flushed ? newAuthor : null;
        known = true;
        version = newVersion;
        if (!same) {
            state = tree;
            documents.clear();
        }
    }

    /** Makes the state final: those who follow get it once more, and are followers no longer. */
    public void complete() {
        if (known) {
            complete = true;
        }
    }

    /** Takes a subscriber in, or refreshes the one of that stream: its next frame is a whole document. */
    public void subscribe(Subscribe terms, long now) {
        Subscriber before = subscribers.get(terms.stream());
        Subscriber subscriber = new Subscriber(terms);
        if (before != null) {
            subscriber.sequence = before.sequence;
        }
        subscriber.heard = now;
        subscribers.put(terms.stream(), subscriber);
    }

    /** Lets a subscriber go. */
    public void unsubscribe(String stream) {
        subscribers.remove(stream);
    }

    /**
     * Hears of a subscriber; one that is behind gets a whole document with the next flush.
     *
     * @return whether it is held, by this activation
     */
    public boolean heard(Beat.Entry entry, long now) {
        Subscriber subscriber = subscribers.get(entry.stream());
        if (subscriber == null || !entry.activation().equals(activation)) {
            return false;
        }
        subscriber.heard = now;
        if (entry.sequence() < subscriber.sequence) {
            subscriber.full = true;
        }
        return true;
    }

    /**
     * Drops the subscribers of other processes that were silent for too long.
     *
     * @param remote tells whether a subscriber is to be heard of at all
     * @return how many
     */
    public int dropSilent(long now, Duration interval, Predicate<Subscribe> remote) {
        long bound = interval.multipliedBy(SILENT_INTERVALS).toNanos();
        return dropIf(it -> remote.test(it.terms) && now - it.heard > bound);
    }

    /**
     * Drops the subscribers of a process that is gone.
     *
     * @return how many
     */
    public int dropProcess(String process) {
        return dropIf(it -> it.terms.process().equals(process));
    }

    private int dropIf(Predicate<Subscriber> condition) {
        int before = subscribers.size();
        subscribers.values().removeIf(condition);
        return before - subscribers.size();
    }

    /** What every subscriber lacks, in one frame each; nothing for those who lack nothing. */
    public List<Outgoing> flush() {
        if (!known) {
            return List.of();
        }
        List<Outgoing> frames = new ArrayList<>();
        IdentityHashMap<Document, IdentityHashMap<Document, Frame.Content>> patches = new IdentityHashMap<>();
        for (Subscriber subscriber : subscribers.values()) {
            Document document = document(subscriber);
            Frame.Content content = content(subscriber, document, patches);
            if (content != null) {
                subscriber.sequence++;
                frames.add(new Outgoing(
                        subscriber.terms.place(),
                        new Frame(
                                subscriber.terms.stream(),
                                activation,
                                subscriber.sequence,
                                version,
                                content,
                                complete)));
            }
            subscriber.full = false;
            subscriber.version = version;
            subscriber.sent = document;
        }
        author = null;
        flushed = version;
        if (complete) {
            subscribers.clear();
        }
        return frames;
    }

    private Frame.@Nullable Content content(
            Subscriber subscriber,
            Document document,
            IdentityHashMap<Document, IdentityHashMap<Document, Frame.Content>> patches) {
        Document sent = subscriber.sent;
        if (subscriber.full || complete || sent == null) {
            return new Frame.Full(document.tree());
        }
        if (subscriber.version == version) {
            return null;
        }
        Author writer = author;
        if (writer != null && writer.stream().equals(subscriber.terms.stream()) && subscriber.version == flushed) {
            return new Frame.Own(writer.write());
        }
        return patches.computeIfAbsent(sent, absent -> new IdentityHashMap<>())
                .computeIfAbsent(document, absent -> patch(sent, document));
    }

    private static Frame.Content patch(Document sent, Document document) {
        JsonArray operations = JsonDiff.withSplices(sent.tree(), document.tree());
        return operations.size() > MAX_OPERATIONS ? new Frame.Full(document.tree()) : new Frame.Patch(operations);
    }

    private Document document(Subscriber subscriber) {
        return documents.computeIfAbsent(
                subscriber.terms.view(),
                absent -> new Document(JsonPointers.find(state, subscriber.view)
                        .map(found -> Collections.<String, @Nullable Object>singletonMap(Frame.VALUE, found.value()))
                        .orElse(Map.of())));
    }

    /** Says goodbye to all, who are followers no longer. */
    public List<Outgoing> goodbye(RunLevel level, String reason, @Nullable MeshException verdict) {
        List<Outgoing> goodbyes = new ArrayList<>();
        for (Subscriber subscriber : subscribers.values()) {
            goodbyes.add(new Outgoing(
                    subscriber.terms.place(),
                    new Goodbye(subscriber.terms.stream(), activation, level, reason, verdict)));
        }
        subscribers.clear();
        return goodbyes;
    }

    /** Whether one of these follows. */
    public boolean isFollowedBy(Predicate<Subscribe> which) {
        return subscribers.values().stream().anyMatch(it -> which.test(it.terms));
    }
}
