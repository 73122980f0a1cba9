package io.meshhub.hub.access;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks JSON Web Tokens: their subject is the principal, or leads to him by the directory; one claim holds the roles. One
 * that never expires is refused.
 */
final class JwtTokens {

    private final JWTAuth auth;
    private final JwtOptions options;
    private final Whose whose;

    /**
     * A check.
     *
     * @param whose the directory, where tokens name an id or an e-mail address
     * @throws IllegalArgumentException when the key cannot be used; says so without it
     */
    JwtTokens(Vertx vertx, JwtOptions options, Whose whose) {
        this.options = options;
        this.whose = whose;
        JWTOptions expected = new JWTOptions()
                .setAlgorithm(options.algorithm())
                .setIssuer(options.issuer())
                .setAudience(List.of(options.audience()))
                .setLeeway((int) options.leeway().toSeconds());
        try {
            this.auth = JWTAuth.create(
                    vertx,
                    new JWTAuthOptions()
                            .setJWTOptions(expected)
                            .addPubSecKey(new PubSecKeyOptions()
                                    .setAlgorithm(options.algorithm())
                                    .setBuffer(options.key())));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "The key of security.jwt cannot be used with " + options.algorithm() + ": "
                            + e.getClass().getSimpleName(),
                    e);
        }
    }

    /** Whose token it is; fails with {@link BadToken}, or with {@link NobodySaid} where the directory could not say. */
    Future<Principal> authenticate(String token) {
        Future<User> checked;
        try {
            checked = auth.authenticate(new TokenCredentials(token));
        } catch (RuntimeException e) {
            return Future.failedFuture(refusal(e));
        }
        return checked.transform((user, cause) -> {
            if (cause != null) {
                return Future.failedFuture(refusal(cause));
            }
            try {
                return principal(user);
            } catch (RuntimeException e) {
                return Future.failedFuture(refusal(e));
            }
        });
    }

    private static BadToken refusal(Throwable cause) {
        if (cause instanceof BadToken known) {
            return known;
        }
        boolean expired =
                String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("expired");
        return expired
                ? new BadToken(BadToken.Why.EXPIRED, "The token has expired")
                : new BadToken(BadToken.Why.INVALID, "The token does not hold");
    }

    private Future<Principal> principal(User user) {
        if (!(user.get("exp") instanceof Number)) {
            throw new BadToken(BadToken.Why.INVALID, "The token never expires, which is not taken");
        }
        if (!options.issuer().equals(user.get("iss")) || !isMeant(user.get("aud"))) {
            throw new BadToken(BadToken.Why.INVALID, "The token is of another issuer, or for another audience");
        }
        if (!(user.get("sub") instanceof String subject)) {
            throw new BadToken(BadToken.Why.INVALID, "The token has no subject");
        }
        Set<String> roles = roles(user);
        return switch (options.by()) {
            case SUBJECT -> Future.succeededFuture(Principal.of(subject, roles));
            case ID -> named(Key.id(subject), roles);
            case EMAIL -> named(Key.email(email(user)), roles);
        };
    }

    // Whoever may choose his address at the issuer would else choose who he is here.
    private static String email(User user) {
        if (user.get("email") instanceof String email && Boolean.TRUE.equals(user.get("email_verified"))) {
            return email;
        }
        throw new BadToken(BadToken.Why.INVALID, "The token has no e-mail address that its issuer verified");
    }

    private Future<Principal> named(Key key, Set<String> roles) {
        Future<Lookup> asked;
        try {
            asked = whose.find(key);
        } catch (RuntimeException e) {
            asked = Future.failedFuture(e);
        }
        return asked.transform((found, cause) -> {
            if (found instanceof Lookup.Found known) {
                return Future.succeededFuture(Principal.of(known.principal(), roles));
            }
            if (found instanceof Lookup.Unknown) {
                return Future.failedFuture(
                        new BadToken(BadToken.Why.STRANGER, "The directory knows nobody of this token"));
            }
            return Future.failedFuture(new NobodySaid(
                    found instanceof Lookup.Unavailable why
                            ? why
                            : new Lookup.Unavailable(List.of(), "the look-up failed: " + cause)));
        });
    }

    private boolean isMeant(@Nullable Object audience) {
        return audience instanceof JsonArray all
                ? all.contains(options.audience())
                : options.audience().equals(audience);
    }

    private Set<String> roles(User user) {
        String[] path = options.roleClaim().split("\\.", -1);
        Object claim = user.get(path[0]);
        for (int i = 1; i < path.length; i++) {
            claim = claim instanceof JsonObject object ? object.getValue(path[i]) : null;
        }
        Set<String> roles = new TreeSet<>();
        if (claim instanceof String text) {
            roles.addAll(List.of(text.strip().split("\\s+", -1)));
            roles.remove("");
        } else if (claim instanceof JsonArray names) {
            for (Object name : names) {
                if (!(name instanceof String role)) {
                    throw new BadToken(BadToken.Why.INVALID, "A role of the token is no text");
                }
                roles.add(role);
            }
        } else if (claim != null) {
            throw new BadToken(BadToken.Why.INVALID, "The roles of the token are no list");
        }
        return roles;
    }
}
