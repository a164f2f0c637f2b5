package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What agents would like to be drawn, at the console. */
class CardsTest {
    private static Desk desk;
    private Visit visit;

    @BeforeAll
    static void start() throws IOException {
        desk = Desk.start();
    }

    @AfterAll
    static void stop() {
        desk.close();
    }

    @BeforeEach
    void open() {
        visit = desk.visit(
                new Browser.NewContextOptions().setPermissions(List.of("clipboard-read", "clipboard-write")));
    }

    @AfterEach
    void leave() {
        visit.close();
        assertThat(visit.complaints()).isEmpty();
    }

    private Locator cards() {
        return visit.page().locator("#messages .body > .card");
    }

    @Test
    void aCardStandsBelowItsTextAndIsThereAfterAReload() {
        visit.send("/card hello");

        assertThat(cards().locator(".card-title")).hasText("hello");
        assertThat(cards().locator(".status")).hasText("INFO");
        assertThat(cards().locator(".card-body")).hasText("A card that the demo agent made.");
        assertThat(visit.lastText()).hasText("Here is your card: hello");
        double text = visit.lastText().boundingBox().y;
        assertThat(cards().boundingBox().y).isGreaterThan(text);
        visit.page().reload();
        assertThat(cards().locator(".card-title")).hasText("hello");
        assertThat(cards()).hasCount(1);
    }

    @Test
    void theWeatherIsACardWithItsValuesAndTheToolsOwnIsInItsFold() {
        visit.send("weather in Berlin");

        assertThat(cards()).hasCount(1);
        assertThat(cards()).hasAttribute("data-status", "success");
        assertThat(cards().locator(".card-title")).containsText("Berlin");
        assertThat(cards().locator("dt").first()).not().isEmpty();
        assertThat(cards().locator("dd")).hasCount(cards().locator("dt").count());
        visit.awaitQuiet();
        Locator result = visit.page().locator("details.result");
        assertThat(result.locator(".card")).isHidden();
        result.locator("summary").click();
        assertThat(result.locator(".card .card-title")).containsText("Berlin");
    }

    @Test
    void cardsOfOlderMessagesComeWithThem() {
        for (int i = 1; i <= 3; i++) {
            visit.send("/card number " + i);
            assertThat(cards()).hasCount(i);
            visit.awaitQuiet();
        }

        visit.page().reload();

        assertThat(cards().locator(".card-title")).hasText(new String[] {"number 1", "number 2", "number 3"});
    }

    @Test
    void noMoreIsAskedForThanReachesFromOneCardToTheNext() {
        List<String> asked = new ArrayList<>();
        visit.page().route("**/api/v1/agent/history?*", route -> {
            String query = URI.create(route.request().url()).getQuery();
            asked.add(query);
            String seq = query.replaceAll(".*beforeSeq=([0-9]+).*", "$1");
            route.fulfill(new Route.FulfillOptions().setStatus(200).setBody("""
                            {"messages": [{"seq": %d, "uiSchema": null}]}""".formatted(Integer.parseInt(seq) - 1)));
        });

        visit.page().evaluate("""
                async () => {
                  const { Cards } = await import("./console/cards.js");
                  const cards = new Cards(undefined);
                  cards.open("t");
                  const metadata = {worker_agent_output: {ui_hints: {}}};
                  [9, 10, 59, 60, 61].forEach((seq) => cards.want({seq, metadata}, {}));
                }""");

        visit.page().waitForCondition(() -> asked.size() == 5);
        assertThat(asked)
                .containsExactly(
                        "threadId=t&beforeSeq=62&limit=3",
                        "threadId=t&beforeSeq=61&limit=2",
                        "threadId=t&beforeSeq=60&limit=50",
                        "threadId=t&beforeSeq=11&limit=2",
                        "threadId=t&beforeSeq=10&limit=1");
    }

    @Test
    void whatLooksLikeMarkupStaysText() {
        String attack = "<img src=x onerror=\"document.title='hacked'\"><script>alert(1)</script> [a](javascript:b)";

        visit.send("/card " + attack);

        assertThat(cards().locator(".card-title")).hasText(attack);
        assertThat(visit.page().locator("#messages img, #messages script, #messages .card a"))
                .hasCount(0);
        assertThat(visit.page().title()).doesNotStartWith("hacked");
    }

    @Test
    void everyNodeIsDrawnAndNothingIsLoadedFromElsewhere() {
        List<String> asked = new ArrayList<>();
        visit.page().onRequest(request -> asked.add(request.url()));
        draw("""
                {"type": "stack", "appearance": "card", "children": [
                  {"type": "text", "role": "title", "content": "All of them"},
                  {"type": "badge", "label": "PENDING", "status": "pending"},
                  {"type": "text", "role": "code", "content": "<b>1 + 1</b>"},
                  {"type": "text", "role": "body", "format": "markdown", "content": "![x](https://example.org/md.png)"},
                  {"type": "divider"},
                  {"type": "grid", "columns": 2, "gap": 2, "children": [
                    {"type": "icon", "source": "emoji", "value": "🌧"},
                    {"type": "icon", "source": "icon", "value": "check"},
                    {"type": "icon", "source": "url", "value": "https://example.org/icon.png"},
                    {"type": "image", "url": "https://example.org/a.png", "alt": "A map"},
                    {"type": "image", "url": "/console/icon.svg", "alt": "Ours"}]},
                  {"type": "kv", "items": [{"label": "A", "value": "1"}, {"label": "B", "value": "<i>2</i>"}]},
                  {"type": "stack", "direction": "horizontal", "children": [{"type": "text", "content": "inner"}]},
                  {"type": "video", "url": "https://example.org/v.mp4"},
                  {"type": "constructor"}, null, 7]}""");

        assertThat(cards().locator(".row > .card-title")).hasText("All of them");
        assertThat(cards().locator(".row > .status")).hasText("PENDING");
        assertThat(cards().locator("pre")).hasText("<b>1 + 1</b>");
        assertThat(cards().locator(".icon")).hasText(new String[] {"🌧", "✓"});
        assertThat(cards().locator("a")).hasText("A map (example.org)");
        assertThat(cards().locator("a")).hasAttribute("href", "https://example.org/a.png");
        assertThat(cards().locator("a")).hasAttribute("rel", "noopener noreferrer");
        assertThat(cards().locator("img")).hasJSProperty("alt", "Ours");
        assertThat(cards().locator("img")).hasJSProperty("complete", true);
        assertThat(cards().locator("dd")).hasText(new String[] {"1", "<i>2</i>"});
        assertThat(cards().locator(".stack.row")).hasText("inner");
        assertThat(asked).allMatch(url -> url.startsWith(desk.uri().toString()));
    }

    @Test
    void buttonsOpenCopyOrWaitForAnAppAndUnsafeOnesAreNotThere() {
        draw("""
                {"type": "stack", "appearance": "card", "children": [
                  {"type": "button", "label": "Page", "style": "primary", "action": {"type": "url", "url": "https://example.org/x"}},
                  {"type": "button", "label": "Docs", "style": "ghost", "action": {"type": "navigation", "path": "docs"}},
                  {"type": "button", "label": "Copy", "style": "secondary", "action": {"type": "copy", "text": "copied ✓"}},
                  {"type": "button", "label": "Event", "style": "danger", "action": {"type": "event", "name": "e"}},
                  {"type": "button", "label": "Tool", "style": "danger", "action": {"type": "tool", "name": "t"}},
                  {"type": "button", "label": "bad", "action": {"type": "url", "url": "javascript:alert(1)"}},
                  {"type": "button", "label": "bad", "action": {"type": "url", "url": "http://example.org"}},
                  {"type": "button", "label": "bad", "action": {"type": "url", "url": "data:text/html,x"}},
                  {"type": "button", "label": "bad", "action": {"type": "url", "url": "https://a:b@example.org"}},
                  {"type": "button", "label": "bad", "action": {"type": "navigation", "path": "//example.org"}},
                  {"type": "button", "label": "bad", "action": {"type": "navigation", "path": "/\\\\example.org"}},
                  {"type": "button", "label": "bad", "action": {"type": "navigation", "path": "java\\u0000script:alert(1)"}},
                  {"type": "button", "label": "bad", "action": {"type": "navigation", "path": " javascript:alert(1)"}},
                  {"type": "button", "label": "bad", "action": {"type": "format"}}]}""");

        assertThat(cards().locator(".action")).hasText(new String[] {"Page", "Docs", "Copy", "Event", "Tool"});
        assertThat(link("Page")).hasAttribute("href", "https://example.org/x");
        assertThat(link("Page")).hasAttribute("rel", "noopener noreferrer");
        assertThat(link("Docs")).hasJSProperty("href", desk.uri() + "docs");
        assertThat(visit.button("Event")).isDisabled();
        assertThat(visit.button("Tool")).isDisabled();
        visit.button("Copy").press("Enter");
        assertThat(visit.button("Copied")).isVisible();
        assertThat(visit.button("Copy").and(visit.page().getByText("Copy", new Page.GetByTextOptions().setExact(true))))
                .isEnabled();
        assertThat(visit.page().evaluate("navigator.clipboard.readText()")).isEqualTo("copied ✓");
    }

    private Locator link(String name) {
        return visit.page().getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    /** Draws what no server of ours would compile, by the console's own means. */
    private void draw(String root) {
        visit.page().evaluate("""
                async (root) => {
                  const { card } = await import("./console/card.js");
                  const body = document.createElement("div");
                  body.className = "body";
                  body.append(card({version: "2.0", locale: "en", status: "info", theme: "default", root: JSON.parse(root)}));
                  const item = document.createElement("li");
                  item.append(body);
                  document.getElementById("welcome").hidden = true;
                  document.getElementById("messages").append(item);
                }""", root);
    }
}
