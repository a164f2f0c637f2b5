package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The names that are offered after an {@code @}. */
class MentionListTest {
    private static final String LONG_NAME =
            "مساعدة الميناء 港口助理 and keeper of the tide tables of the northern shore 🌊";

    /** Creates an agent of the name and adds it to the open conversation. */
    private static final String ADD_AGENT = """
            async (name) => {
              const post = async (path, body) => {
                const headers = {"Content-Type": "application/json"};
                return (await fetch(path, {method: "POST", headers, body: JSON.stringify(body)})).json();
              };
              const {sender_id} = await post("/api/v1/owner/agents", {display_name: name});
              const thread = location.hash.match(/[0-9a-f-]{36}/)[0];
              await post(`/api/v1/chat/threads/${thread}/participants`, {sender_ids: [sender_id]});
            }""";

    /** The number of lines of each element. */
    private static final String LINES = """
            (all) => all.map((each) => Math.round(each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)))
            """;

    @RegisterExtension
    static final Desk desk = new Desk();

    @Test
    void otherNamesAreOfferedInOneLineEach() {
        Visit visit = desk.visit();
        visit.ask("Hello", "You said: Hello");
        visit.page().evaluate(ADD_AGENT, LONG_NAME);
        visit.composer().pressSequentially("@");

        Locator names = visit.page()
                .getByRole(AriaRole.LISTBOX)
                .getByRole(AriaRole.OPTION)
                .locator("bdi");

        assertThat(names).hasText(new String[] {"Demo", LONG_NAME});
        Screens.picture(visit, "mentions");
        assertThat(names.evaluateAll(LINES)).isEqualTo(List.of(1, 1));
        visit.composer().press("Enter");
        assertThat(visit.composer()).hasValue("@Demo ");
    }
}
