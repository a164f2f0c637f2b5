package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first steps of a new user on a server without configuration and key. */
class NewcomerTest {
    private static final Photo SEA = new Photo("sea.png", 640, 400);

    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    @Test
    void aFirstMessageIsOfferedAndAnsweredWithAToolCallAndACard() {
        visit.button("weather in Lisbon").click();

        assertThat(visit.lastText()).hasText("The weather in Lisbon: light rain, 11 °C.");
        visit.awaitQuiet();
        assertThat(visit.texts())
                .hasText(new String[] {"weather in Lisbon", "The weather in Lisbon: light rain, 11 °C."});
        assertThat(visit.cards().last()).containsText("Humidity");
        Locator call = visit.region().locator("details.conversation-tool");
        assertThat(call).hasCount(1);
        assertThat(call.locator("summary")).containsText("get_weather");
        call.locator("summary").click();
        assertThat(call.getByLabel("Arguments")).containsText("Lisbon");
        assertThat(call.getByLabel("Result")).containsText("light rain");
        assertThat(visit.thread("weather in Lisbon").first()).containsText("The weather in Lisbon");
    }

    @Test
    void aReloadInMidAnswerShowsTheWholeTextOnce() {
        visit.send("/slow 200");
        assertThat(visit.lastText()).containsText("1 2 3 4 5");

        visit.page().reload();

        assertThat(visit.page().locator("article[data-state=growing]")).containsText("1 2 3 4 5");
        assertThat(visit.lastText()).hasText(Visit.counted(200));
        visit.awaitQuiet();
        assertThat(visit.texts()).hasText(new String[] {"/slow 200", Visit.counted(200)});
        visit.page().reload();
        assertThat(visit.texts()).hasText(new String[] {"/slow 200", Visit.counted(200)});
    }

    @Test
    void imagesArePastedAndDroppedAndAreThereAfterAReload() {
        String bytes = Base64.getEncoder().encodeToString(SEA.png());
        String bring = """
                (field, [bytes, kind]) => {
                  const data = new DataTransfer();
                  const file = Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0));
                  data.items.add(new File([file], kind + ".png", {type: "image/png"}));
                  const how = {bubbles: true, cancelable: true};
                  field.dispatchEvent(kind === "paste"
                    ? new ClipboardEvent(kind, {...how, clipboardData: data})
                    : new DragEvent(kind, {...how, dataTransfer: data}));
                }""";
        visit.composer().evaluate(bring, List.of(bytes, "paste"));
        visit.composer().evaluate(bring, List.of(bytes, "drop"));
        assertThat(visit.uploads("ready")).hasCount(2);
        visit.button("Remove paste.png").click();
        assertThat(visit.uploads("ready")).hasCount(1);

        visit.send("Look");

        assertThat(visit.lastText()).containsText(SEA.seen());
        visit.awaitQuiet();
        Locator picture = visit.messages().first().locator("img");
        assertThat(picture).hasAttribute("alt", "drop.png");
        assertThat(picture).hasJSProperty("naturalWidth", 640);
        visit.page().reload();
        assertThat(visit.messages().first().locator("img")).hasJSProperty("naturalWidth", 640);
        assertThat(visit.uploads("ready")).hasCount(0);
    }

    @Test
    void theModelsContextIsShown() {
        visit.ask("first question", "You said: first question");
        visit.ask("second question", "You said: second question");

        visit.act(visit.messages().last(), "Inspect run");

        assertThat(visit.tab("Timeline")).hasAttribute("aria-selected", "true");
        visit.tab("Timeline").press("End");
        assertThat(visit.tab("What the model saw")).isFocused();
        Locator panel = visit.page().getByRole(AriaRole.TABPANEL);
        assertThat(panel.locator(".seen-message .seen-text"))
                .hasText(new String[] {"first question", "You said: first question", "second question"});
        panel.getByLabel("Compare with").selectOption(new SelectOption().setIndex(1));
        assertThat(panel.locator(".seen-added .seen-text"))
                .hasText(new String[] {"You said: first question", "second question"});
        visit.tab("What the model saw").press("Escape");
        assertThat(panel).hasCount(0);
    }

    @Test
    void theConsoleWorksByKeyboardAlone() {
        visit.composer().focus();
        visit.page().keyboard().type("first line");
        visit.page().keyboard().press("Shift+Enter");
        visit.page().keyboard().type("second line");
        visit.page().keyboard().press("Enter");
        assertThat(visit.messages().first().locator(".conversation-text")).hasText("first line\nsecond line");
        assertThat(visit.lastText()).containsText("You said: first line");
        visit.awaitQuiet();
        visit.page().keyboard().type("/slow 1000");
        visit.page().keyboard().press("Enter");
        assertThat(visit.lastText()).containsText("1 2 3");

        visit.page().keyboard().press("Escape");

        assertThat(visit.notice("stopped")).containsText("Stopped");
        visit.awaitQuiet();
        assertThat(visit.messages().last()).containsText("Cut short");
    }
}
