package io.meshhub.routing;

import io.meshhub.routing.failure.Rejected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The name of one addressable, stateful thing: 1 to 16 segments joined by {@code /}, such as {@code orders/42}.
 *
 * <p>A segment is 1 to 128 characters of Unicode letters, digits and {@code . _ ~ @ + -}, and is not {@code .} or {@code
 * ..}; the whole is at most 512 bytes of UTF-8 and case-sensitive. The first segment is the <b>partition</b>; a segment
 * that starts with {@code _} names a satellite.
 *
 * <p>The shard and the event loop of an address follow from its text alone, by a fixed mix, and never change.
 */
public final class MeshAddress implements Comparable<MeshAddress> {

    /** Shards of a role, a power of two; fixed for the lifetime of a cluster. */
    public static final int SHARDS = 1024;

    /** The most segments an address has. */
    public static final int MAX_SEGMENTS = 16;

    /** The most characters (code points) a segment has. */
    public static final int MAX_SEGMENT_LENGTH = 128;

    /** The most bytes of UTF-8 an address has. */
    public static final int MAX_BYTES = 512;

    private static final int MAX_SHOWN = 80;

    private final String text;
    private final long mix;

    private MeshAddress(String text) {
        this.text = text;
        this.mix = mixOf(text);
    }

    /**
     * Reads an address.
     *
     * @throws Rejected with the position of the fault (counted in characters from 0) when the text is no address
     */
    public static MeshAddress of(String text) {
        int segmentStart = 0;
        int segments = 1;
        int codePoints = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (c == '/') {
                checkSegment(text, segmentStart, i);
                segments++;
                if (segments > MAX_SEGMENTS) {
                    throw fault(text, i, "has more than " + MAX_SEGMENTS + " segments");
                }
                segmentStart = i + 1;
                codePoints = 0;
            } else if (!isAllowed(c)) {
                throw fault(text, i, "has a character that no address may hold, " + describe(c));
            } else if (++codePoints > MAX_SEGMENT_LENGTH) {
                throw fault(text, i, "has a segment of more than " + MAX_SEGMENT_LENGTH + " characters");
            }
            i += Character.charCount(c);
        }
        checkSegment(text, segmentStart, text.length());
        // Three bytes a character is the most that UTF-8 takes for one char, so short texts need no encoding.
        if (text.length() * 3 > MAX_BYTES) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                throw fault(text, text.length(), "is " + bytes + " bytes long, more than " + MAX_BYTES);
            }
        }
        return new MeshAddress(text);
    }

    private static void checkSegment(String text, int start, int end) {
        if (start == end) {
            throw fault(text, start, text.isEmpty() ? "is empty" : "has an empty segment");
        }
        boolean dot = text.charAt(start) == '.';
        if (dot && (end - start == 1 || (end - start == 2 && text.charAt(start + 1) == '.'))) {
            throw fault(text, start, "has a segment '" + text.substring(start, end) + "'");
        }
    }

    private static boolean isAllowed(int c) {
        if (c < 128) {
            return (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "._~@+-".indexOf(c) >= 0;
        }
        return Character.isLetter(c) || Character.isDigit(c);
    }

    private static String describe(int c) {
        String hex = String.format("U+%04X", c);
        return Character.isISOControl(c) || !Character.isDefined(c)
                ? hex
                : "'" + Character.toString(c) + "' (" + hex + ")";
    }

    private static Rejected fault(String text, int position, String what) {
        String shown = text;
        if (text.length() > MAX_SHOWN) {
            // Not between the two halves of one character.
            int cut = MAX_SHOWN - 3;
            shown = text.substring(0, Character.isHighSurrogate(text.charAt(cut - 1)) ? cut - 1 : cut) + "...";
        }
        return Rejected.address(shown, position, "Address '" + shown + "' " + what + " at position " + position);
    }

    /** The first segment. */
    public String partition() {
        int slash = text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    /** The last segment. */
    public String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /** All segments, from the partition to the name. */
    public List<String> segments() {
        List<String> segments = new ArrayList<>(4);
        int start = 0;
        for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', start)) {
            segments.add(text.substring(start, slash));
            start = slash + 1;
        }
        segments.add(text.substring(start));
        return List.copyOf(segments);
    }

    /** The address one segment up; empty for a partition. */
    public Optional<MeshAddress> parent() {
        int slash = text.lastIndexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(new MeshAddress(text.substring(0, slash)));
    }

    /**
     * The address one segment down.
     *
     * @throws Rejected when the result is no address
     */
    public MeshAddress child(String segment) {
        int slash = segment.indexOf('/');
        if (slash >= 0) {
            String whole = text + "/" + segment;
            throw fault(whole, text.length() + 1 + slash, "has more than one segment below '" + text + "',");
        }
        return of(text + "/" + segment);
    }

    /** Whether this address lies below the other, at any depth; no address lies below itself. */
    public boolean isBelow(MeshAddress ancestor) {
        return text.length() > ancestor.text.length()
                && text.charAt(ancestor.text.length()) == '/'
                && text.startsWith(ancestor.text);
    }

    /** The shard of this address, from 0 to {@link #SHARDS} - 1. */
    public int shard() {
        return (int) mix & (SHARDS - 1);
    }

    /** The hub loop of this address on a node with so many, from 0 to {@code loops} - 1; independent of the shard. */
    public int loop(int loops) {
        return Integer.remainderUnsigned((int) (mix >>> 32), loops);
    }

    // FNV-1a over the chars, then the 64-bit finalizer of MurmurHash3: alike on every machine and JVM.
    private static long mixOf(String text) {
        long h = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * 0x100000001b3L;
        }
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }

    @Override
    public int compareTo(MeshAddress other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MeshAddress that && mix == that.mix && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return (int) (mix >>> 16);
    }

    /** The text of the address, as it was read. */
    @Override
    public String toString() {
        return text;
    }
}
