package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Setting;
import io.meshhub.hub.access.JwtOptions;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Section {@code security} of the settings: who comes, and whether that is asked. */
public interface SecuritySettings {

    /** The mode. */
    @Setting(
            "Whether callers have to say who they are: open lets everybody do everything and needs an http.host that only"
                    + " this machine reaches, enforced asks for a bearer token with roles.")
    @WithDefault("open")
    Mode mode();

    /** The tokens. */
    @Setting(
            value =
                    "YAML or JSON file of the bearer tokens: a list of name, token-sha256 (64 hex digits) and roles. Read"
                            + " at the start; alike on all nodes.",
            absent = "no such tokens")
    Optional<Path> tokensFile();

    /** JSON Web Tokens. */
    Jwt jwt();

    /** Whether callers have to say who they are. */
    enum Mode {
        /** Nobody has to, and everybody may do everything. */
        OPEN,
        /** Everybody has to, and may do what his roles permit. */
        ENFORCED
    }

    /** Section {@code security.jwt}. */
    interface Jwt {
        /** The key. */
        @Setting(
                value =
                        "File with the public key of the issuer, in PEM, where JSON Web Tokens are signed with a key pair.",
                absent = "none")
        Optional<Path> publicKeyFile();

        /** The secret. */
        @Setting(
                value = "File with the secret where they are signed with one; at least 32 characters.",
                absent = "none")
        Optional<Path> secretFile();

        /** The algorithm. */
        @Setting(
                value = "The one algorithm that is taken: RS256, RS384, RS512, ES256, ES384 or ES512 with"
                        + " security.jwt.public-key-file, HS256, HS384 or HS512 with security.jwt.secret-file.",
                pattern = "(RS|ES|HS)(256|384|512)",
                patternRule = "an algorithm such as RS256",
                absent = "RS256 with a public key, HS256 with a secret")
        Optional<String> algorithm();

        /** The issuer. */
        @Setting(value = "Who must have issued them (claim iss); must be set where a key is.", absent = "none")
        Optional<String> issuer();

        /** The audience. */
        @Setting(value = "For whom they must be meant (claim aud); must be set where a key is.", absent = "none")
        Optional<String> audience();

        /** The leeway. */
        @Setting(
                value = "By how much the clocks of issuer and node may differ, in whole seconds.",
                min = "0s",
                max = "10m")
        @WithDefault("30s")
        Duration leeway();

        /** The roles. */
        @Setting(
                value = "The claim with the roles, a list or a text of names; a dot leads into an object.",
                pattern = "[^\\s]{1,200}",
                patternRule = "the name of a claim")
        @WithDefault("roles")
        String roleClaim();

        /** The principal. */
        @Setting("How a token names its principal: subject takes the claim sub for his name; id looks sub up among the"
                + " identities below _control/_Identity, email the claim email, which must be verified there"
                + " (claim email_verified).")
        @WithDefault("subject")
        JwtOptions.By principal();
    }
}
