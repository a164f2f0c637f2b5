package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import dev.parley.testkit.chat.ScriptedDiscord;
import dev.parley.testkit.chat.ScriptedPlatforms;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Long answers go to Slack, Discord and iMessage at once, each in several parts. The server is killed after a platform
 * has taken a part and before the server has seen the platform's answer. After a restart the server sends the missing
 * parts and no others.
 */
class DeliveryKillTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String CHANNEL = "C06RY3YBSLE";
    private static final String CHAT = "iMessage;-;+15550100";
    private static final String OLIVIA = "U06STGBF4Q0";

    private final ScriptedPlatforms platforms = new ScriptedPlatforms(Clock.systemUTC());
    private final ScriptedSlack slack = platforms.slack();
    private final ScriptedDiscord discord = platforms.discord();
    private final DiscordChannel discordChannel = discord.open("901000000000000100");
    private final ScriptedBlueBubbles mac = platforms.mac();
    private TestDatabase scratch;
    private Database database;
    private Path data;

    @BeforeEach
    void open() throws IOException {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 2);
        data = Scratch.folder("data");
        slack.openChannel(CHANNEL);
        slack.addUser(OLIVIA, "Olivia", "Olivia Example");
        slack.limitPosts(2, Duration.ofSeconds(1));
        discord.limitPosts(2, Duration.ofSeconds(1));
        mac.addChat(CHAT);
        mac.addContact("+15550100", "Alex");
    }

    @AfterEach
    void close() throws IOException {
        platforms.close();
        database.close();
        scratch.close();
        Scratch.delete(data);
    }

    private ServerProcess start() throws IOException {
        ServerProcess server = ServerProcess.start(
                data,
                platforms.flags(
                        "--database-url",
                        scratch.address().jdbcUrl(),
                        "--database-user",
                        scratch.address().user(),
                        "--database-password",
                        scratch.address().password(),
                        "--limit-delivery-lease",
                        "2s"));
        platforms.reachedAt(server.uri());
        return server;
    }

    /** Distinct paragraphs, so that a missing or doubled one shows. */
    private static String paragraphs(String about, int count, int words) {
        return IntStream.range(0, count)
                .mapToObj(i -> about + " " + i + ": " + "слово词kelime".repeat(words))
                .collect(Collectors.joining("\n\n"));
    }

    @Test
    void eachPartArrivesOnceAfterKills() throws Exception {
        String toSlack = paragraphs("testing from slack", 60, 14);
        String toDiscord = paragraphs("testing from discord", 14, 14);
        String toMac = paragraphs("testing from imessage", 60, 14);
        LocalApi.Fault hang = new LocalApi.Fault.Hang();
        slack.api().fail("/chat.postMessage", new LocalApi.Fault.Delay(Duration.ZERO));
        slack.api().fail("/chat.postMessage", hang);
        discord.api().fail("/messages", new LocalApi.Fault.Delay(Duration.ZERO));
        discord.api().fail("/messages", hang);
        mac.api().fail("/message/text", hang);
        try (ServerProcess server = start()) {
            SlackPost post = slack.say(CHANNEL, OLIVIA, "<@" + ScriptedSlack.BOT_USER + "> " + toSlack, null);
            assertThat(platforms.bring(SlackPostman.mention(post))).isEqualTo(200);
            DiscordChannel.Message question = discord.say(
                    discordChannel,
                    new DiscordChannel.User("302050872383242240", "olivia", "Olivia", false),
                    toDiscord);
            assertThat(platforms.forward(DiscordCaller.created(discordChannel, question, ScriptedDiscord.BOT)))
                    .isEqualTo(200);
            mac.say(CHAT, "+15550100", toMac);
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(slack.answers(CHANNEL)).as("Slack").hasSizeGreaterThan(1);
                assertThat(discord.answers(discordChannel)).as("Discord").hasSizeGreaterThan(1);
                assertThat(mac.sent(CHAT)).as("the Mac").isNotEmpty();
            });
            server.killNow();
        }
        platforms.heal();
        try (ServerProcess server = start()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(states()).hasSize(3).allMatch(state -> state.endsWith(" sent")));
            assertThat(server.output()).noneMatch(line -> line.contains(ScriptedSlack.TOKEN));
        }
        assertWhole(slack.answers(CHANNEL).stream().map(SlackPost::shown).toList(), "testing from slack", 60);
        assertWhole(discord.answers(discordChannel), "testing from discord", 14);
        assertWhole(mac.sent(CHAT), "testing from imessage", 60);
        assertThat(discord.violations()).isEmpty();
    }

    /** The states of the delivered parts, by platform. */
    private List<String> states() {
        return database.read(
                handle -> handle.createQuery("""
                        select distinct t.source || ' ' || d.state from deliveries d
                        join destinations t using (destination_id)""").mapTo(String.class).list());
    }

    private static void assertWhole(List<String> parts, String about, int count) {
        assertThat(parts).hasSizeGreaterThan(1);
        String whole = String.join("\n\n", parts);
        List<String> found = whole.lines()
                .map(line -> line.startsWith("You said: ") ? line.substring("You said: ".length()) : line)
                .filter(line -> line.contains(about))
                .map(line -> line.substring(
                        line.indexOf(about) + about.length() + 1, line.indexOf(":", line.indexOf(about))))
                .toList();
        assertThat(found)
                .as(about)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }
}
