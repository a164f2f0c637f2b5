package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.agents.RegisteredAgent;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The form for a new agent begins with a configuration that the server accepts once its blanks are filled in. */
class AgentFormTest {
    /** The blanks of each template, with a valid value. */
    private static final Map<String, Map<String, String>> BLANKS = Map.of(
            "external", Map.of(),
            "demo", Map.of(),
            "agui", Map.of("\"https://\"", "\"https://agents.example.org/run\""),
            "model", Map.of("\"model\": \"\"", "\"model\": \"gpt-test\""));

    @RegisterExtension
    static final Desk desk = new Desk("--secret-openai-key", "of-no-use-to-anybody");

    @Test
    void templateOfEachKindIsAcceptedWithFilledBlanks() {
        Visit visit = desk.visit();
        visit.page().navigate(desk.uri() + "#/operate/agents");
        Locator dialog = visit.page().getByRole(AriaRole.DIALOG);
        for (RegisteredAgent.Kind each : RegisteredAgent.Kind.values()) {
            String kind = each.name().toLowerCase(Locale.ROOT);
            visit.button("New agent").click();
            dialog.getByLabel("Name").fill("助手 " + kind);
            dialog.getByLabel("Kind").selectOption(kind);
            fill(dialog.getByLabel("Configuration"), BLANKS.getOrDefault(kind, Map.of()));
            if (each == RegisteredAgent.Kind.MODEL) {
                Screens.picture(visit, "agent-form");
            }
            visit.button("Make it").click();

            assertThat(visit.page().getByRole(AriaRole.TABLE)).containsText("助手 " + kind);
            assertThat(dialog).hasCount(0);
        }
    }

    private static void fill(Locator configuration, Map<String, String> blanks) {
        String text = configuration.inputValue();
        for (Map.Entry<String, String> blank : blanks.entrySet()) {
            assertThat(text).contains(blank.getKey());
            text = text.replace(blank.getKey(), blank.getValue());
        }
        configuration.fill(text);
    }
}
