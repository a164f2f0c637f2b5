package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The line "New" stands above messages from the reader's absence, and nowhere else. */
class NewLineTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    /** The text below the line. */
    private Locator firstNew() {
        return visit.region()
                .locator(".conversation-row")
                .filter(new Locator.FilterOptions().setHas(visit.page().locator(".conversation-new")))
                .locator(".conversation-text");
    }

    /** Headless Chromium treats every page as visible, so the page is overridden. */
    private void setHidden(boolean hidden) {
        visit.page().evaluate("""
                (hidden) => {
                  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
                  document.dispatchEvent(new Event("visibilitychange"));
                }""", hidden);
    }

    @Test
    void ownMessageAndWatchedAnswerHaveNoLine() {
        visit.ask("你好", "You said: 你好");
        visit.page().reload();
        assertThat(visit.lastText()).hasText("You said: 你好");

        visit.ask("مرحبا", "You said: مرحبا");
        visit.ask("/slow 20", Visit.counted(20));
        assertThat(firstNew()).hasCount(0);

        String conversation = visit.page().url();
        visit.link("New conversation").click();
        assertThat(visit.page().locator(".welcome")).isVisible();
        visit.page().navigate(conversation);
        assertThat(visit.lastText()).hasText(Visit.counted(20));
        assertThat(firstNew()).hasCount(0);
    }

    @Test
    void answerFromTheReadersAbsenceHasTheLineUntilTheReaderWrites() {
        visit.ask("before", "You said: before");
        visit.send("/slow 40");
        assertThat(visit.lastText()).containsText("1 2 3");
        String conversation = visit.page().url();
        visit.link("New conversation").click();
        assertThat(visit.thread("before").first()).containsText("1 unread");

        visit.page().navigate(conversation);

        assertThat(firstNew()).hasText(Visit.counted(40));
        Screens.picture(visit, "new-line");
        visit.ask("after", "You said: after");
        assertThat(firstNew()).hasCount(0);
    }

    @Test
    void answerInAHiddenTabHasTheLine() {
        visit.ask("before", "You said: before");
        visit.send("/slow 40");
        assertThat(visit.lastText()).containsText("1 2 3");

        setHidden(true);
        assertThat(visit.lastText()).hasText(Visit.counted(40));
        visit.awaitQuiet();
        setHidden(false);

        assertThat(firstNew()).hasText(Visit.counted(40));
    }
}
