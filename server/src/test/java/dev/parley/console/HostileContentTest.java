package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile content in messages never runs, loads other sites or breaks the page. */
class HostileContentTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    private List<String> elsewhere() {
        List<String> requests = new ArrayList<>();
        visit.page().onRequest(request -> {
            if (!request.url().startsWith(desk.uri().toString())
                    && !request.url().startsWith("blob:" + desk.uri())) {
                requests.add(request.url());
            }
        });
        return requests;
    }

    private void assertHarmless() {
        assertThat(visit.page()
                        .locator("#root")
                        .locator("script, iframe, object, embed, img, svg script, [onerror], style"))
                .hasCount(0);
        assertThat(visit.page().locator("a[href^='javascript:' i], a[href^='data:' i], a[href^='vbscript:' i]"))
                .hasCount(0);
        assertThat(visit.page().title()).doesNotContain("hacked");
        assertThat(sidewaysOverflow()).isZero();
    }

    private int sidewaysOverflow() {
        return (int) visit.page().evaluate("""
                () => Math.max(...[document.documentElement, document.querySelector("[aria-label=Messages]")]
                    .map((element) => element.scrollWidth - element.clientWidth))""");
    }

    /**
     * A user's message is shown as plain text; the demo agent repeats it, and an agent's message is rendered as
     * markdown.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">",
                "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe><svg onload=alert(1)>",
                "[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <a href='javascript:1'>x</a>",
                "![pixel](https://tracker.example/pixel.png) <img src='https://tracker.example/2.png'>",
                "\u202Eelif\u202C \u2066bidi\u2069 \u0645\u0631\u062D\u0628\u0627 中文 👩‍👩‍👧‍👦 e\u0301\u0301\u0301\u0301",
            })
    void hostileContentNeitherRunsNorLoads(String attack) {
        List<String> requests = elsewhere();

        visit.send(attack);

        assertThat(visit.messages().first().locator(".conversation-text")).hasText(attack);
        assertThat(visit.lastText()).containsText("You said:");
        visit.awaitQuiet();
        assertHarmless();
        visit.act(visit.messages().last(), "Inspect run");
        visit.tab("What the model saw").click();
        assertThat(visit.page()
                        .getByRole(AriaRole.TABPANEL)
                        .locator(".seen-text")
                        .last())
                .hasText(attack);
        assertHarmless();
        assertThat(requests).isEmpty();
    }

    @Test
    void linksShowTheirTargetAndSendNoReferrer() {
        visit.send("[your bank](https://bank.example.org.evil.example/login) and https://plain.example/path");

        Locator link = visit.lastText().locator("a");
        assertThat(link).hasCount(2);
        assertThat(link.first()).hasAttribute("href", "https://bank.example.org.evil.example/login");
        for (Locator each : link.all()) {
            assertThat(each).hasAttribute("rel", "noopener noreferrer nofollow");
            assertThat(each).hasAttribute("target", "_blank");
        }
        assertThat(visit.lastText()).containsText("(bank.example.org.evil.example)");
        visit.awaitQuiet();
    }

    @Test
    void longWordsAndMarkupStayWithinTheirElement() {
        String longWord = "Donaudampfschifffahrtsgesellschaft".repeat(12);
        visit.send("weather in <b>" + longWord + "</b>");
        assertThat(visit.lastText()).containsText("The weather in");
        visit.awaitQuiet();
        assertThat(visit.cards().last()).containsText("<b>");
        assertHarmless();
        visit.send("/card <img src=x onerror=alert(1)> " + longWord);
        assertThat(visit.cards().last()).containsText("<img src=x");
        visit.awaitQuiet();
        assertHarmless();
    }
}
