package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import dev.parley.testkit.TestClock;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectUrlsTest {
    private static final byte[] SECRET = "one secret of thirty-two bytes or more".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OTHER = "another secret of 32 bytes or a bit more".getBytes(StandardCharsets.UTF_8);
    private static final Instant NOW = Instant.parse("2026-03-15T10:00:00Z");
    private static final TestClock CLOCK = TestClock.at(NOW);
    private static final ObjectKey KEY = new ObjectKey("agent-files", "agent-inputs/u/t/r/img.jpg");
    private static final UrlTokens TOKENS = new UrlTokens(List.of(SECRET), CLOCK);
    private static final ObjectUrls URLS = new ObjectUrls(TOKENS, () -> URI.create("https://chat.example"));

    @Test
    void urlHasTheFormThatClientsKnow() {
        String url = URLS.temporary(KEY, Duration.ofHours(1));
        assertThat(url)
                .startsWith(
                        "https://chat.example/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg?token=");
        assertThat(URLS.parseSignedUrl(url)).contains(KEY);
        assertThat(URLS.withoutToken(url)).contains("agent-files/agent-inputs/u/t/r/img.jpg");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b.png", "这张图.png", "😀.png", "a#b.png", "a?b=c&d.png", "100%.png", "a%23b", "a+b", "é'()!*"})
    void everyNameIsReadBackFromItsUrl(String name) {
        ObjectKey key = new ObjectKey("agent-files", "agent-inputs/u/" + name);
        assertThat(URLS.parseSignedUrl(URLS.temporary(key, Duration.ofHours(1))))
                .contains(key);
    }

    /** The storage client encodes paths with JavaScript's encodeURI. */
    @ParameterizedTest
    @ValueSource(strings = {"a b.png", "这张图.png", "a#b.png", "a?b.png", "100%.png", "a%23b"})
    void everyNameIsReadBackFromTheStorageClientsUrl(String name) {
        ObjectKey key = new ObjectKey("agent-files", "agent-inputs/u/" + name);
        String given = URLS.temporaryForClient(key, Duration.ofHours(1));
        String encoded = given.replace("%", "%25").replace(" ", "%20").replace("这张图", "%E8%BF%99%E5%BC%A0%E5%9B%BE");
        assertThat(URLS.parseSignedUrl("https://chat.example/storage/v1" + encoded))
                .contains(key);
    }

    static Stream<String> hostile() throws JOSEException {
        String token = TOKENS.forReading(KEY, Duration.ofHours(1));
        String good =
                "https://chat.example/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg?token=" + token;
        String form = "https://chat.example/storage/v1/object/sign/";
        String t = "?token=" + token;
        String[] jwt = token.split("\\.");
        return Stream.of(
                "",
                " ",
                "agent-files/agent-inputs/u/t/r/img.jpg",
                "/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg" + t,
                "https://xxx.supabase.co/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg?token=xxx",
                "https://storage.example.com/agent-inputs/user-123/image.png?signature=xxx",
                // Other addresses, and other ways to write ours.
                good.replace("https:", "http:"),
                good.replace("https://chat.example", "https://evil.example"),
                good.replace("chat.example", "chat.example.evil"),
                good.replace("chat.example", "chat.example@evil.example"),
                good.replace("chat.example", "evil@chat.example"),
                good.replace("chat.example", "chat.example:8443"),
                good.replace("chat.example", "chat.example%2eevil"),
                good.replace("chat.example", "chat。example"),
                good.replace("https://", "https:\\\\"),
                good.replace("https://", "//"),
                good.replace("https://", "file://"),
                good.replace("https://", "javascript://"),
                " " + good,
                good + " ",
                good + "\n",
                good.replace("chat", "ch\tat"),
                // Addresses of other operations.
                good.replace("/object/sign/", "/object/"),
                good.replace("/object/sign/", "/object/public/"),
                good.replace("/object/sign/", "/object/upload/sign/"),
                good.replace("/object/sign/", "//object/sign/"),
                good.replace("/storage/", "/Storage/"),
                good.replace("/storage/v1", "/x/../storage/v1"),
                good.replace("/storage/v1", "/storage/v2"),
                good + "#fragment",
                good + "&download=",
                good + "&token=" + token,
                good.replace("?token=", "?x=1&token="),
                good.replace("?token=", "?Token="),
                good.replace("?token=", "?"),
                good.replace("?token=", "#token="),
                form + "agent-files/agent-inputs/u/t/r/img.jpg",
                form + "agent-files/agent-inputs/u/t/r/img.jpg?token=",
                // Other objects, and other spellings of this one.
                form + "agent-files/agent-inputs/u/t/r/other.jpg" + t,
                form + "agent-files/agent-inputs/v/t/r/img.jpg" + t,
                form + "other-files/agent-inputs/u/t/r/img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/x/../img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/x/%2e%2e/img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/./img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r//img.jpg" + t,
                form + "agent-files//agent-inputs/u/t/r/img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r%2Fimg.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r%2fimg.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r%5Cimg.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r\\img.jpg" + t,
                form + "agent-files%2Fagent-inputs/u/t/r/img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/img%252ejpg" + t,
                form + "agent-files/agent-inputs/u/t/r/%2569mg.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/img.jpg%00" + t,
                form + "agent-files/agent-inputs/u/t/r/img.jpg%00.png" + t,
                form + "agent-files/agent-inputs/u/t/r/img.jpg%0a" + t,
                form + "agent-files/agent-inputs/u/t/r/img.jpg/" + t,
                form + "agent-files/agent-inputs/u/t/r/IMG.JPG" + t,
                form + "agent-files/agent-inputs/u/t/r/img．jpg" + t,
                form + "agent-files/agent-inputs/u/t∕r/img.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/img%.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/img%c0%ae.jpg" + t,
                form + "agent-files/agent-inputs/u/t/r/%ff.jpg" + t,
                form + "../../agent-files/agent-inputs/u/t/r/img.jpg" + t,
                form + t,
                // Forged, foreign, and expired tokens.
                good + "x",
                good.substring(0, good.length() - 2),
                good.replace(jwt[1], jwt[0]),
                good.replace(token, jwt[0] + "." + jwt[1] + "."),
                good.replace(token, "null"),
                good.replace(token, "a.b.c"),
                good.replace(token, new UrlTokens(List.of(OTHER), CLOCK).forReading(KEY, Duration.ofHours(1))),
                good.replace(token, TOKENS.forReading(KEY, Duration.ZERO)),
                good.replace(token, TOKENS.forReading(KEY, Duration.ofSeconds(-1))),
                good.replace(
                        token,
                        TOKENS.forReading(new ObjectKey("agent-files", "agent-inputs/v/x"), Duration.ofHours(1))),
                good.replace(token, TOKENS.forUpload(KEY, Actor.user(UuidV7.next()), true, Duration.ofHours(1))),
                good.replace(token, new PlainJWT(claims().build()).serialize()),
                good.replace(token, none(jwt[1])),
                good.replace(token, signed(claims().expirationTime(null).build())),
                good.replace(token, signed(claims().claim("purpose", null).build())),
                good.replace(
                        token, signed(claims().claim("purpose", List.of("READ")).build())),
                good.replace(token, signed(claims().claim("url", 7).build())),
                good.replace(token, signed(claims().claim("url", null).build())),
                good.replace(token, signed(claims().claim("url", "agent-files").build())),
                good.replace(
                        token, signed(claims().claim("url", "agent-files/../x").build())));
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .claim("url", KEY.toString())
                .claim("purpose", "READ")
                .expirationTime(Date.from(NOW.plusSeconds(60)));
    }

    private static String signed(JWTClaimsSet claims) throws JOSEException {
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
        token.sign(new MACSigner(SECRET));
        return token.serialize();
    }

    private static String none(String payload) {
        return Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8))
                + "." + payload + ".";
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void hostileUrlIsRefused(String url) {
        assertThat(URLS.parseSignedUrl(url)).isEmpty();
    }

    @Test
    void hostileUrlsAreVariantsOfAValidOne() throws JOSEException {
        String good = "https://chat.example/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg?token=";
        assertThat(URLS.parseSignedUrl(good + signed(claims().build()))).contains(KEY);
        assertThat(hostile().count()).isGreaterThanOrEqualTo(60);
    }

    @Test
    void urlIsValidUntilItExpires() {
        TestClock clock = TestClock.at(NOW);
        ObjectUrls urls =
                new ObjectUrls(new UrlTokens(List.of(SECRET), clock), () -> URI.create("https://chat.example"));
        String url = urls.temporary(KEY, Duration.ofHours(1));
        clock.advance(Duration.ofMinutes(59));
        assertThat(urls.parseSignedUrl(url)).contains(KEY);
        clock.advance(Duration.ofMinutes(1));
        assertThat(urls.parseSignedUrl(url)).isEmpty();
        assertThat(urls.withoutToken(url)).contains(KEY.toString());
    }

    @Test
    void formerSecretStillVerifiesAndNoLongerSigns() {
        ObjectUrls rotated =
                new ObjectUrls(new UrlTokens(List.of(OTHER, SECRET), CLOCK), () -> URI.create("https://chat.example"));
        assertThat(rotated.parseSignedUrl(URLS.temporary(KEY, Duration.ofHours(1))))
                .contains(KEY);
        assertThat(URLS.parseSignedUrl(rotated.temporary(KEY, Duration.ofHours(1))))
                .isEmpty();
    }

    @Test
    void localServerIsAddressedByAllItsNames() {
        ObjectUrls local = new ObjectUrls(TOKENS, () -> URI.create("http://127.0.0.1:8080"));
        String url = local.temporary(KEY, Duration.ofHours(1));
        assertThat(local.parseSignedUrl(url.replace("127.0.0.1", "localhost"))).contains(KEY);
        assertThat(local.parseSignedUrl(url.replace("127.0.0.1", "[::1]"))).contains(KEY);
        assertThat(local.parseSignedUrl(url.replace("8080", "8081"))).isEmpty();
        assertThat(URLS.parseSignedUrl(URLS.temporary(KEY, Duration.ofHours(1)).replace("chat.example", "localhost")))
                .isEmpty();
    }

    @Test
    void serverBelowAPathSignsAndReadsThatPath() {
        ObjectUrls below = new ObjectUrls(TOKENS, () -> URI.create("https://chat.example/parley/"));
        String url = below.temporary(KEY, Duration.ofHours(1));
        assertThat(url).startsWith("https://chat.example/parley/storage/v1/object/sign/agent-files/");
        assertThat(below.parseSignedUrl(url)).contains(KEY);
        assertThat(below.parseSignedUrl(url.replace("/parley", ""))).isEmpty();
    }

    @Test
    void uploadTokenOpensUploadsAlone() {
        String token = TOKENS.forUpload(KEY, Actor.user(UuidV7.next()), true, Duration.ofHours(1));
        assertThat(TOKENS.verify(token, UrlTokens.Purpose.UPLOAD))
                .get()
                .satisfies(grant -> assertThat(grant.key()).isEqualTo(KEY));
        assertThat(TOKENS.verify(token, UrlTokens.Purpose.READ)).isEmpty();
        assertThat(TOKENS.verify(TOKENS.forReading(KEY, Duration.ofHours(1)), UrlTokens.Purpose.UPLOAD))
                .isEmpty();
    }
}
