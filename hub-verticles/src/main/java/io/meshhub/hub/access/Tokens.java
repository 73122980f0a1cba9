package io.meshhub.hub.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The bearer tokens that a node knows, by their hashes: it never holds a token itself. */
public final class Tokens {

    /** None. */
    public static final Tokens NONE = new Tokens(List.of());

    private final List<Entry> entries;

    /** One token: whose it is, and its SHA-256 in lower-case hex. */
    record Entry(Principal principal, String sha256) {}

    Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** How many there are. */
    public int size() {
        return entries.size();
    }

    /** Whose token it is. It takes the same time for all tokens of one length, whether one is known or not. */
    Optional<Principal> find(String token) {
        byte[] hash = hash(token).getBytes(StandardCharsets.US_ASCII);
        Optional<Principal> found = Optional.empty();
        // To the end: where the match stands must not show in the time.
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(hash, entry.sha256().getBytes(StandardCharsets.US_ASCII))) {
                found = Optional.of(entry.principal());
            }
        }
        return found;
    }

    /** The hash of a token as it stands in the file, in lower-case hex. */
    public static String hash(String token) {
        return HexFormat.of().formatHex(sha256(token));
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
