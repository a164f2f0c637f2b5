package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.net.URI;

/** A server and a browser on the same machine, for whoever sits down there. */
record Desk(LocalServer server, Chromium chromium) implements AutoCloseable {
    /** @param settings further flags of the server */
    static Desk start(String... settings) throws IOException {
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        Chromium chromium = Chromium.start();
        return new Desk(LocalServer.start(settings), chromium);
    }

    Browser browser() {
        return chromium.browser();
    }

    URI uri() {
        return server.uri();
    }

    Visit visit() {
        return visit(new Browser.NewContextOptions());
    }

    /** Somebody who has been recognised as the local user. */
    Visit visit(Browser.NewContextOptions options) {
        Visit visit = Visit.of(browser(), uri(), options);
        assertThat(visit.me()).hasText("Local user");
        return visit;
    }

    @Override
    public void close() {
        server.close();
        chromium.close();
    }
}
