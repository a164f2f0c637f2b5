package dev.parley.platforms.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.DiscordChannel.Message;
import dev.parley.testkit.chat.DiscordChannel.User;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedDiscord;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A whole server between a scripted Discord and its relay; each test in a channel of its own. */
class DiscordServerTest {
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String KEY = "a configured key of the relay";
    private static final String GUILD = "901000000000000100";
    private static final User OLIVIA = new User("302050872383242240", "olivia.w", "Olivia", false);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static ScriptedDiscord discord;
    private static DiscordCaller caller;
    private static RunningServer server;

    private DiscordChannel channel;

    @BeforeAll
    static void start() {
        discord = new ScriptedDiscord(Clock.systemUTC());
        caller = new DiscordCaller();
        server = RunningServer.start(discord.flags(
                caller.publicKey(),
                KEY + ",relay=another configured key",
                "--operators",
                OPERATOR.toString(),
                "--discord-file-hosts",
                discord.url().getAuthority()));
    }

    @AfterAll
    static void stop() {
        server.close();
        discord.close();
        assertThat(discord.violations()).isEmpty();
    }

    @BeforeEach
    void openChannel() {
        channel = discord.open(GUILD);
    }

    private static URI relay() {
        return URI.create(server.uri() + "/api/v1/integrations/discord/relay");
    }

    private static URI interactions() {
        return URI.create(server.uri() + "/api/v1/integrations/discord/interactions");
    }

    private static int forward(ObjectNode event) {
        return DiscordCaller.forward(relay(), KEY, event.toString()).statusCode();
    }

    /** The stored contents of people's messages in the channel's thread, as hex. */
    private List<String> stored() {
        return server.select("""
            select encode(convert_to(e.content, 'UTF8'), 'hex') from entries e
            join bindings b using (thread_id)
            where b.channel = '%s' and e.author like 'discord:%%' order by e.seq\
            """.formatted(channel.id()));
    }

    private long count(String table) {
        return server.count("select count(*) from %s t join bindings b using (thread_id) where b.channel = '%s'"
                .formatted(table, channel.id()));
    }

    private List<Message> answers() {
        return channel.messages().stream()
                .filter(message -> message.author().equals(ScriptedDiscord.BOT))
                .toList();
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello.",
                " 早上好，世界 ",
                "مرحبا بالعالم",
                "👩‍👩‍👧‍👦 e\u0301 Z\u0336",
                "[Discord channel:1 user:Olivia] x",
                "<@1100000000000000001> a < b && c"
            })
    void aMessageIsStoredByteForByteAndAnsweredOnce(String text) {
        Message said = discord.say(channel, OLIVIA, text);

        assertThat(forward(DiscordCaller.created(channel, said, ScriptedDiscord.BOT)))
                .isEqualTo(200);

        assertThat(stored()).containsExactly(hex(text));
        await().atMost(LIMIT).until(() -> !answers().isEmpty());
        assertThat(count("runs")).isEqualTo(1);
        assertThat(answers()).hasSize(1);
    }

    @Test
    void repeatedMessageIsOneMessageOneRunAndOneAnswer() throws Exception {
        Message said = discord.say(channel, OLIVIA, "Once, please.");
        ObjectNode event = DiscordCaller.created(channel, said);
        List<Callable<Integer>> deliveries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            deliveries.add(() -> forward(event));
        }

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : callers.invokeAll(deliveries)) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
        await().atMost(LIMIT).until(() -> !answers().isEmpty());
        assertThat(forward(event)).isEqualTo(200);

        assertThat(stored()).containsExactly(hex("Once, please."));
        assertThat(count("runs")).isEqualTo(1);
        assertThat(answers()).hasSize(1);
    }

    @Test
    void typingIsShownWhileTheAgentAnswers() {
        forward(DiscordCaller.created(channel, discord.say(channel, OLIVIA, "Are you there?")));

        await().atMost(LIMIT).until(() -> discord.typing().contains(channel.id()));
    }

    @Test
    void lostAnswerOfDiscordCausesNoSecondMessage() {
        discord.api().fail("/channels/" + channel.id() + "/messages", new Fault.LoseAnswer());
        Message said = discord.say(channel, OLIVIA, "Is it there?");

        forward(DiscordCaller.created(channel, said));

        await().atMost(LIMIT).until(() -> server.count("""
            select count(*) from deliveries d join destinations t using (destination_id)
            where t.channel = '%s' and d.state = 'sent'\
            """.formatted(channel.id())) == 1);
        assertThat(answers()).hasSize(1);
    }

    @Test
    void aCommandIsAnsweredAtOnceAndByTheAgentInTheChannel() {
        String command = new String(DiscordScene.fixture("command"), StandardCharsets.UTF_8)
                .replace("901000000000000201", channel.id())
                .replace("1404030000000000002", discord.nextId());

        HttpResponse<String> answer = caller.interact(interactions(), Instant.now(), command);
        HttpResponse<String> again = caller.interact(interactions(), Instant.now(), command);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        assertThat(answer.body()).contains("\"type\":4", "\"flags\":64");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(stored()).containsExactly(hex("¿Qué hora es en 東京? <@302050872383242241>"));
        await().atMost(LIMIT).until(() -> !answers().isEmpty());
        assertThat(answers()).hasSize(1);
    }

    @Test
    void discordsProbesAreAnswered() {
        HttpResponse<String> pong = caller.interact(interactions(), Instant.now(), "{\"type\":1}");
        HttpResponse<String> refused = new DiscordCaller().interact(interactions(), Instant.now(), "{\"type\":1}");
        HttpResponse<String> old =
                caller.interact(interactions(), Instant.now().minus(Duration.ofMinutes(6)), "{\"type\":1}");

        assertThat(pong.statusCode()).isEqualTo(200);
        assertThat(pong.body()).isEqualTo("{\"type\":1}");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(old.statusCode()).isEqualTo(401);
    }

    @Test
    void keysOfTheSourceAreAcceptedAndOthersRefused() {
        String made = server.api(OPERATOR, "Root")
                .post("/api/v1/operator/integration-keys", "{\"source\":\"discord\"}")
                .text("raw_key");
        String event = DiscordCaller.created(channel, discord.say(channel, OLIVIA, "Hi."))
                .toString();

        for (String wrong : List.of(
                "another configured key", "nonsense", server.token(OPERATOR, "Root"), "parley_ik_" + "0".repeat(64))) {
            assertThat(DiscordCaller.forward(relay(), wrong, event).statusCode())
                    .isEqualTo(401);
        }
        assertThat(stored()).isEmpty();
        assertThat(DiscordCaller.forward(relay(), made, event).statusCode()).isEqualTo(200);
        assertThat(stored()).hasSize(1);
    }

    @Test
    void invalidEventIsRefusedAndNotStored() {
        assertThat(DiscordCaller.forward(relay(), KEY, "{\"t\":\"MESSAGE_CREATE\",\"d\":{}}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(DiscordCaller.forward(relay(), KEY, "[]").statusCode()).isEqualTo(400);
    }

    /** The messages of the channel's thread, as its owner reads them. */
    private List<JsonNode> shown() {
        String thread = server.select("select thread_id from bindings where channel = '" + channel.id() + "'")
                .getFirst();
        return server.api(OPERATOR, "Root")
                .get("/api/v1/chat/threads/" + thread + "/messages")
                .json()
                .path("messages")
                .valueStream()
                .toList();
    }

    private JsonNode shown(String author) {
        return shown().stream()
                .filter(message -> message.path("sender_id").asString().equals(author))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void editsReactionsAndDeletionsReachTheMessage() {
        Message said = discord.say(channel, OLIVIA, "helo");
        forward(DiscordCaller.created(channel, said));
        ObjectNode first = DiscordCaller.edited(channel, said, "hello 早", Instant.parse("2026-08-12T09:30:00Z"));
        forward(first);
        forward(DiscordCaller.edited(channel, said, "hello 早上", Instant.parse("2026-08-12T09:31:00Z")));
        // Discord repeats the first edit, as for a late preview of a link.
        forward(first);
        ObjectNode reaction = (ObjectNode) Json.MAPPER.readTree(DiscordScene.fixture("reaction"));
        ((ObjectNode) reaction.get("d"))
                .put("channel_id", channel.id())
                .put("message_id", said.id())
                .put("guild_id", GUILD);
        forward(reaction);

        JsonNode revised = shown("discord:" + OLIVIA.id());
        assertThat(revised.path("content").asString()).isEqualTo("hello 早上");
        assertThat(revised.path("reactions").toString()).contains("👍🏽");

        forward(DiscordCaller.deleted(channel, said));

        assertThat(shown("discord:" + OLIVIA.id()).path("content").asString()).isEmpty();
        assertThat(stored().getFirst()).isEqualTo(hex("helo"));
    }

    @Test
    void editBeforeItsMessageWaitsForIt() {
        Message said = discord.say(channel, OLIVIA, "first");
        forward(DiscordCaller.edited(channel, said, "second", Instant.parse("2026-08-12T09:30:00Z")));
        forward(DiscordCaller.created(channel, said));

        assertThat(shown("discord:" + OLIVIA.id()).path("content").asString()).isEqualTo("second");
    }

    @Test
    void ownAnswerIsNotStoredAgain() {
        forward(DiscordCaller.created(channel, discord.say(channel, OLIVIA, "Say something.")));
        await().atMost(LIMIT).until(() -> !answers().isEmpty());
        await().atMost(LIMIT).until(() -> shown().size() == 2);

        assertThat(forward(DiscordCaller.created(channel, answers().getFirst())))
                .isEqualTo(200);

        assertThat(shown()).hasSize(2);
        assertThat(count("runs")).isEqualTo(1);
        assertThat(server.select("select reason from inbound_events where external_message_id = '"
                        + answers().getFirst().id() + "'"))
                .containsExactly("echo");
    }

    @Test
    void filesAreStoredAndMissingOnesListed() {
        ObjectNode event = DiscordCaller.created(channel, discord.say(channel, OLIVIA, "look"));
        ObjectNode message = (ObjectNode) event.get("d");
        message.put("content", "");
        message.withArray("attachments")
                .addObject()
                .put("id", "1")
                .put("filename", "Überblick.txt")
                .put("content_type", "text/plain")
                .put("size", 5)
                .put(
                        "url",
                        discord.keep("a.txt", "hello".getBytes(StandardCharsets.UTF_8))
                                .toString());
        message.withArray("attachments")
                .addObject()
                .put("id", "2")
                .put("filename", "gone.txt")
                .put("size", 5)
                .put("url", "https://elsewhere.example/gone.txt");

        assertThat(forward(event)).isEqualTo(200);
        assertThat(forward(event)).isEqualTo(200);

        assertThat(stored()).containsExactly("");
        JsonNode metadata = shown("discord:" + OLIVIA.id()).path("metadata");
        assertThat(metadata.path("attachments").findValuesAsString("filename")).containsExactly("Überblick.txt");
        assertThat(metadata.path("file_failures").findValuesAsString("name")).containsExactly("gone.txt");
        assertThat(discord.api().requests("/a.txt")).hasSize(1);
    }
}
