package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Principal;
import dev.parley.face.console.ConsoleFace;
import dev.parley.http.BrowserRules;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.testing.Api;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of a server that was built on a machine without Node.js. */
class WithoutConsoleTest {
    private HttpEdge<Principal> edge;
    private Api anybody;

    @BeforeEach
    void start() {
        Routes<Principal> routes = new Routes<>();
        new ConsoleFace(new URLClassLoader(new URL[0], null), Optional.empty()).addTo(routes);
        edge = HttpEdge.start(
                HttpSettings.of("127.0.0.1", 0, Limits.defaults().http()),
                BrowserRules.NONE,
                routes,
                head -> {
                    throw new AssertionError("The console's files are for anyone.");
                },
                new SimpleMeterRegistry());
        anybody = new Api(URI.create("http://127.0.0.1:" + edge.port()), null);
    }

    @AfterEach
    void stop() {
        edge.stop(Duration.ofSeconds(5));
    }

    @Test
    void thePageTellsHowToAddTheConsoleAndLinksToTheApi() {
        Api.Reply page = anybody.get("/");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
        assertThat(page.answer().text())
                .contains("Node.js 20", "./parley serve", "href=\"docs\"", "href=\"console/plain.css\"")
                .doesNotContain("<script", " style=", "=\"/");
        assertThat(anybody.get("/console/plain.css").header("Content-Type")).contains("text/css; charset=utf-8");
        assertThat(anybody.get("/console/main.js").status()).isEqualTo(404);
    }
}
