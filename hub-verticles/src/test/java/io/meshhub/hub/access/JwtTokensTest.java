package io.meshhub.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which JSON Web Tokens hold, and whose they are. */
@Timeout(30)
class JwtTokensTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private final JwtTokens tokens = tokens(SECRET, "HS256", Duration.ofSeconds(30), "roles");

    @AfterAll
    static void close() {
        VERTX.close().await();
    }

    private static JwtTokens tokens(String key, String algorithm, Duration leeway, String claim) {
        return new JwtTokens(
                VERTX, new JwtOptions(key, algorithm, "the-issuer", "meshhub", leeway, claim), Whose.NOBODY_SAYS);
    }

    private static JsonObject claims() {
        return new JsonObject()
                .put("sub", "ann@example.org")
                .put("iss", "the-issuer")
                .put("aud", "meshhub")
                .put("exp", Instant.now().plusSeconds(600).getEpochSecond())
                .put("roles", new JsonArray().add("viewer").add("editor"));
    }

    private static String signed(String key, String algorithm, JsonObject claims) {
        return JWTAuth.create(
                        VERTX,
                        new JWTAuthOptions()
                                .addPubSecKey(new PubSecKeyOptions()
                                        .setAlgorithm(algorithm)
                                        .setBuffer(key)))
                .generateToken(claims, new JWTOptions().setAlgorithm(algorithm));
    }

    private static String token(Consumer<JsonObject> change) {
        JsonObject claims = claims();
        change.accept(claims);
        return signed(SECRET, "HS256", claims);
    }

    private BadToken.Why refusal(String token) {
        Future<Principal> asked = tokens.authenticate(token);
        assertThat(asked.failed()).as("%s", asked.result()).isTrue();
        assertThat(asked.cause()).isInstanceOf(BadToken.class);
        assertThat(asked.cause().getMessage()).doesNotContain(token);
        return ((BadToken) asked.cause()).why();
    }

    @Test
    void theSubjectIsThePrincipalAndTheClaimHasTheRoles() {
        assertThat(tokens.authenticate(token(claims -> {})).await())
                .isEqualTo(Principal.of("ann@example.org", Set.of("viewer", "editor")));
        assertThat(tokens.authenticate(token(claims -> claims.remove("roles")))
                        .await()
                        .roles())
                .isEmpty();
        assertThat(tokens.authenticate(token(claims -> claims.put("roles", "viewer  operator")))
                        .await()
                        .roles())
                .containsExactlyInAnyOrder("viewer", "operator");
    }

    @Test
    void aClaimMayLieInAnObject() {
        JwtTokens nested = tokens(SECRET, "HS256", Duration.ZERO, "realm_access.roles");
        String token = token(claims ->
                claims.put("realm_access", new JsonObject().put("roles", new JsonArray().add("admin"))));
        assertThat(nested.authenticate(token).await().roles()).containsExactly("admin");
    }

    @Test
    void oneThatHasExpiredIsRefusedBeyondTheLeeway() {
        long now = Instant.now().getEpochSecond();
        assertThat(refusal(token(claims -> claims.put("exp", now - 60)))).isEqualTo(BadToken.Why.EXPIRED);
        assertThat(tokens.authenticate(token(claims -> claims.put("exp", now - 5)))
                        .succeeded())
                .isTrue();
    }

    @Test
    void oneOfAnotherIssuerOrAudienceOrSignatureIsRefused() {
        assertThat(refusal(token(claims -> claims.put("iss", "another")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.remove("iss")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.put("aud", "another")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.remove("aud")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(signed("another secret of the same length", "HS256", claims())))
                .isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(signed(SECRET, "HS512", claims()))).isEqualTo(BadToken.Why.INVALID);
    }

    @Test
    void oneWithoutEndOrSubjectOrWithABrokenClaimIsRefused() {
        assertThat(refusal(token(claims -> claims.remove("exp")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.remove("sub")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.put("sub", "mesh:node-1")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.put("sub", "two words")))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.put("roles", new JsonArray().add(7)))))
                .isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(token(claims -> claims.put("roles", 7)))).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal("a.b.c")).isEqualTo(BadToken.Why.INVALID);
    }

    @Test
    void oneWithoutASignatureIsRefused() {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String header = encoder.encodeToString("{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
        String body = encoder.encodeToString(claims().encode().getBytes(StandardCharsets.UTF_8));
        assertThat(refusal(header + "." + body + ".")).isEqualTo(BadToken.Why.INVALID);
        assertThat(refusal(header + "." + body + ".AAAA")).isEqualTo(BadToken.Why.INVALID);
    }

    @Test
    void aKeyPairIsCheckedByItsPublicHalfWhichSignsNothing() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        String open = pem("PUBLIC KEY", pair.getPublic().getEncoded());
        JwtTokens byKey = tokens(open, "RS256", Duration.ZERO, "roles");
        String token = signed(pem("PRIVATE KEY", pair.getPrivate().getEncoded()), "RS256", claims());
        assertThat(byKey.authenticate(token).await().name()).isEqualTo("ann@example.org");
        // The old trick: the public key as the secret of an HMAC.
        assertThat(byKey.authenticate(signed(open, "HS256", claims())).failed()).isTrue();
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + kind
                + "-----";
    }

    /** Looks up by the directory that answers so, and keeps what it was asked. */
    private JwtTokens by(JwtOptions.By by, Future<Lookup> answer, List<Key> asked) {
        JwtOptions options = new JwtOptions(SECRET, "HS256", "the-issuer", "meshhub", Duration.ZERO, "roles", by);
        return new JwtTokens(VERTX, options, key -> {
            asked.add(key);
            return answer;
        });
    }

    @Test
    void theDirectorySaysWhoItIsByIdOrByAVerifiedAddress() {
        List<Key> asked = new ArrayList<>();
        Future<Lookup> ann = Future.succeededFuture(new Lookup.Found("ann"));
        Principal expected = Principal.of("ann", Set.of("viewer", "editor"));
        String verified = token(claims -> claims.put("email", "Ann@example.org").put("email_verified", true));

        assertThat(by(JwtOptions.By.ID, ann, asked).authenticate(verified).await())
                .isEqualTo(expected);
        assertThat(by(JwtOptions.By.EMAIL, ann, asked).authenticate(verified).await())
                .isEqualTo(expected);
        assertThat(asked).containsExactly(Key.id("ann@example.org"), Key.email("Ann@example.org"));
    }

    @Test
    void anAddressThatTheIssuerDidNotVerifyIsNobodys() {
        List<Key> asked = new ArrayList<>();
        JwtTokens byEmail = by(JwtOptions.By.EMAIL, Future.succeededFuture(new Lookup.Found("ann")), asked);
        List<Consumer<JsonObject>> unverified = List.of(
                claims -> {},
                claims -> claims.put("email", "ann@example.org"),
                claims -> claims.put("email", "ann@example.org").put("email_verified", false),
                claims -> claims.put("email", "ann@example.org").put("email_verified", "true"),
                claims -> claims.put("email", 7).put("email_verified", true));

        assertThat(unverified)
                .allSatisfy(change -> assertThat(byEmail.authenticate(token(change)))
                        .satisfies(refused -> assertThat(await(refused))
                                .isInstanceOfSatisfying(
                                        BadToken.class,
                                        bad -> assertThat(bad.why()).isEqualTo(BadToken.Why.INVALID))));
        assertThat(asked).isEmpty();
    }

    /** P5: only a directory that knows all of them says that there is nobody. */
    @Test
    void nobodyIsAStrangerBeforeTheDirectorySaysSo() {
        List<Key> asked = new ArrayList<>();
        Lookup stalled = new Lookup.Unavailable(List.of("inventory"), "it stalls");

        assertThat(await(by(JwtOptions.By.ID, Future.succeededFuture(new Lookup.Unknown()), asked)
                        .authenticate(token(claims -> {}))))
                .isInstanceOfSatisfying(
                        BadToken.class, bad -> assertThat(bad.why()).isEqualTo(BadToken.Why.STRANGER));
        assertThat(await(by(JwtOptions.By.ID, Future.succeededFuture(stalled), asked)
                        .authenticate(token(claims -> {}))))
                .isInstanceOfSatisfying(
                        NobodySaid.class, open -> assertThat(open.why()).isEqualTo(stalled));
        assertThat(await(by(JwtOptions.By.ID, Future.failedFuture("broken"), asked)
                        .authenticate(token(claims -> {}))))
                .isInstanceOf(NobodySaid.class);
    }

    private static @Nullable Throwable await(Future<?> asked) {
        return asked.<Throwable>transform((result, cause) -> Future.succeededFuture(cause))
                .await();
    }
}
