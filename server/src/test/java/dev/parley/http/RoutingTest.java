package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTest {
    @AutoClose
    private static final TestEdge edge =
            TestEdge.start(routes -> routes.get("/", Unrated.FREE, call -> Answer.ok("root"))
                    .get("/threads/{id}", Unrated.FREE, call -> Answer.ok("thread " + call.path("id")))
                    .get(
                            "/threads/search",
                            Unrated.FREE,
                            call -> Answer.ok("search " + call.query("q").orElse("-")))
                    .delete("/threads/{id}", Unrated.FREE, call -> Answer.noContent())
                    .get(
                            "/threads/{id}/messages/{seq}",
                            Unrated.FREE,
                            call -> Answer.ok(call.path("id") + "/" + call.path("seq")))
                    .get(
                            "/files/{bucket}/{path...}",
                            Unrated.FREE,
                            call -> Answer.ok(call.path("bucket") + ":" + call.path("path")))
                    .get("/me", Unrated.FREE, call -> Answer.ok(Map.of("caller", call.caller())))
                    .openGet("/health", call -> Answer.ok(call.caller()))
                    .openPost("/hook", 10, call -> Answer.ok(call.body().length)));

    @Test
    void literalsGoBeforeParameters() throws Exception {
        assertThat(edge.get("/threads/search?x=1&q=a%20b+c").body()).isEqualTo("\"search a b c\"");
        assertThat(edge.get("/threads/7").body()).isEqualTo("\"thread 7\"");
        assertThat(edge.get("/threads/7/messages/9").body()).isEqualTo("\"7/9\"");
        assertThat(edge.get("/").body()).isEqualTo("\"root\"");
    }

    @Test
    void literalPathHasOnlyItsOwnMethods() throws Exception {
        HttpResponse<String> response =
                edge.client.send(edge.request("/threads/search").DELETE().build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(edge.client
                        .send(edge.request("/threads/7").DELETE().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void parametersAreDecodedOnce() throws Exception {
        assertThat(edge.get("/threads/a%2Fb%252F%C3%A9+").body()).isEqualTo("\"thread a/b%2Fé+\"");
    }

    @Test
    void aRestTakesSeveralSegments() throws Exception {
        assertThat(edge.get("/files/b/x/y%20z.png").body()).isEqualTo("\"b:x/y z.png\"");
        assertThat(edge.get("/files/b").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/threads/%zz", "/threads/%4", "/threads/%", "/threads/%ff", "/threads/%00", "/threads/%0a"})
    void aBrokenEscapeIsRefused(String path) throws Exception {
        try (RawClient raw = edge.raw()) {
            String response =
                    raw.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").response();
            assertThat(response).startsWith("HTTP/1.1 400 ").contains("/problems/malformed-request");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/nothing", "/threads/", "/threads//messages/1", "//threads/7", "/threads/7/", "/THREADS/7"})
    void anUnknownPathIsNotFound(String path) throws Exception {
        try (RawClient raw = edge.raw()) {
            String response =
                    raw.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").response();
            assertThat(response).startsWith("HTTP/1.1 404 ").contains("/problems/route-not-found");
        }
    }

    @Test
    void otherMethodIsRefusedWithTheAllowedOnes() throws Exception {
        HttpResponse<String> response = edge.post("/threads/7", "{}");
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("DELETE, GET, HEAD");
        assertThat(TestEdge.json(response).get("code").stringValue()).isEqualTo("METHOD_NOT_ALLOWED");
    }

    @Test
    void headIsAnsweredLikeGetWithoutItsBody() throws Exception {
        HttpResponse<String> response = edge.client.send(
                edge.request("/threads/7")
                        .method("HEAD", BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void gateIdentifiesTheCaller() throws Exception {
        assertThat(edge.get("/me").body()).isEqualTo("{\"caller\":\"ada\"}");
        HttpResponse<String> refused = edge.client.send(
                edge.request("/me").setHeader("Authorization", "Bearer bad").build(), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void openRoutesBypassTheGate() throws Exception {
        int before = edge.admissions.get();
        assertThat(edge.get("/health").body()).isEqualTo("\"ANYONE\"");
        assertThat(edge.post("/hook", "12345").body()).isEqualTo("5");
        assertThat(edge.admissions.get()).isEqualTo(before);
    }

    @Test
    void anAbsoluteAddressIsTaken() throws Exception {
        try (RawClient raw = edge.raw()) {
            assertThat(raw.send("GET http://x/health?a=b HTTP/1.1\r\nHost: x\r\n\r\n")
                            .response())
                    .startsWith("HTTP/1.1 200 ");
        }
        try (RawClient raw = edge.raw()) {
            assertThat(raw.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").response())
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        String head = " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n";
        try (RawClient raw = edge.raw()) {
            raw.send("GET /threads/1" + head + "GET /threads/2" + head + "GET /threads/3" + head);
            assertThat(raw.response()).endsWith("\"thread 1\"");
            assertThat(raw.response()).endsWith("\"thread 2\"");
            assertThat(raw.response()).endsWith("\"thread 3\"");
        }
    }

    @Test
    void tableListsItsRoutesAndRefusesDuplicates() {
        Routes<String> routes = new Routes<String>().get("/a/{x}", Unrated.FREE, call -> Answer.noContent());
        assertThat(routes.list()).containsExactly(new RouteKey("GET", "/a/{x}"));
        assertThatThrownBy(() -> routes.get("/a/{x}", Unrated.FREE, call -> Answer.noContent()))
                .isInstanceOf(IllegalArgumentException.class);
        Routes<String> twins = routes.get("/a/{y}", Unrated.FREE, call -> Answer.noContent());
        assertThatThrownBy(() -> TestEdge.start(table -> twins.all()
                        .forEach(route -> table.get(route.key().path(), Unrated.FREE, call -> Answer.noContent()))))
                .hasMessageContaining("matches the same paths");
    }
}
