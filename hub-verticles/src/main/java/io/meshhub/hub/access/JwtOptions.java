package io.meshhub.hub.access;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How JSON Web Tokens are checked.
 *
 * @param key a public key in PEM, or the secret of an HMAC
 * @param algorithm as the specification names it
 * @param issuer who must have issued them
 * @param audience for whom they must be meant
 * @param leeway by how much the clocks of issuer and node may differ; whole seconds count
 * @param roleClaim the claim with the roles, a list or a text of names with spaces between; members of members with dots
 *     between
 * @param by how a token names its principal
 */
public record JwtOptions(
        String key, String algorithm, String issuer, String audience, Duration leeway, String roleClaim, By by) {

    /** How a token names its principal. */
    public enum By {
        /** The claim {@code sub} is his name. */
        SUBJECT,
        /** The identity whose id is the claim {@code sub} says his name. */
        ID,
        /** The identity that has the claim {@code email} says his name; the issuer must have verified the address. */
        EMAIL
    }

    /** Where the subject is the principal. */
    public JwtOptions(String key, String algorithm, String issuer, String audience, Duration leeway, String roleClaim) {
        this(key, algorithm, issuer, audience, leeway, roleClaim, By.SUBJECT);
    }

    /** The algorithms with a secret. */
    public static final Set<String> SECRET_ALGORITHMS = Set.of("HS256", "HS384", "HS512");

    /** The algorithms with a key pair. */
    public static final Set<String> KEY_ALGORITHMS = Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512");

    /** The shortest secret, in characters: as many bytes as the hash of HS256 has. */
    public static final int MIN_SECRET = 32;

    private static final int MAX_KEY_BYTES = 64 * 1024;

    /**
     * Reads a key, or a secret without the white space around it.
     *
     * @throws IllegalArgumentException when it cannot be read, or cannot be one for the algorithm; never says what it holds
     */
    public static String readKey(Path file, String algorithm) {
        String text;
        try {
            if (Files.size(file) > MAX_KEY_BYTES) {
                throw new IllegalArgumentException("is larger than " + MAX_KEY_BYTES + " bytes");
            }
            text = Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("does not exist", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
        if (SECRET_ALGORITHMS.contains(algorithm)) {
            if (text.length() < MIN_SECRET) {
                throw new IllegalArgumentException(
                        "has " + text.length() + " characters; a secret has at least " + MIN_SECRET);
            }
        } else if (!text.startsWith("-----BEGIN PUBLIC KEY-----") && !text.startsWith("-----BEGIN CERTIFICATE-----")) {
            throw new IllegalArgumentException("is no public key in PEM");
        }
        return text;
    }

    @Override
    public String toString() {
        return "JwtOptions[" + algorithm + ", issuer=" + issuer + ", audience=" + audience + "]";
    }
}
