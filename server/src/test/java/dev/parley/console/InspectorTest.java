package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The inspector shows the events of a run, after the run and during it. */
class InspectorTest {
    private static final int WORDS = 200;
    /** The events beside the text: the start and end of the run, of its one stage, and of the text. */
    private static final int OTHER_EVENTS = 6;

    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    private Locator fact(String name) {
        return visit.page()
                .locator(".inspector-head .inspector-fact", new Page.LocatorOptions().setHasText(name))
                .locator("dd");
    }

    @Test
    void aRunNamesItsTeamAndLinksToItsQuestion() {
        visit.send("/team plan a trip");
        assertThat(visit.messages().last()).hasAttribute("data-role", "assistant");
        visit.awaitQuiet();
        visit.act(visit.messages().last(), "Inspect run");
        assertThat(fact("Had others do")).containsText("Researcher");
        assertThat(fact("Had others do")).containsText("Writer");

        visit.link("Researcher").click();
        assertThat(fact("Part of")).hasCount(1);
        fact("Part of").locator("a").click();
        visit.link("message 1").click();

        assertThat(visit.region().locator("[data-sought] article[data-seq='1']"))
                .containsText("/team plan a trip");
        assertThat(visit.region().locator("article[data-seq='1']")).isFocused();
        assertThat(visit.region().locator("[data-sought]")).hasCount(0);
    }

    @Test
    void anActiveRunIsFollowedOverTheExistingConnection() {
        List<String> ownStreams = new CopyOnWriteArrayList<>();
        visit.page().onRequest(request -> {
            if (request.url().contains("runId=")) {
                ownStreams.add(request.url());
            }
        });
        visit.send("/slow " + WORDS);
        assertThat(visit.lastText()).containsText("1 2");
        visit.page().evaluate("""
                async () => {
                  const thread = location.hash.split("/")[2];
                  const answer = await fetch(`api/v1/agent/threads/${thread}/runs`);
                  location.hash += `/runs/${(await answer.json()).runs[0].runId}`;
                }""");
        visit.tab("Events").click();
        Locator events = visit.page().locator(".inspector-events");
        assertThat(events).containsText("More may come");
        assertThat(visit.lastText()).hasText(Visit.counted(WORDS));

        assertThat(events).not().containsText("More may come");
        assertThat(events.locator("option").first()).hasText("All types (" + (WORDS + OTHER_EVENTS) + ")");
        assertThat(ownStreams).isEmpty();
    }
}
