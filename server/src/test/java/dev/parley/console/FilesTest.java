package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.BuiltConsole;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The responses for the built console's page and files. */
class FilesTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private static final Api anybody = server.api(null);

    static List<String> files() {
        return BuiltConsole.files();
    }

    /** The files whose name has the hash of their content. */
    static Stream<String> hashedFiles() {
        return files().stream().filter(file -> file.matches(".*-[A-Za-z0-9_-]{8}\\.(js|css)"));
    }

    private static String path(String file) {
        return file.equals("index.html") ? "/" : "/" + file;
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFileIsServedUnchangedToEveryCaller(String file) {
        Api.Reply reply = anybody.get(path(file));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.answer().body()).isEqualTo(BuiltConsole.read(file));
        assertThat(reply.header("Content-Type")).contains(type(file));
        assertThat(reply.header("Content-Encoding")).isEmpty();
        assertThat(reply.header("Vary"))
                .hasValueSatisfying(vary -> assertThat(vary).contains("Accept-Encoding"));
        assertThat(reply.header("X-Content-Type-Options")).contains("nosniff");
    }

    private static String type(String file) {
        return switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "txt" -> "text/plain; charset=utf-8";
            default -> throw new AssertionError("No expectation for the file " + file);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "br                      | br   | .br",
                "gzip, deflate, br, zstd | br   | .br",
                "GZIP                    | gzip | .gz",
                "br;q=0, gzip;q=0.5      | gzip | .gz",
                "br; q=0.0, deflate      |      | ''",
                "identity                |      | ''"
            })
    void filesAreCompressedForClientsThatAcceptIt(String accepted, String coding, String ending) {
        for (String file : files()) {
            Api.Reply reply = anybody.send("GET", path(file), null, "Accept-Encoding: " + accepted);

            assertThat(reply.answer().body()).isEqualTo(BuiltConsole.read(file + ending));
            assertThat(reply.header("Content-Encoding").orElse(null)).isEqualTo(coding);
            assertThat(reply.header("Content-Type")).contains(type(file));
        }
    }

    @Test
    void anUnchangedFileIsNotSentAgain() {
        for (String file : files()) {
            Api.Reply first = anybody.send("GET", path(file), null, "Accept-Encoding: br");
            String tag = "If-None-Match: " + first.header("ETag").orElseThrow();

            Api.Reply again = anybody.send("GET", path(file), null, "Accept-Encoding: br", tag);

            assertThat(again.status()).isEqualTo(304);
            assertThat(again.answer().body()).isEmpty();
            assertThat(anybody.send("GET", path(file), null, tag).status())
                    .as("of the other form nothing is known yet")
                    .isEqualTo(200);
        }
    }

    @Test
    void hashedFilesAreCachedForeverAndThePageIsRevalidated() {
        assertThat(hashedFiles())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(anybody.get(path(file)).header("Cache-Control"))
                        .contains("public, max-age=31536000, immutable"));
        assertThat(anybody.get("/").header("Cache-Control")).contains("no-cache");
    }

    /** Includes scripts: a worker is bound by the header of its own script. */
    @Test
    void thePageAndItsScriptsRunOwnFilesOnlyAndTreatNoTextAsMarkup() {
        for (String file : files()) {
            assertThat(anybody.get(path(file))
                            .header("Content-Security-Policy")
                            .orElseThrow()
                            .split("; "))
                    .containsExactlyInAnyOrder(
                            "default-src 'none'",
                            "script-src 'self'",
                            "style-src 'self'",
                            "connect-src 'self'",
                            "img-src 'self' blob:",
                            "worker-src 'self'",
                            "base-uri 'none'",
                            "form-action 'none'",
                            "frame-ancestors 'none'",
                            "require-trusted-types-for 'script'",
                            "trusted-types parley");
        }
    }

    @Test
    void thePageWorksUnderAnyPathAndHasNothingInline() {
        assertThat(new String(BuiltConsole.read("index.html"), StandardCharsets.UTF_8))
                .doesNotContain(" style=", "<style", "http://", "https://", "=\"/")
                .doesNotContainPattern(" on[a-z]+=");
    }

    /** The page, the files it refers to, and the worker that it starts. */
    @Test
    void theFirstLoadIsSmall() {
        String page = new String(BuiltConsole.read("index.html"), StandardCharsets.UTF_8);

        int bytes = files().stream()
                .filter(file -> file.equals("index.html") || page.contains("./" + file) || file.contains("hub.worker"))
                .mapToInt(file -> BuiltConsole.read(file + ".gz").length)
                .sum();

        assertThat(bytes).isBetween(50_000, 300_000);
    }

    @Test
    void otherFilesAreNotFound() {
        assertThat(anybody.get("/console/index.html").problem()).contains("route-not-found");
        assertThat(anybody.get("/console/..%2ffiles.txt").status()).isEqualTo(404);
        assertThat(anybody.get("/" + hashedFiles().findFirst().orElseThrow() + ".br")
                        .status())
                .isEqualTo(404);
        assertThat(anybody.get("/console").status()).isEqualTo(404);
    }
}
