package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses bare sockets, since Java's own client does not let a caller set Origin. */
class BrowserRulesTest {
    private static final String LISTED = "https://app.example.org";
    private static final String NOTHING = "content-security-policy: default-src 'none'; frame-ancestors 'none'";

    private static TestEdge edge;
    private static TestEdge plain;

    @BeforeAll
    static void start() {
        BrowserRules rules = BrowserRules.of(
                List.of(URI.create("https://App.example.org:443/ignored"), URI.create("http://127.0.0.1:5173")),
                Optional.of(URI.create("https://parley.example.org")));
        edge = TestEdge.start(rules, BrowserRulesTest::table);
        plain = TestEdge.start(BrowserRulesTest::table);
    }

    private static void table(Routes<String> routes) {
        routes
                .get("/things/{id}", Unrated.FREE, call -> Answer.ok("thing"))
                .put("/things/{id}", 100, Unrated.FREE, call -> Answer.noContent())
                .openGet(
                        "/page",
                        call -> Answer.text("text/html", "<p>")
                                .withHeader("Content-Security-Policy", "default-src 'self'"))
                .stream("/s", Unrated.FREE, call -> (StreamSource) connection -> connection.close(Frames.NONE));
    }

    @AfterAll
    static void stop() {
        edge.close();
        plain.close();
    }

    private static String head(TestEdge edge, String method, String path, String... headers) throws Exception {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        try (RawClient client = edge.raw()) {
            return client.send(request.append("\r\n").toString()).head();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/things/1", "/nothing", "/s", "/page"})
    void everyAnswerCarriesTheHeadersForBrowsers(String path) throws Exception {
        assertThat(head(plain, "GET", path, "Authorization: Bearer good"))
                .containsIgnoringCase("x-content-type-options: nosniff")
                .containsIgnoringCase("referrer-policy: no-referrer")
                .containsIgnoringCase("content-security-policy: ")
                .doesNotContainIgnoringCase("strict-transport-security")
                .doesNotContainIgnoringCase("access-control")
                .doesNotContainIgnoringCase("vary:");
    }

    @Test
    void onlyAPageReplacesTheStrictContentPolicy() throws Exception {
        assertThat(head(plain, "GET", "/things/1")).contains(NOTHING);
        assertThat(head(plain, "GET", "/s", "Authorization: Bearer good")).contains(NOTHING);
        assertThat(head(plain, "GET", "/page")).doesNotContain(NOTHING).contains("default-src 'self'");
    }

    @Test
    void strictTransportFollowsThePublicAddress() throws Exception {
        assertThat(head(edge, "GET", "/page")).containsIgnoringCase("strict-transport-security: max-age=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/things/1", "/s", "/nothing"})
    void listedSiteMayReadAnswersEvenRefusals(String path) throws Exception {
        assertThat(head(edge, "GET", path, "Authorization: Bearer good", "Origin: " + LISTED))
                .containsIgnoringCase("access-control-allow-origin: " + LISTED)
                .containsIgnoringCase("access-control-expose-headers: X-Request-Id, Retry-After, Location,"
                        + " Content-Range, Content-Disposition, ETag")
                .containsIgnoringCase("vary: origin")
                .doesNotContainIgnoringCase("allow-credentials");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example.org",
                "http://app.example.org",
                "https://app.example.org.evil.org",
                "https://app.example.org:8443",
                "null",
                "*"
            })
    void otherSitesGetNoPermission(String origin) throws Exception {
        String preflight =
                head(edge, "OPTIONS", "/things/1", "Origin: " + origin, "Access-Control-Request-Method: PUT");
        assertThat(preflight).startsWith("HTTP/1.1 405").doesNotContainIgnoringCase("access-control");
        assertThat(head(edge, "GET", "/things/1", "Origin: " + origin))
                .containsIgnoringCase("vary: origin")
                .doesNotContainIgnoringCase("access-control");
    }

    @Test
    void aPreflightOfAListedSiteIsAnsweredWithoutAToken() throws Exception {
        int before = edge.admissions.get();

        assertThat(head(
                        edge,
                        "OPTIONS",
                        "/things/1",
                        "Origin: http://127.0.0.1:5173",
                        "Access-Control-Request-Method: PUT",
                        "Access-Control-Request-Headers: authorization,content-type"))
                .startsWith("HTTP/1.1 204")
                .containsIgnoringCase("access-control-allow-origin: http://127.0.0.1:5173")
                .containsIgnoringCase("access-control-allow-methods: GET, HEAD, PUT")
                .containsIgnoringCase(
                        "access-control-allow-headers: Authorization, Content-Type, Idempotency-Key, Last-Event-ID,"
                                + " apikey, x-client-info, x-upsert, cache-control, range, x-metadata")
                .containsIgnoringCase("access-control-max-age: 600");
        assertThat(edge.admissions.get()).isEqualTo(before);
    }

    @Test
    void optionsWithoutPreflightHeadersIsAnOrdinaryMethod() throws Exception {
        assertThat(head(edge, "OPTIONS", "/things/1", "Origin: " + LISTED)).startsWith("HTTP/1.1 405");
        assertThat(head(edge, "OPTIONS", "/nothing", "Origin: " + LISTED, "Access-Control-Request-Method: GET"))
                .startsWith("HTTP/1.1 404");
    }
}
