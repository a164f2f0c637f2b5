package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A conversation of 100,000 messages is read from its end, its beginning and its middle, in a page that stays small.
 */
class LongThreadTest {
    private static final int COUNT = 100_000;

    @RegisterExtension
    static final Desk desk = new Desk();

    @Test
    void thePageStaysSmallWhileTheThreadIsScrolled() {
        Visit visit = desk.visit();
        String thread = fill(visit);
        visit.page().navigate(desk.uri() + "#/t/" + thread);
        assertThat(visit.lastText()).hasText("message " + COUNT);
        assertThat(visit.lastText()).isInViewport();
        assertSmall(visit);

        visit.region().evaluate("region => { region.scrollTop = 0; }");
        Locator first = visit.region().locator("article[data-seq='1']");
        assertThat(first).containsText("message 1");
        assertThat(first).isInViewport();
        assertSmall(visit);

        visit.region().evaluate("region => { region.scrollTop = region.scrollHeight / 2; }");
        visit.page().waitForFunction("""
                () => {
                  const region = document.querySelector("[aria-label=Messages]");
                  const middle = region.clientHeight / 2 + region.getBoundingClientRect().top;
                  return [...region.querySelectorAll("article")].some((article) => {
                    const {top, bottom} = article.getBoundingClientRect();
                    const seq = Number(article.dataset.seq);
                    return bottom > 0 && top < 2 * middle && seq > 30_000 && seq < 70_000
                      && article.textContent.includes("message " + seq);
                  });
                }""");
        assertSmall(visit);

        visit.button("Jump to the latest").click();
        assertThat(visit.lastText()).hasText("message " + COUNT);
        assertThat(visit.lastText()).isInViewport();
        assertSmall(visit);
    }

    /** Fills the log directly: posting so many messages would take minutes. */
    private static String fill(Visit visit) {
        String thread = (String) visit.page().evaluate("""
                () => fetch("api/v1/chat/threads", {
                  method: "POST", headers: {"Content-Type": "application/json"}, body: "{}",
                }).then((answer) => answer.json()).then((made) => made.thread_id)""");
        desk.server().execute("""
                insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, digest)
                select '%s', s, s, 'id-' || s, 0, 'user:' || s %% 3, 'user',
                    'message ' || s || repeat(' and so on', (s %% 5)::int),
                    now() - (%d - s) * interval '1 minute', '\\x00'
                from generate_series(1, %d) as s""".formatted(thread, COUNT, COUNT), """
                update thread_heads set last_seq = %d, last_position = %d where thread_id = '%s'
                """.formatted(COUNT, COUNT, thread));
        return thread;
    }

    private static void assertSmall(Visit visit) {
        assertThat(visit.messages().count()).isBetween(1, 100);
        assertThat((int) visit.page().evaluate("() => document.querySelectorAll('*').length"))
                .isLessThan(4_000);
    }
}
