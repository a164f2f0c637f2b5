package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The console behind a proxy that serves it under a sub-path. */
class SubPathTest {
    @Test
    void allRequestsGoToTheSubPath() throws IOException {
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        try (RunningServer server = RunningServer.start();
                PathProxy proxy = PathProxy.to(server.uri());
                Chromium chromium = Chromium.start();
                Visit visit = Visit.of(chromium.browser(), URI.create("about:blank"))) {
            List<String> elsewhere = new ArrayList<>();
            visit.page().onRequest(request -> {
                if (!request.url().startsWith(proxy.uri().toString())
                        && !request.url().startsWith("blob:")) {
                    elsewhere.add(request.url());
                }
            });
            visit.page().navigate(proxy.uri().toString());
            visit.page().getByLabel("Token").fill(server.token(UUID.randomUUID(), "Ada"));
            visit.button("Sign in").click();
            assertThat(visit.me()).hasText("Ada");

            visit.choose(new Photo("sea.png", 64, 40));
            assertThat(visit.uploads("ready")).hasCount(1);
            visit.send("Hello from afar");
            assertThat(visit.lastText()).containsText("I see an image");
            visit.awaitQuiet();
            visit.ask("/slow 10", Visit.counted(10));
            visit.act(visit.messages().last(), "Inspect run");

            assertThat(visit.tab("Timeline")).isVisible();
            assertThat(visit.messages().first().locator("img")).hasJSProperty("naturalWidth", 64);
            assertThat(elsewhere).isEmpty();
            // A missing sign-in is reported by a refusal, which the browser logs.
            visit.complaints().removeIf(complaint -> complaint.contains("status of 401"));
            assertThat(visit.complaints()).isEmpty();
        }
    }
}
