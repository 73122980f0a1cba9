package io.meshhub.routing;

import java.util.OptionalLong;

/**
 * The tag of an activation as people and peers without our codec read it: {@code activation #017DA86C}.
 *
 * <p>This is the one place that renders and parses it. A tag is a fixed mix of all 64 bits of an {@link ActivationId}:
 * within one epoch no two activations share a tag; across epochs two may, with a chance of 1 in 2^32, so code compares
 * ids and uses tags only where no id came along.
 */
public final class ActivationTag {

    private static final String MARKER = "activation #";
    private static final int MAX_DIGITS = 8;

    private ActivationTag() {}

    /** The 8 upper-case hex digits of an activation's tag. */
    public static String of(ActivationId id) {
        return String.format("%08X", mix(id));
    }

    /** The marker and the tag, as they stand in messages. */
    public static String render(ActivationId id) {
        return MARKER + of(id);
    }

    /**
     * Finds the first marker in a text and reads the tag behind it.
     *
     * <p>The marker must stand exactly as rendered; behind it any run of 1 to 8 hex digits in either case is a tag.
     *
     * @return the tag as a number, or empty ("unknown") when there is no marker, no digit or more than 8 digits
     */
    public static OptionalLong parse(String text) {
        int marker = text.indexOf(MARKER);
        if (marker < 0) {
            return OptionalLong.empty();
        }
        int start = marker + MARKER.length();
        int end = start;
        long tag = 0;
        while (end < text.length() && Character.digit(asciiOnly(text.charAt(end)), 16) >= 0) {
            if (end - start == MAX_DIGITS) {
                return OptionalLong.empty();
            }
            tag = tag << 4 | Character.digit(text.charAt(end), 16);
            end++;
        }
        return end == start ? OptionalLong.empty() : OptionalLong.of(tag);
    }

    /** Whether a tag that {@link #parse} read is the one of this activation. */
    public static boolean matches(long tag, ActivationId id) {
        return tag == Integer.toUnsignedLong(mix(id));
    }

    // Character.digit also takes full-width and other digits, which are no hex digits here.
    private static char asciiOnly(char c) {
        return c < 128 ? c : ' ';
    }

    // A bijection of the counter for each epoch (the finalizer of MurmurHash3 is one), so consecutive tags differ.
    private static int mix(ActivationId id) {
        return finish((int) id.counter() ^ finish((int) id.epoch() ^ 0x9e3779b9));
    }

    private static int finish(int h) {
        h = (h ^ (h >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        return h ^ (h >>> 16);
    }
}
