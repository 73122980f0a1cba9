package io.meshhub.hub.launcher.client;

import io.meshhub.hub.activity.Activities;
import io.meshhub.routing.MeshAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an import says of its file before it begins.
 *
 * @param activity the address of its activity: the partition of the first line that is a node, and the fingerprint of all
 *     bytes
 * @param lines how many lines the file has
 */
record ImportFingerprint(MeshAddress activity, long lines) {

    /** The hex digits of a fingerprint: {@value}. */
    static final int DIGITS = 12;

    /**
     * Reads a file to its end; empty where it can be read only once, such as standard input, and where no line of it is a
     * node.
     *
     * @param file a path; {@code -} is standard input
     */
    static Optional<ImportFingerprint> of(String file, int maxLineBytes) throws IOException {
        if (file.equals("-") || !Files.isRegularFile(Path.of(file))) {
            return Optional.empty();
        }
        MessageDigest digest = sha256();
        MeshAddress first = null;
        long count = 0;
        try (InputStream in = new DigestInputStream(Files.newInputStream(Path.of(file)), digest);
                ImportLines lines = new ImportLines(in, maxLineBytes)) {
            for (ImportLines.Line line = lines.next(); line != null; line = lines.next()) {
                count = line.number();
                first = first == null ? addressOf(line) : first;
            }
        }
        String hex = HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        long total = count;
        return Optional.ofNullable(first)
                .map(node -> new ImportFingerprint(Activities.importAddress(node.partition(), hex), total));
    }

    private static @Nullable MeshAddress addressOf(ImportLines.Line line) {
        return ImportLine.parse(line) instanceof ImportLine.Node node ? node.address() : null;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
