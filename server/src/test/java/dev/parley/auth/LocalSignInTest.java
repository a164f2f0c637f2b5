package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server without configured sign-in signs in callers of this machine, and refuses lookalikes. */
class LocalSignInTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static TestDatabase database;
    private static Path data;
    private static Server server;

    @BeforeAll
    static void start() throws IOException {
        database = RunningServer.freshDatabase();
        data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "local");
        server = start(data);
    }

    @AfterAll
    static void stop() {
        server.close();
        database.close();
    }

    private static Server start(Path folder, String... flags) {
        DatabaseAddress address = database.address();
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--data", folder.toString()));
        arguments.addAll(List.of("--database-url", address.jdbcUrl(), "--database-user", address.user()));
        arguments.addAll(List.of("--database-password", address.password()));
        arguments.addAll(List.of(flags));
        return Server.start(Config.load(arguments, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: 127.0.0.1:{port}",
                "Host: localhost:{port}",
                "Host: [::1]:{port}",
                "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}",
                "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nSec-Fetch-Site: same-origin",
                "Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: none"
            })
    void thePersonAtThisMachineIsSignedIn(String headers) throws IOException {
        assertThat(caller(server, headers)).isEqualTo("user:" + Files.readString(data.resolve("local-user")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A host name that was rebound to this machine.
                "Host: evil.example:{port}",
                "Host: 127.0.0.1.evil.example:{port}",
                "Host: localhost.evil.example:{port}",
                "Host: evil.example:{port}\r\nOrigin: http://127.0.0.1:{port}",
                "Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\nSec-Fetch-Site: same-origin",
                "Host: 0.0.0.0:{port}",
                // Another port is another origin.
                "Host: 127.0.0.1",
                "Host: localhost",
                "Host: 127.0.0.1:1",
                "Host: ",
                "Host: :{port}",
                // A page of another site.
                "Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example",
                "Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example:{port}",
                "Host: 127.0.0.1:{port}\r\nOrigin: https://127.0.0.1:{port}",
                "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1",
                "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:1",
                "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}.evil.example",
                "Host: 127.0.0.1:{port}\r\nOrigin: null",
                "Host: 127.0.0.1:{port}\r\nOrigin: ",
                "Host: 127.0.0.1:{port}\r\nOrigin: file://",
                "Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site",
                "Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: same-site",
                // A remote caller, through a proxy on this machine.
                "Host: 127.0.0.1:{port}\r\nX-Forwarded-For: 203.0.113.7",
                "Host: 127.0.0.1:{port}\r\nX-Forwarded-Host: parley.example",
                "Host: 127.0.0.1:{port}\r\nX-Forwarded-Proto: https",
                "Host: 127.0.0.1:{port}\r\nX-Real-IP: 203.0.113.7",
                "Host: 127.0.0.1:{port}\r\nVia: 1.1 proxy",
                "Host: 127.0.0.1:{port}\r\nForwarded: for=203.0.113.7",
                // A caller with a credential is judged by the credential.
                "Host: 127.0.0.1:{port}\r\nAuthorization: ",
                "Host: 127.0.0.1:{port}\r\nAuthorization: Bearer x"
            })
    void lookalikesAreNotSignedIn(String headers) throws IOException {
        RawAnswer answer = call(server, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.text()).contains("/problems/unauthenticated");
    }

    @Test
    void aRequestWithoutAHostIsNotSignedIn() throws IOException {
        assertThat(call(server, "X-Nothing: 1").status()).isBetween(400, 401);
        RawAnswer old = RawHttp.exchange(
                URI.create(server.url()),
                "GET /api/v1/auth/me HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                LIMIT);
        assertThat(old.status()).as(old.text()).isBetween(400, 401);
    }

    @Test
    void tokensOfTheGeneratedSecretWorkBesideIt() throws IOException {
        UUID bob = UUID.randomUUID();
        String token = server.tokens().mint(bob, null, Duration.ofMinutes(5));
        assertThat(caller(server, "Host: evil.example\r\nAuthorization: Bearer " + token))
                .isEqualTo("user:" + bob);
    }

    @Test
    void theLocalUserAndTheSecretOutliveARestart() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target", "scratch"), "local");
        String first;
        String token;
        UUID bob = UUID.randomUUID();
        try (Server before = start(folder)) {
            first = caller(before, "Host: 127.0.0.1:{port}");
            token = before.tokens().mint(bob, null, Duration.ofMinutes(5));
        }
        try (Server after = start(folder)) {
            assertThat(caller(after, "Host: 127.0.0.1:{port}")).isEqualTo(first);
            assertThat(caller(after, "Host: 127.0.0.1:{port}\r\nAuthorization: Bearer " + token))
                    .isEqualTo("user:" + bob);
        }
        for (String secret : List.of("jwt-secret", "local-user")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(secret))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aConfiguredSecretEndsLocalSignIn() throws IOException {
        try (Server configured = start(data, "--jwt-secret", "a secret that somebody has configured")) {
            assertThat(call(configured, "Host: 127.0.0.1:{port}").status()).isEqualTo(401);
            String generated = server.tokens().mint(UUID.randomUUID(), null, Duration.ofMinutes(5));
            assertThat(call(configured, "Host: x\r\nAuthorization: Bearer " + generated)
                            .status())
                    .as("a token of the generated secret")
                    .isEqualTo(401);
        }
    }

    @Test
    void signInInfoTellsIfTheCallerIsSignedIn() throws IOException {
        assertThat(signIn(server, "Host: 127.0.0.1:{port}")).isEqualTo("{\"local\":true,\"oidc\":null}");
        assertThat(signIn(server, "Host: parley.example.org")).isEqualTo("{\"local\":false,\"oidc\":null}");
        assertThat(signIn(server, "Host: 127.0.0.1:{port}\r\nX-Forwarded-For: 192.0.2.1"))
                .isEqualTo("{\"local\":false,\"oidc\":null}");
    }

    @Test
    void signInInfoNamesTheProviderAndThePageMayCallIt() throws IOException {
        String[] flags = {
            "--jwks-url=https://login.example.org/keys",
            "--oidc-issuer=https://login.example.org/one",
            "--oidc-client-id=console"
        };
        try (Server configured = start(data, flags)) {
            assertThat(signIn(configured, "Host: 127.0.0.1:{port}"))
                    .isEqualTo("{\"local\":false,\"oidc\":{\"issuer\":\"https://login.example.org/one\","
                            + "\"client_id\":\"console\",\"scope\":\"openid profile\"}}");
            assertThat(get(configured, "/", "Host: x").header("Content-Security-Policy"))
                    .hasValueSatisfying(policy ->
                            assertThat(policy).contains("; connect-src 'self' https://login.example.org; img-src"));
        }
    }

    private static String signIn(Server signInServer, String headers) throws IOException {
        return new String(get(signInServer, "/api/v1/auth/sign-in", headers).body(), StandardCharsets.UTF_8);
    }

    private static RawAnswer get(Server signInServer, String path, String headers) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\n"
                + headers.replace("{port}", Integer.toString(signInServer.port())) + "\r\n\r\n";
        return RawHttp.exchange(URI.create(signInServer.url()), request.getBytes(StandardCharsets.UTF_8), LIMIT);
    }

    private static String caller(Server signInServer, String headers) throws IOException {
        RawAnswer answer = call(signInServer, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return Json.MAPPER
                .readTree(answer.body())
                .at("/participants/0/sender_id")
                .asString();
    }

    private static RawAnswer call(Server signInServer, String headers) throws IOException {
        String request = "POST /api/v1/chat/threads HTTP/1.1\r\n"
                + headers.replace("{port}", Integer.toString(signInServer.port())) + "\r\nContent-Length: 0\r\n\r\n";
        return RawHttp.exchange(URI.create(signInServer.url()), request.getBytes(StandardCharsets.UTF_8), LIMIT);
    }
}
