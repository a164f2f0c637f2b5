package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Problem;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocsPageTest {
    private static RunningServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void theDocumentIsServedUnchanged() throws Exception {
        HttpResponse<String> answer = get("/openapi.yaml");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/yaml");
        assertThat(answer.body()).isEqualTo(ApiDocument.load().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi.yaml", "/docs"})
    void anUnchangedPageIsNotSentAgain(String path) throws Exception {
        HttpResponse<String> first = get(path);
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = get(path, "If-None-Match", tag);

        assertThat(first.headers().firstValue("Cache-Control")).contains("public, max-age=300");
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void thePageNeitherRunsNorLoadsOtherFiles() throws Exception {
        HttpResponse<String> page = get("/docs");

        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "style-src 'sha256-", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.body())
                .startsWith("<!doctype html>")
                .doesNotContain("<script", " style=", "src=", "@import", "url(")
                .doesNotContainPattern(" on[a-z]+=");
    }

    @Test
    void thePageShowsEveryOperationSchemaAndProblemAndItsLinksLeadSomewhere() throws Exception {
        String page = get("/docs").body();
        Set<String> ids = all(page, " id=\"([^\"]+)\"");
        ApiDocument document = ApiDocument.load();

        assertThat(ids)
                .containsAll(
                        document.operations().map(ApiDocument.Operation::id).toList());
        assertThat(ids)
                .containsAll(document.schemas().propertyNames().stream()
                        .map(name -> "schema-" + name)
                        .toList());
        assertThat(all(page, "href=\"#([^\"]+)\"")).isNotEmpty().isSubsetOf(ids);
    }

    private static Set<String> all(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource(Problem.class)
    void theTypeOfAProblemLeadsToItsExplanation(Problem problem) throws Exception {
        HttpResponse<String> answer = get("/problems/" + problem.slug());

        assertThat(answer.statusCode()).isEqualTo(302);
        String place = answer.headers().firstValue("Location").orElseThrow();
        assertThat(place).startsWith("/docs#");
        assertThat(get("/docs").body()).contains("id=\"" + place.substring("/docs#".length()) + "\"");
    }

    @Test
    void anUnknownProblemIsNotFound() throws Exception {
        assertThat(get("/problems/no-such-thing").statusCode()).isEqualTo(404);
    }
}
