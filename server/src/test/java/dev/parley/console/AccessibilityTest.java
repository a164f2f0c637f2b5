package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** axe reports no serious violation on any page, by day or by night. */
class AccessibilityTest {
    private static final Path AXE = Path.of("..", "console", "node_modules", "axe-core", "axe.min.js");
    private static final List<String> SECTIONS =
            List.of("figures", "nodes", "agents", "webhooks", "integrations", "dead-letters", "audit");

    @RegisterExtension
    static final Desk desk = new Desk();

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void pagesHaveNoSeriousViolation(ColorScheme scheme) throws IOException {
        Visit visit = desk.visit(new Browser.NewContextOptions().setColorScheme(scheme));
        Axe axe = Axe.at(visit, scheme);
        axe.check("a new conversation");
        talk(visit);
        axe.check("a conversation");
        dialogs(visit, axe);
        inspector(visit, axe);
        for (String section : SECTIONS) {
            visit.page().navigate(desk.uri() + "#/operate/" + section);
            assertThat(visit.page().locator(".operate-page h1")).isVisible();
            assertThat(visit.page().locator(".operate-page").getByText("Loading"))
                    .hasCount(0);
            axe.check(section);
        }
        assertThat(axe.found()).isEmpty();
    }

    /** Fills a conversation with one element of each kind. */
    private static void talk(Visit visit) {
        visit.choose(new Photo("sea.png", 640, 400));
        assertThat(visit.uploads("ready")).hasCount(1);
        visit.send("Look");
        assertThat(visit.lastText()).containsText("I see an image");
        visit.awaitQuiet();
        visit.ask("weather in Lisbon", "The weather in Lisbon: light rain, 11 °C.");
        assertThat(visit.cards().last()).containsText("Humidity");
        visit.ask("/think twice", "You said: twice");
        visit.send("/fail");
        assertThat(visit.notice("failed")).containsText("demo_failure");
        visit.awaitQuiet();
        visit.send("/approve Shall I?");
        assertThat(visit.notice("question")).containsText("Shall I?");
        visit.awaitQuiet();
    }

    private static void dialogs(Visit visit, Axe axe) {
        Locator dialog = visit.page().locator("dialog[open]");
        visit.page().getByTitle("People and settings").click();
        assertThat(dialog).isVisible();
        axe.check("the settings");
        visit.page().keyboard().press("Escape");
        assertThat(dialog).hasCount(0);
        visit.act(visit.messages().last(), "Details");
        assertThat(dialog).isVisible();
        axe.check("a message's details");
        visit.page().keyboard().press("Escape");
        assertThat(dialog).hasCount(0);
        visit.messages().last().locator("[aria-haspopup=menu]").click();
        assertThat(visit.messages()
                        .last()
                        .getByRole(AriaRole.MENUITEM, new Locator.GetByRoleOptions().setName("Details")))
                .isVisible();
        axe.check("a menu");
        visit.page().keyboard().press("Escape");
    }

    private static Locator answer(Visit visit) {
        return visit.region().locator("article[data-role=assistant]").last();
    }

    private static void inspector(Visit visit, Axe axe) {
        visit.act(answer(visit), "Inspect run");
        for (String tab : List.of("Timeline", "Events", "Usage", "What the model saw")) {
            visit.tab(tab).click();
            assertThat(visit.tab(tab)).hasAttribute("aria-selected", "true");
            assertThat(visit.page().getByRole(AriaRole.TABPANEL).getByText("Loading…"))
                    .hasCount(0);
            axe.check("the inspector's " + tab);
        }
    }

    /** axe in a page. By night only the colours are checked again. */
    private record Axe(Visit visit, String options, List<String> found) {
        static Axe at(Visit visit, ColorScheme scheme) throws IOException {
            // Injected by the debugger, since the page's own policy blocks scripts.
            JsonObject source = new JsonObject();
            source.addProperty("expression", Files.readString(AXE));
            visit.context().newCDPSession(visit.page()).send("Runtime.evaluate", source);
            return new Axe(
                    visit, scheme == ColorScheme.DARK ? "{runOnly: ['color-contrast']}" : "{}", new ArrayList<>());
        }

        void check(String state) {
            Object serious = visit.page().evaluate("""
                () => axe.run(document, %s).then(({violations}) => violations
                  .filter(({impact}) => impact === "serious" || impact === "critical")
                  .map(({id, nodes}) => id + ": " + nodes.map(({html, failureSummary}) => html + " " + failureSummary)
                    .join("; ")))\
                """.formatted(options));
            ((List<?>) serious).forEach(each -> found.add(state + ": " + each));
        }
    }
}
