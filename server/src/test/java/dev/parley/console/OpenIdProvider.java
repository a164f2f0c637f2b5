package dev.parley.console;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider that signs every caller in as Olivia: authorization code with PKCE (<a
 * href="https://www.rfc-editor.org/rfc/rfc7636">RFC 7636</a>), which it requires.
 */
final class OpenIdProvider implements AutoCloseable {
    static final String CLIENT = "parley-console";
    static final String OLIVIA = "Olivia Ōta";

    private static final String REFRESH = "for the next token";

    private final HttpServer http;
    private final ECKey key;
    private final UUID olivia = UUID.randomUUID();
    /** The challenges of codes that were issued and not used yet. */
    private final Map<String, String> codes = new ConcurrentHashMap<>();

    /** The seconds that first tokens claim to last, so that a page renews them. */
    private volatile int lasting = 600;

    private volatile @Nullable String renewed;

    OpenIdProvider() throws IOException, JOSEException {
        key = new ECKeyGenerator(Curve.P_256)
                .keyID("key")
                .keyUse(KeyUse.SIGNATURE)
                .generate();
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, 200, description()));
        http.createContext("/keys", exchange -> answer(exchange, 200, new JWKSet(key).toString(true)));
        http.createContext("/authorize", this::authorize);
        http.createContext("/token", this::token);
        http.start();
    }

    URI issuer() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    URI keys() {
        return issuer().resolve("/keys");
    }

    void giveTokensFor(int seconds) {
        lasting = seconds;
    }

    /** The token that replaced an older one; null before that. */
    @Nullable
    String renewed() {
        return renewed;
    }

    private String description() {
        return Json.MAPPER.writeValueAsString(Map.of(
                "issuer", issuer(),
                "authorization_endpoint", issuer().resolve("/authorize"),
                "token_endpoint", issuer().resolve("/token"),
                "jwks_uri", keys()));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> parameters = form(exchange.getRequestURI().getRawQuery());
        if (!CLIENT.equals(parameters.get("client_id")) || !"S256".equals(parameters.get("code_challenge_method"))) {
            answer(exchange, 400, "{}");
            return;
        }
        String code = UUID.randomUUID().toString();
        codes.put(code, parameters.get("code_challenge"));
        exchange.getResponseHeaders()
                .add(
                        "Location",
                        parameters.get("redirect_uri") + "?code=" + code + "&state="
                                + URLEncoder.encode(parameters.get("state"), StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> parameters =
                form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        byte[] verifier = parameters.getOrDefault("code_verifier", "").getBytes(StandardCharsets.UTF_8);
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(verifier));
        if ("refresh_token".equals(parameters.get("grant_type")) && REFRESH.equals(parameters.get("refresh_token"))) {
            renewed = signed();
            answer(exchange, 200, "{\"access_token\":\"" + renewed + "\",\"expires_in\":600}");
        } else if (challenge.equals(codes.remove(parameters.getOrDefault("code", "")))) {
            answer(
                    exchange,
                    200,
                    "{\"access_token\":\"" + signed() + "\",\"expires_in\":" + lasting + ",\"refresh_token\":\""
                            + REFRESH + "\"}");
        } else {
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        }
    }

    private String signed() {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder()
                        .subject(olivia.toString())
                        .audience("authenticated")
                        .claim("name", OLIVIA)
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    private static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
        exchange.sendResponseHeaders(status, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
