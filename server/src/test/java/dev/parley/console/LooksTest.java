package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console on a desk and on a phone, by day and by night; the pictures are kept in target/console to be looked at. */
class LooksTest {
    private static Desk desk;

    @BeforeAll
    static void start() throws IOException {
        desk = Desk.start();
    }

    @AfterAll
    static void stop() {
        desk.close();
    }

    @ParameterizedTest
    @CsvSource({"1280,800,LIGHT", "1280,800,DARK", "390,844,LIGHT", "390,844,DARK"})
    void everythingFits(int width, int height, ColorScheme scheme) {
        Browser.NewContextOptions screen =
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
        try (Visit visit = desk.visit(screen)) {
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

    @ParameterizedTest
    @CsvSource({"1280,800,LIGHT", "1280,800,DARK", "360,740,LIGHT", "360,740,DARK"})
    void imagesAndCardsFit(int width, int height, ColorScheme scheme) {
        Browser.NewContextOptions screen =
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
        try (Visit visit = desk.visit(screen)) {
            visit.button("New conversation").click();
            visit.choose(
                    new Photo("sea.png", 1600, 900),
                    new Photo("a tower with a rather long name.png", 300, 900),
                    new Photo("dot.png", 3, 2));
            assertThat(visit.page().locator("#uploads [data-state=ready]")).hasCount(3);
            visit.send("Three pictures");
            assertThat(visit.lastText()).containsText("I see an image", Visit.inTime());
            visit.awaitQuiet();
            String name = "media-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT);
            picture(visit, name + "-images");
            visit.send("weather in Berlin");
            assertThat(visit.page().locator(".body > .card")).hasCount(1);
            visit.awaitQuiet();
            draw(visit);
            visit.choose(new Photo("sea.png", 1600, 900));
            visit.choose(new FilePayload("notes.pdf", "application/pdf", new byte[] {1}));
            assertThat(visit.page().locator("#uploads [data-state=failed]")).hasCount(1);
            assertThat(visit.page().locator("#uploads [data-state=ready]")).hasCount(1);

            picture(visit, name);

            assertThat(sidewaysOverflow(visit)).isZero();
            assertThat(visit.composer()).isInViewport();
            visit.page().locator("#messages .picture").first().press("Enter");
            assertThat(visit.page().locator("#viewer img")).hasJSProperty("naturalWidth", 1600);
            picture(visit, name + "-viewer");
            assertThat(visit.page().locator("#viewer"))
                    .isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
            assertThat(sidewaysOverflow(visit)).isZero();
            assertThat(visit.complaints()).isEmpty();
        }
    }

    private static void picture(Visit visit, String name) {
        visit.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console", name + ".png")));
    }

    /** A card with everything in it, long words among them. */
    private static void draw(Visit visit) {
        visit.page().evaluate("""
                async (long) => {
                  const { card } = await import("./console/card.js");
                  const button = (label, style, action) => ({type: "button", label, style, action});
                  const text = (content, role) => ({type: "text", content, role});
                  const made = card({version: "2.0", locale: "en", status: "warning", theme: "default", root: {
                    type: "stack", appearance: "card", children: [
                      text("Your order is late", "title"),
                      {type: "badge", label: "WARNING", status: "warning"},
                      text("Two of three parcels are there", "subtitle"),
                      text("The third one waits for the customs. " + long, "body"),
                      {type: "grid", columns: 2, children: [text("left", "caption"), text("right " + long, "caption")]},
                      {type: "divider"},
                      {type: "kv", items: [{label: "Number", value: "4711"}, {label: "Address " + long, value: long}]},
                      {type: "image", url: "https://example.org/map.png", alt: "A map"},
                      text("const x = 1;", "code"),
                      button("Track it", "primary", {type: "url", url: "https://example.org"}),
                      button("Copy the number", "secondary", {type: "copy", text: "4711"}),
                      button("Later", "ghost", {type: "event", name: "later"}),
                      button("Cancel the order", "danger", {type: "tool", name: "cancel"})]}});
                  document.querySelector("#messages > li:last-child .body").append(made);
                  document.getElementById("scroller").scrollTop = 1e6;
                }""", "Donaudampfschifffahrtsgesellschaft".repeat(2));
    }

    private static int sidewaysOverflow(Visit visit) {
        return (int) visit.page().evaluate("""
                () => Math.max(...[document.documentElement, document.getElementById("scroller")]
                    .map((element) => element.scrollWidth - element.clientWidth))""");
    }
}
