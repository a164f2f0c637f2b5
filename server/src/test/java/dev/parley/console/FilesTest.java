package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the console's page and files are served. */
class FilesTest {
    private static final Path FOLDER = Path.of("src", "main", "resources", "console");
    private static RunningServer server;
    private static Api anybody;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        anybody = server.api(null);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<String> paths() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .map(name -> name.equals("index.html") ? "/" : "/console/" + name)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static Path file(String path) {
        return FOLDER.resolve(path.equals("/") ? "index.html" : path.substring("/console/".length()));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void everyFileIsServedAsItIsToAnyone(String path) throws IOException {
        Api.Reply reply = anybody.get(path);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.answer().body()).isEqualTo(Files.readAllBytes(file(path)));
        assertThat(reply.header("Content-Type").orElseThrow()).isEqualTo(type(path));
        assertThat(reply.header("X-Content-Type-Options")).contains("nosniff");
    }

    private static String type(String path) {
        return switch (path.substring(path.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/html; charset=utf-8";
        };
    }

    @ParameterizedTest
    @MethodSource("paths")
    void whatHasNotChangedIsNotSentAgainButAskedForEachTime(String path) {
        Api.Reply first = anybody.get(path);
        String tag = first.header("ETag").orElseThrow();

        Api.Reply again = anybody.send("GET", path, null, "If-None-Match: " + tag);

        assertThat(first.header("Cache-Control")).contains("no-cache");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.answer().body()).isEmpty();
        assertThat(anybody.send("GET", path, null, "If-None-Match: \"other\"").status())
                .isEqualTo(200);
    }

    @Test
    void thePageRunsOwnFilesOnlyAndTakesNoTextForMarkup() throws IOException {
        String policy = anybody.get("/").header("Content-Security-Policy").orElseThrow();

        assertThat(policy.split("; "))
                .contains(
                        "default-src 'none'",
                        "script-src 'self'",
                        "style-src 'self'",
                        "connect-src 'self'",
                        "img-src 'self'",
                        "base-uri 'none'",
                        "form-action 'none'",
                        "frame-ancestors 'none'",
                        "require-trusted-types-for 'script'");
        assertThat(policy).doesNotContain("unsafe");
        assertThat(Files.readString(FOLDER.resolve("index.html")))
                .doesNotContain(" style=", "<style", "http://", "https://", "=\"/")
                .doesNotContainPattern(" on[a-z]+=");
    }

    @ParameterizedTest
    @MethodSource("paths")
    void nothingIsWrittenAsMarkup(String path) throws IOException {
        assertThat(Files.readString(file(path)))
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }

    @Test
    void otherFilesAreNotThere() {
        assertThat(anybody.get("/console/index.html").problem()).contains("route-not-found");
        assertThat(anybody.get("/console/..%2fopenapi%2fopenapi.yaml").status()).isEqualTo(404);
        assertThat(anybody.get("/console").status()).isEqualTo(404);
    }
}
