package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console on a desk and on a phone, by day and by night; the pictures are kept in target/console to be looked at. */
class LooksTest {
    private static LocalServer server;
    private static Chromium chromium;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.start();
        server = LocalServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        chromium.close();
    }

    @ParameterizedTest
    @CsvSource({"1280,800,LIGHT", "1280,800,DARK", "390,844,LIGHT", "390,844,DARK"})
    void everythingFits(int width, int height, ColorScheme scheme) {
        Browser.NewContextOptions screen =
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
        try (Visit visit = Visit.of(chromium.browser(), server.uri(), screen)) {
            assertThat(visit.page().locator("#me")).not().isEmpty();
            visit.button("New conversation").click();
            visit.send("weather in " + "Llanfairpwllgwyngyll".repeat(8));
            assertThat(visit.lastText()).containsText("The weather in", Visit.inTime());
            visit.awaitQuiet();
            visit.send("/think " + "a rather long thought ".repeat(12));
            assertThat(visit.lastText()).containsText("You said", Visit.inTime());
            visit.awaitQuiet();
            visit.send("/fail");
            assertThat(visit.page().locator("li.failed")).containsText("demo_failure", Visit.inTime());
            visit.awaitQuiet();
            String name = width + "-" + scheme.name().toLowerCase(Locale.ROOT);

            visit.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console", name + ".png")));

            assertThat(sidewaysOverflow(visit)).isZero();
            assertThat(visit.composer()).isInViewport();
            if (width < 720) {
                assertThat(visit.page().locator("#sidebar")).isHidden();
                visit.page().locator("#back").click();
                assertThat(visit.page().locator("#conversation")).isHidden();
                assertThat(visit.thread("weather in").first()).isVisible();
                visit.page()
                        .screenshot(
                                new Page.ScreenshotOptions().setPath(Path.of("target/console", name + "-list.png")));
                assertThat(sidewaysOverflow(visit)).isZero();
            }
            assertThat(visit.complaints()).isEmpty();
        }
    }

    private static int sidewaysOverflow(Visit visit) {
        return (int) visit.page().evaluate("""
                () => Math.max(...[document.documentElement, document.getElementById("scroller")]
                    .map((element) => element.scrollWidth - element.clientWidth))""");
    }
}
