package dev.parley.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider that publishes keys, can change them, become unreachable and return, and counts its requests.
 */
final class KeyProvider implements AutoCloseable {
    private final HttpServer http;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile String published = "{\"keys\":[]}";
    private volatile boolean away;

    KeyProvider(JWK... keys) {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        http.createContext("/jwks", this::answer);
        http.start();
        publish(keys);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] body = published.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(away ? 503 : 200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    void publish(JWK... keys) {
        published = new JWKSet(List.of(keys)).toString(true);
    }

    void publishText(String text) {
        published = text;
    }

    void away(boolean gone) {
        away = gone;
    }

    int requestCount() {
        return requests.get();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/jwks");
    }

    @Override
    public void close() {
        http.stop(0);
    }

    /** A token of this user, signed with a key of the provider. */
    static String sign(JWSAlgorithm algorithm, JWK key, @Nullable String kid, UUID user) {
        return sign(algorithm, key, kid, claims(user).build());
    }

    static String sign(JWSAlgorithm algorithm, JWK key, @Nullable String kid, JWTClaimsSet claims) {
        SignedJWT token =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(kid).build(), claims);
        try {
            JWSSigner signer = new DefaultJWSSignerFactory().createJWSSigner(key, algorithm);
            token.sign(signer);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    static JWTClaimsSet.Builder claims(UUID user) {
        return new JWTClaimsSet.Builder()
                .subject(user.toString())
                .audience("authenticated")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }
}
