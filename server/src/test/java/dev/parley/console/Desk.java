package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server and a browser on the same machine, for all tests of a class. After each test it closes the test's visits,
 * and fails the test if a page reported an error.
 */
final class Desk implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, AutoCloseable {
    private final String[] settings;
    private final List<Visit> visits = new ArrayList<>();
    private @Nullable LocalServer server;
    private @Nullable Chromium chromium;

    /** @param settings further flags of the server */
    Desk(String... settings) {
        this.settings = settings;
    }

    /** Starts a desk for one test, which closes it. */
    static Desk start(String... settings) throws IOException {
        Desk desk = new Desk(settings);
        desk.start();
        return desk;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        start();
    }

    private void start() throws IOException {
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        chromium = Chromium.start();
        server = LocalServer.start(settings);
    }

    LocalServer server() {
        return requireNonNull(server);
    }

    URI uri() {
        return server().uri();
    }

    Visit visit() {
        return visit(new Browser.NewContextOptions());
    }

    /** A visitor who is signed in as the local user. */
    Visit visit(Browser.NewContextOptions options) {
        Visit visit = Visit.of(requireNonNull(chromium).browser(), uri(), options);
        visits.add(visit);
        assertThat(visit.me()).hasText("Local user");
        return visit;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        leave();
    }

    private void leave() {
        visits.forEach(Visit::close);
        List<String> complaints =
                visits.stream().flatMap(visit -> visit.complaints().stream()).toList();
        visits.clear();
        assertThat(complaints).isEmpty();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        try {
            leave();
        } finally {
            if (server != null) {
                server.close();
            }
            if (chromium != null) {
                chromium.close();
            }
        }
    }
}
