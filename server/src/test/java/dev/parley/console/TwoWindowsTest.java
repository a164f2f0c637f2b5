package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several windows of one person show the same content, over one connection to the server. */
class TwoWindowsTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    @Test
    void twoTabsShowTheSameOverOneConnection() {
        visit.ask("Who is there?", "You said: Who is there?");
        Visit second = visit.secondTab();
        assertThat(second.lastText()).hasText("You said: Who is there?");

        second.send("/slow 10");
        assertThat(visit.lastText()).hasText(Visit.counted(10));
        visit.awaitQuiet();
        second.awaitQuiet();
        visit.send("Me too");

        assertThat(second.lastText()).hasText("You said: Me too");
        assertThat(visit.lastText()).hasText("You said: Me too");
        visit.awaitQuiet();
        second.awaitQuiet();
        String[] all = {
            "Who is there?", "You said: Who is there?", "/slow 10", Visit.counted(10), "Me too", "You said: Me too"
        };
        assertThat(visit.texts()).hasText(all);
        assertThat(second.texts()).hasText(all);
        // Streams of earlier tests may still be closing.
        await().atMost(Duration.ofSeconds(20)).until(() -> desk.server().metric("parley_sse_open") == 1);
    }

    @Test
    void theOtherTabGoesOnWhenTheFirstIsClosed() {
        visit.ask("Hello", "You said: Hello");
        Visit second = visit.secondTab();
        assertThat(second.lastText()).hasText("You said: Hello");

        visit.page().close();

        second.ask("Still there?", "You said: Still there?");
        assertThat(second.texts()).hasCount(4);
    }

    @Test
    void anotherBrowserSeesTheListMoveAndTheAnswerGrow() {
        visit.ask("First matter", "You said: First matter");
        Visit elsewhere = desk.visit();
        elsewhere.thread("First matter").first().click();
        assertThat(elsewhere.lastText()).hasText("You said: First matter");

        visit.send("/slow 10");

        assertThat(elsewhere.lastText()).hasText(Visit.counted(10));
        elsewhere.awaitQuiet();
        assertThat(elsewhere.thread("First matter").first()).containsText("1 2 3");
    }
}
