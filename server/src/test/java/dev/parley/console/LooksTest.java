package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console on a desk and on a phone, by day and by night; screenshots are written to target/console for review. */
class LooksTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private static String conversation;

    @BeforeAll
    static void fill() {
        Visit visit = desk.visit();
        visit.ask("Plan a picnic by the sea", "You said: Plan a picnic by the sea");
        visit.link("New conversation").click();
        visit.ask("مرحبا، كيف الحال؟", "You said: مرحبا، كيف الحال؟");
        visit.link("New conversation").click();
        visit.send("/team write a letter to the harbour master");
        assertThat(visit.lastText()).containsText("Researcher and Writer are done");
        visit.awaitQuiet();
        visit.link("New conversation").click();
        visit.choose(new Photo("harbour.png", 640, 400));
        assertThat(visit.uploads("ready")).hasCount(1);
        visit.send("What do you see?");
        assertThat(visit.lastText()).containsText("I see an image");
        visit.awaitQuiet();
        visit.ask("/think about the tide", "You said: about the tide");
        visit.ask("weather in Lisbon", "The weather in Lisbon: light rain, 11 °C.");
        conversation = visit.page().url();
    }

    @ParameterizedTest
    @CsvSource({"1440,900,LIGHT", "1440,900,DARK", "390,844,LIGHT", "390,844,DARK"})
    void everyPageFitsItsScreen(int width, int height, ColorScheme scheme) {
        Browser.NewContextOptions screen =
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
        String name = width + "-" + scheme.name().toLowerCase(Locale.ROOT);
        Visit visit = desk.visit(screen);
        visit.page().navigate(desk.uri() + "#/");
        assertThat(visit.thread("Plan a picnic").first()).isVisible();
        Screens.pictureAsItIs(visit, "list-" + name);

        visit.page().navigate(conversation);
        assertThat(visit.lastText()).hasText("The weather in Lisbon: light rain, 11 °C.");
        assertThat(visit.cards().last()).containsText("Humidity");
        assertThat(visit.cards().last()).isInViewport();
        assertThat(visit.composer()).isInViewport();
        Screens.pictureAsItIs(visit, "conversation-" + name);

        visit.act(visit.messages().last(), "Inspect run");
        assertThat(visit.page().getByRole(AriaRole.TABPANEL)).containsText("First word after");
        assertThat(visit.page().locator(".timeline-tool")).hasCount(1);
        Screens.pictureAsItIs(visit, "inspector-" + name);

        visit.page().navigate(desk.uri() + "#/operate/figures");
        assertThat(visit.page().locator(".operate-page h1")).isVisible();
        assertThat(visit.page().locator(".operate-page").getByText("Loading")).hasCount(0);
        Screens.pictureAsItIs(visit, "operator-" + name);

        visit.page().navigate(desk.uri() + "#/operate/nodes");
        assertThat(visit.page().locator(".operate-page")).containsText("One node is there.");
        assertThat(visit.page().locator(".operate-page")).containsText("answers you");
        Screens.pictureAsItIs(visit, "nodes-" + name);
    }
}
