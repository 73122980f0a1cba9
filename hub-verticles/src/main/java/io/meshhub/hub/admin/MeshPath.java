package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the address out of the path of a request.
 *
 * <p>The path is taken as it was sent: nothing is normalized before it is checked, so {@code a//b}, {@code a/../b} and a
 * trailing slash are faults of the address, with their position, and never another address.
 */
final class MeshPath {

    static final String ROOT = "/mesh";
    static final String PREFIX = ROOT + "/";

    private MeshPath() {}

    /**
     * The address behind {@link #PREFIX}.
     *
     * @throws Rejected with the position of the fault in the decoded address
     */
    static MeshAddress address(String rawPath) {
        if (!rawPath.startsWith(PREFIX)) {
            throw fault(rawPath, 0, "does not begin with '" + PREFIX + "'");
        }
        return MeshAddress.of(decode(rawPath.substring(PREFIX.length())));
    }

    private static String decode(String raw) {
        StringBuilder decoded = new StringBuilder(raw.length());
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i);
            if (c == '%') {
                int end = i;
                while (end < raw.length() && raw.charAt(end) == '%') {
                    end += 3;
                }
                decodeRun(raw, i, end, decoded);
                i = end;
            } else if (c >= 128) {
                throw fault(raw, decoded.length(), "has a character beyond ASCII that is not percent-encoded");
            } else {
                decoded.append(c);
                i++;
            }
        }
        return decoded.toString();
    }

    // One run of encoded bytes is decoded as a whole: a character takes up to four of them.
    private static void decodeRun(String raw, int start, int end, StringBuilder decoded) {
        byte[] bytes = new byte[(end - start) / 3];
        for (int i = start; i < end; i += 3) {
            int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
            int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw fault(raw, decoded.length(), "has a '%' that is not followed by two hex digits");
            }
            bytes[(i - start) / 3] = (byte) (high << 4 | low);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw fault(raw, decoded.length(), "has percent-encoded bytes that are not UTF-8");
        }
        int slash = text.indexOf('/');
        if (slash >= 0) {
            throw fault(raw, decoded.length() + slash, "has an encoded slash (%2F), which no segment may hold,");
        }
        decoded.append(text);
    }

    private static Rejected fault(String raw, int position, String what) {
        String shown = raw.length() <= 80 ? raw : raw.substring(0, 77) + "...";
        return Rejected.address(shown, position, "Address '" + shown + "' " + what + " at position " + position);
    }
}
