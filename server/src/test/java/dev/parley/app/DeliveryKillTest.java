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
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.io.IOException;
import java.net.URI;
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
 * Long answers go to Slack, Discord and iMessage at once, in several parts each, and the server is killed while a platform
 * has taken a part whose answer nobody has seen. Started again, it sends what is missing and nothing else.
 */
class DeliveryKillTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DISCORD_KEY = "a key of the relay of Discord";
    private static final String MAC_SECRET = "a-secret-path-of-the-mac";
    private static final String CHANNEL = "C06RY3YBSLE";
    private static final String CHAT = "iMessage;-;+15550100";
    private static final String OLIVIA = "U06STGBF4Q0";

    private final ScriptedSlack slack = new ScriptedSlack(Clock.systemUTC());
    private final SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());
    private final ScriptedDiscord discord = new ScriptedDiscord(Clock.systemUTC());
    private final DiscordCaller discordApp = new DiscordCaller();
    private final DiscordChannel discordChannel = discord.open("901000000000000100");
    private final ScriptedBlueBubbles mac = new ScriptedBlueBubbles(Clock.systemUTC());
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
        mac.close();
        discord.close();
        postman.close();
        slack.close();
        database.close();
        scratch.close();
        Scratch.delete(data);
    }

    private ServerProcess start() throws IOException {
        ServerProcess server = ServerProcess.start(
                data,
                "--database-url",
                scratch.address().jdbcUrl(),
                "--database-user",
                scratch.address().user(),
                "--database-password",
                scratch.address().password(),
                "--limit-delivery-lease",
                "2s",
                "--slack-signing-secret",
                ScriptedSlack.SIGNING_SECRET,
                "--slack-bot-token",
                ScriptedSlack.TOKEN,
                "--slack-api-url",
                slack.url().toString(),
                "--discord-public-key",
                discordApp.publicKey(),
                "--discord-bot-token",
                ScriptedDiscord.TOKEN,
                "--discord-api-url",
                discord.url().toString(),
                "--integration-keys",
                "discord=" + DISCORD_KEY,
                "--bluebubbles-url",
                mac.url().toString(),
                "--bluebubbles-password",
                ScriptedBlueBubbles.PASSWORD,
                "--bluebubbles-webhook-secret",
                MAC_SECRET);
        mac.tell(URI.create(server.uri() + "/api/v1/integrations/bluebubbles/" + MAC_SECRET));
        return server;
    }

    /** Paragraphs that can be told apart, so that one that is missing or doubled shows. */
    private static String paragraphs(String about, int count, int words) {
        return IntStream.range(0, count)
                .mapToObj(i -> about + " " + i + ": " + "слово词kelime".repeat(words))
                .collect(Collectors.joining("\n\n"));
    }

    @Test
    void whateverIsKilledEachPartArrivesOnce() throws Exception {
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
            URI events = URI.create(server.uri() + "/api/v1/integrations/slack/events");
            assertThat(postman.bring(events, SlackPostman.mention(post)).statusCode())
                    .isEqualTo(200);
            DiscordChannel.Message asked = discord.say(
                    discordChannel,
                    new DiscordChannel.User("302050872383242240", "olivia", "Olivia", false),
                    toDiscord);
            assertThat(DiscordCaller.forward(
                                    URI.create(server.uri() + "/api/v1/integrations/discord/relay"),
                                    DISCORD_KEY,
                                    DiscordCaller.created(discordChannel, asked, ScriptedDiscord.BOT)
                                            .toString())
                            .statusCode())
                    .isEqualTo(200);
            mac.say(CHAT, "+15550100", toMac);
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(slack.answers(CHANNEL)).as("Slack").hasSizeGreaterThan(1);
                assertThat(answers()).as("Discord").hasSizeGreaterThan(1);
                assertThat(sentByMac()).as("the Mac").isNotEmpty();
            });
            server.killNow();
        }
        slack.api().heal();
        discord.api().heal();
        mac.api().heal();
        try (ServerProcess server = start()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(states()).hasSize(3).allMatch(state -> state.endsWith(" sent")));
            assertThat(server.output()).noneMatch(line -> line.contains(ScriptedSlack.TOKEN));
        }
        assertWhole(slack.answers(CHANNEL).stream().map(SlackPost::shown).toList(), "testing from slack", 60);
        assertWhole(answers(), "testing from discord", 14);
        assertWhole(sentByMac(), "testing from imessage", 60);
        assertThat(discord.violations()).isEmpty();
    }

    private List<String> answers() {
        return discordChannel.messages().stream()
                .filter(message -> message.author().equals(ScriptedDiscord.BOT))
                .map(DiscordChannel.Message::content)
                .toList();
    }

    private List<String> sentByMac() {
        return mac.messages(CHAT).stream()
                .filter(message -> message.path("isFromMe").asBoolean())
                .map(message -> message.path("text").asString())
                .toList();
    }

    /** What became of the parts of each answer: the states that there are, by platform. */
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
