package io.meshhub.hub.launcher;

import io.meshhub.hub.access.JwtOptions;
import io.meshhub.hub.access.Tokens;
import io.meshhub.hub.access.TokensFile;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/** The rules of the section {@code security} of {@link MeshHubSettings}, and what its files hold. */
final class SecurityRules {

    private SecurityRules() {}

    static boolean isEnforced(MeshHubSettings settings) {
        return settings.security().mode() == SecuritySettings.Mode.ENFORCED;
    }

    static Optional<String> openToOthers(MeshHubSettings settings) {
        return isEnforced(settings) || isLoopback(settings.http().host())
                ? Optional.empty()
                : Optional.of(
                        "must be an address that only this machine reaches, such as 127.0.0.1, where security.mode is"
                                + " open: set security.mode to enforced, with tokens");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // Whoever it is, it is not known to be this machine alone.
            return false;
        }
    }

    static Optional<String> closedToAll(MeshHubSettings settings) {
        SecuritySettings security = settings.security();
        boolean anybody = security.tokensFile().isPresent()
                || security.jwt().publicKeyFile().isPresent()
                || security.jwt().secretFile().isPresent();
        return anybody || !isEnforced(settings)
                ? Optional.empty()
                : Optional.of(
                        "must name who may come in where it is enforced: a file of tokens, or a key of JSON Web Tokens");
    }

    static Optional<String> tokensFault(MeshHubSettings settings) {
        try {
            tokens(settings);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("must be a file of tokens, and it is not: " + e.getMessage());
        }
    }

    /**
     * The tokens of the file; none without one.
     *
     * @throws IllegalArgumentException when it is no file of tokens
     */
    static Tokens tokens(MeshHubSettings settings) {
        return settings.security().tokensFile().map(TokensFile::read).orElse(Tokens.NONE);
    }

    static Optional<String> jwtFault(MeshHubSettings settings) {
        try {
            jwt(settings);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("must fit together: " + e.getMessage());
        }
    }

    /**
     * How JSON Web Tokens are checked; empty where none is taken.
     *
     * @throws IllegalArgumentException when the settings do not fit together, or the key cannot be read; says which and why
     */
    static Optional<JwtOptions> jwt(MeshHubSettings settings) {
        SecuritySettings.Jwt jwt = settings.security().jwt();
        Optional<Path> key = jwt.publicKeyFile();
        Optional<Path> secret = jwt.secretFile();
        if (key.isEmpty() && secret.isEmpty()) {
            if (jwt.algorithm().isPresent()
                    || jwt.issuer().isPresent()
                    || jwt.audience().isPresent()) {
                throw new IllegalArgumentException(
                        "they need security.jwt.public-key-file or security.jwt.secret-file");
            }
            return Optional.empty();
        }
        if (key.isPresent() && secret.isPresent()) {
            throw new IllegalArgumentException("a public key and a secret exclude each other");
        }
        if (jwt.issuer().isEmpty() || jwt.audience().isEmpty()) {
            throw new IllegalArgumentException("security.jwt.issuer and security.jwt.audience must be set with a key");
        }
        if (jwt.leeway().toMillis() % 1000 != 0) {
            throw new IllegalArgumentException("security.jwt.leeway must be whole seconds");
        }
        String algorithm = jwt.algorithm().orElse(key.isPresent() ? "RS256" : "HS256");
        boolean fits = (key.isPresent() ? JwtOptions.KEY_ALGORITHMS : JwtOptions.SECRET_ALGORITHMS).contains(algorithm);
        if (!fits) {
            throw new IllegalArgumentException("security.jwt.algorithm = " + algorithm + " is none for a "
                    + (key.isPresent() ? "public key" : "secret"));
        }
        Path file = key.or(() -> secret).orElseThrow();
        String read;
        try {
            read = JwtOptions.readKey(file, algorithm);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + file + "' " + e.getMessage(), e);
        }
        return Optional.of(new JwtOptions(
                read,
                algorithm,
                jwt.issuer().get(),
                jwt.audience().get(),
                jwt.leeway(),
                jwt.roleClaim(),
                jwt.principal()));
    }
}
