package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedSlack;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The display names of Slack's users: looked up, cached, and late. */
class SlackNamesTest {
    private final SlackScene scene = SlackScene.withToken();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void namesAreCached() {
        scene.metadata("message");
        scene.metadata("message");
        assertThat(scene.slack.api().requests("users.info")).hasSize(1);

        scene.clock.advance(Duration.ofMinutes(61));
        scene.slack.addUser(SlackScene.OLIVIA, "Olivia B.", "Olivia Example");

        assertThat(scene.metadata("message").path("sender_display_name").asString())
                .isEqualTo("Olivia B.");
    }

    @Test
    void failedNameIsTheIdForAShortTime() {
        scene.slack.api().fail("users.info", new Fault.LoseAnswer());

        assertThat(scene.metadata("message").path("sender_display_name").asString())
                .isEqualTo(SlackScene.OLIVIA);
        assertThat(scene.metadata("message").path("sender_display_name").asString())
                .isEqualTo(SlackScene.OLIVIA);

        scene.clock.advance(Duration.ofSeconds(31));
        assertThat(scene.metadata("message").path("sender_display_name").asString())
                .isEqualTo("Olivia");
    }

    @Test
    void slowNameDoesNotDelayTheAnswerToSlack() {
        try (SlackScene hanging = new SlackScene(ScriptedSlack.TOKEN, Duration.ofMillis(50))) {
            hanging.slack.api().fail("users.info", new Fault.Hang());
            long before = System.nanoTime();

            JsonNode metadata = hanging.posted("message").message().metadata();

            assertThat(metadata.path("sender_display_name").asString()).isEqualTo(SlackScene.OLIVIA);
            // The lookup gives up after ten seconds.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        }
    }
}
