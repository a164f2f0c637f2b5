package dev.parley.testkit.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScriptedPlatformsTest {
    private static final DiscordChannel.User OLIVIA =
            new DiscordChannel.User("302050872383242240", "olivia", "Olivia", false);

    @Test
    void everyPlatformBringsItsEventsToTheServer() {
        try (ScriptedPlatforms platforms = new ScriptedPlatforms(Clock.systemUTC());
                LocalApi server = new LocalApi(request -> new LocalApi.Answer(200, Map.of(), new byte[0]))) {
            platforms.reachedAt(server.url());
            String channel = platforms.slack().openChannel();
            assertThat(platforms.bring(
                            SlackPostman.message(platforms.slack().say(channel, "U0000000001", "hello", null))))
                    .isEqualTo(200);
            DiscordChannel guild = platforms.discord().open("901000000000000100");
            assertThat(platforms.forward(
                            DiscordCaller.created(guild, platforms.discord().say(guild, OLIVIA, "hello"))))
                    .isEqualTo(200);
            platforms.mac().addChat("iMessage;-;+15550100");
            platforms.mac().say("iMessage;-;+15550100", "+15550100", "hello");
            platforms.mac().settle();
            assertThat(server.requests())
                    .extracting(request -> request.path().split("/")[4])
                    .containsExactly("slack", "discord", "bluebubbles");
        }
    }

    @Test
    void theFlagsNameEveryPlatformAndWhatElseIsAsked() {
        try (ScriptedPlatforms platforms = new ScriptedPlatforms(Clock.systemUTC())) {
            assertThat(platforms.flags("--log-level", "error"))
                    .contains(
                            platforms.slack().url().toString(),
                            platforms.discord().url().toString(),
                            platforms.mac().url().toString())
                    .endsWith("--log-level", "error");
        }
    }
}
