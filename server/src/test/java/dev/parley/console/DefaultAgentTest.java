package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The empty conversation names the agent that answers in it, and offers the demo agent's examples for that agent only.
 */
class DefaultAgentTest {
    @Test
    void emptyConversationNamesTheConfiguredDefaultAgent(@TempDir Path folder) throws IOException {
        Path agents = Files.writeString(folder.resolve("agents.yaml"), """
                agents:
                  helper:
                    kind: model
                    display_name: 助手 Helper
                    provider: ollama
                    model: qwen3:8b
                """);
        try (Desk desk = Desk.start("--agents-file", agents.toString(), "--default-agent", "helper")) {
            Visit visit = desk.visit();
            visit.link("New conversation").click();
            Locator welcome = visit.page().locator(".welcome");

            assertThat(welcome).containsText("助手 Helper answers.");
            assertThat(welcome).not().containsText("Demo");
            assertThat(welcome.locator("button")).hasCount(0);
            Screens.picture(visit, "default-agent");
        }
    }

    @Test
    void emptyConversationOffersWordsForTheDemoAgent() throws IOException {
        try (Desk desk = Desk.start()) {
            Visit visit = desk.visit();
            visit.link("New conversation").click();
            assertThat(visit.page().locator(".welcome")).containsText("Demo answers. Demo knows these, among others:");
            assertThat(visit.button("weather in Lisbon")).isVisible();
            Screens.picture(visit, "welcome");
        }
    }
}
