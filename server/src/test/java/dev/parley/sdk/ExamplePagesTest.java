package dev.parley.sdk;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import dev.parley.console.Chromium;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The pages of examples/ show a growing answer, also after a reload, from another origin than the server's. */
class ExamplePagesTest {
    private static final LocatorAssertions.ContainsTextOptions IN_TIME =
            new LocatorAssertions.ContainsTextOptions().setTimeout(30_000);
    private static final LocatorAssertions.HasTextOptions ALL_IN_TIME =
            new LocatorAssertions.HasTextOptions().setTimeout(30_000);
    private static final String COUNTING =
            "() => { const said = document.querySelector('li:last-child')?.textContent ?? '';"
                    + " return said.includes(' 3 ') && !said.includes('200.'); }";

    private static final String[] SAID = {
        "You: weather in Lisbon",
        "Agent: The weather in Lisbon: light rain, 11 °C.",
        "You: /slow 200",
        "Agent: " + IntStream.rangeClosed(1, 200).mapToObj(String::valueOf).collect(Collectors.joining(" ")) + "."
    };

    @Test
    void bothPagesShowAnAnswerWhileItGrowsAndGoOnAfterAReload() throws IOException {
        HttpServer pages = pages();
        String origin = "http://127.0.0.1:" + pages.getAddress().getPort();
        try (RunningServer server = RunningServer.start("--cors-origins", origin);
                Chromium chromium = Chromium.start()) {
            String here = "?server=" + server.uri() + "#" + server.token(UUID.randomUUID(), "Ada");
            talk(chromium, origin + "/examples/sdk-page/" + here);
            talk(chromium, origin + "/agui-page/" + here);
        } finally {
            pages.stop(0);
        }
    }

    /** Serves the files that the READMEs name: the SDK beside its example, and the build of the other example. */
    private static HttpServer pages() throws IOException {
        Path sdk = NodeProject.typescript().folder();
        Path built = NodeProject.example("agui-page").folder().resolve("dist");
        Path examples = Path.of("..", "examples").toAbsolutePath().normalize();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/examples", SimpleFileServer.createFileHandler(examples));
        server.createContext("/clients/typescript", SimpleFileServer.createFileHandler(sdk));
        server.createContext("/agui-page", SimpleFileServer.createFileHandler(built));
        server.start();
        return server;
    }

    private static void talk(Chromium chromium, String address) {
        List<String> complaints = new ArrayList<>();
        try (Page page = chromium.browser().newPage()) {
            page.setDefaultTimeout(30_000);
            page.onPageError(complaints::add);
            page.navigate(address);
            Locator answer = page.locator("li").last();

            say(page, "weather in Lisbon");
            assertThat(answer).containsText("Agent: The weather in Lisbon: light rain, 11 °C.", IN_TIME);

            say(page, "/slow 200");
            page.waitForFunction(COUNTING);
            page.reload();
            assertThat(answer).containsText("200.", IN_TIME);
            assertThat(page.locator("li")).hasText(SAID, ALL_IN_TIME);

            page.reload();
            assertThat(page.locator("li")).hasText(SAID, ALL_IN_TIME);
        }
        assertThat(complaints).isEmpty();
    }

    private static void say(Page page, String text) {
        page.getByLabel("Message").fill(text);
        page.getByLabel("Message").press("Enter");
    }
}
