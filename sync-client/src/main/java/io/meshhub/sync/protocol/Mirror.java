package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.sync.protocol.JsonPointers.Found;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber's copy of a document, and how it takes in frames: a pure state machine, immutable.
 *
 * <p>A whole document always lands, unless an activation says it that is past. A patch lands when it is the very next
 * one; what came before changes nothing, and all else makes one request for a snapshot, after which patches are let by
 * until a whole document comes.
 */
public final class Mirror {

    /** What a frame did. */
    public enum Effect {
        /** Nothing that anybody would see. */
        NONE,
        /** The document says something else than before. */
        CHANGED,
        /** The document is no longer known to be right: ask for a snapshot, once. */
        GAP
    }

    /** The copy after a frame, and what that did. */
    public record Step(Mirror mirror, Effect effect) {}

    private static final List<String> VALUE = List.of(Frame.VALUE);
    private static final Mirror EMPTY = new Mirror(null, 0, 0, null, false, false);

    private final @Nullable ActivationId activation;
    private final long sequence;
    private final long version;
    private final @Nullable Map<String, @Nullable Object> document;
    private final boolean waiting;
    private final boolean last;

    private Mirror(
            @Nullable ActivationId activation,
            long sequence,
            long version,
            @Nullable Map<String, @Nullable Object> document,
            boolean waiting,
            boolean last) {
        this.activation = activation;
        this.sequence = sequence;
        this.version = version;
        this.document = document;
        this.waiting = waiting;
        this.last = last;
    }

    /** Nothing has come yet. */
    public static Mirror empty() {
        return EMPTY;
    }

    /** The copy after a frame, for a stream that remembers none of its own writes. */
    public Step on(Frame frame) {
        return on(frame, Optional.empty());
    }

    /**
     * The copy after a frame.
     *
     * @param own what the stream's own write makes of the document, when the frame says that one stands and it is known
     */
    public Step on(Frame frame, Optional<Map<String, @Nullable Object>> own) {
        if (last || isPast(frame)) {
            return new Step(this, Effect.NONE);
        }
        if (frame.content() instanceof Frame.Full full) {
            return landed(frame, full.document());
        }
        if (waiting) {
            return new Step(this, Effect.NONE);
        }
        if (document == null || !frame.activation().equals(activation) || frame.sequence() > sequence + 1) {
            return gap();
        }
        if (frame.sequence() <= sequence) {
            return new Step(this, Effect.NONE);
        }
        if (frame.content() instanceof Frame.Patch patch) {
            return patched(frame, patch);
        }
        return own.isPresent() ? landed(frame, own.get()) : gap();
    }

    private boolean isPast(Frame frame) {
        return activation != null && frame.activation().compareTo(activation) < 0;
    }

    @SuppressWarnings("unchecked") // A patch of a map that leaves a map; its names are strings.
    private Step patched(Frame frame, Frame.Patch patch) {
        try {
            return JsonPatcher.apply(document, patch.operations()) instanceof Map<?, ?> patched
                    ? landed(frame, (Map<String, @Nullable Object>) patched)
                    : gap();
        } catch (IllegalArgumentException e) {
            // It was made for another document than ours.
            return gap();
        }
    }

    private Step landed(Frame frame, Map<String, @Nullable Object> next) {
        boolean changed = !next.equals(document);
        return new Step(
                new Mirror(
                        frame.activation(),
                        frame.sequence(),
                        frame.version(),
                        changed ? next : document,
                        false,
                        frame.last()),
                changed ? Effect.CHANGED : Effect.NONE);
    }

    private Step gap() {
        return new Step(new Mirror(activation, sequence, version, document, true, last), Effect.GAP);
    }

    /** The value; empty when nothing has come yet, or the view names nothing in what came. */
    public Optional<Object> value() {
        Map<String, @Nullable Object> known = document;
        return known == null
                ? Optional.empty()
                : JsonPointers.find(known, VALUE).map(Found::value);
    }

    /** The document as it came last; empty when nothing has come yet. */
    public Optional<Map<String, @Nullable Object>> document() {
        return Optional.ofNullable(document);
    }

    /** The owner that said so; empty when nothing has come yet. */
    public Optional<ActivationId> activation() {
        return Optional.ofNullable(activation);
    }

    /** The sequence of the frame that landed last; 0 when none did. */
    public long sequence() {
        return sequence;
    }

    /** The version of the owner's state; 0 when nothing has come yet. */
    public long version() {
        return version;
    }

    /** Whether a snapshot was asked for and has not come. */
    public boolean isWaiting() {
        return waiting;
    }

    /** Whether the state is final. */
    public boolean isLast() {
        return last;
    }
}
