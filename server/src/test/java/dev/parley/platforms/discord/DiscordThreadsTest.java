package dev.parley.platforms.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.DiscordChannel.Message;
import dev.parley.testkit.chat.DiscordChannel.User;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedDiscord;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The model sees the beginning of a Discord thread, and the message that a reply answers. */
class DiscordThreadsTest {
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String KEY = "a configured key of the relay";
    private static final User OLIVIA = new User("302050872383242240", "olivia.w", "Olivia", false);
    private static final User ASH = new User("302050872383242241", "ash", "Ash", false);

    private static ScriptedDiscord discord;
    private static RunningServer server;
    private DiscordChannel channel;

    @BeforeAll
    static void start() {
        discord = new ScriptedDiscord(Clock.systemUTC());
        server = RunningServer.start(flags("60s"));
    }

    private static String[] flags(String historyTime) {
        return discord.flags(
                new DiscordCaller().publicKey(),
                KEY,
                "--operators",
                OPERATOR.toString(),
                "--limit-platform-history-time",
                historyTime);
    }

    @AfterAll
    static void stop() {
        server.close();
        discord.close();
        assertThat(discord.violations()).isEmpty();
    }

    @BeforeEach
    void openChannel() {
        discord.api().heal();
        channel = discord.open("901000000000000100");
    }

    private static void forward(ObjectNode event) {
        forward(server, event);
    }

    private static void forward(RunningServer node, ObjectNode event) {
        URI relay = node.uri().resolve("/api/v1/integrations/discord/relay");
        assertThat(DiscordCaller.forward(relay, KEY, event.toString()).statusCode())
                .isEqualTo(200);
    }

    private static List<LocalApi.Request> reads(DiscordChannel of) {
        return discord.api().requests().stream()
                .filter(request ->
                        request.method().equals("GET") && request.path().contains("/channels/" + of.id() + "/messages"))
                .toList();
    }

    private static JsonNode trace(Message message) {
        JsonNode traces = server.api(OPERATOR, "Root")
                .get("/api/v1/integrations/messages?source=discord&external_message_id=" + message.id())
                .json()
                .path("traces");
        assertThat(traces).hasSize(1);
        return traces.get(0);
    }

    private static String problem(Message message) {
        return trace(message).at("/thread_history/problem").asString("");
    }

    private static List<String> contextOf(Message message) {
        return server
                .select("select e.metadata ->> 'thread_context' from entries e join inbound_events i"
                        + " using (thread_id, seq) where i.external_message_id = '" + message.id()
                        + "' and e.metadata ->> 'thread_context' is not null")
                .stream()
                .flatMap(String::lines)
                .toList();
    }

    private static String shown(Message message) {
        JsonNode trace = trace(message);
        Api operator = server.api(OPERATOR, "Root");
        String context = "/api/v1/agent/threads/" + trace.path("session_id").asString() + "/runs/"
                + trace.at("/run/run_id").asString() + "/context";
        await().atMost(Duration.ofSeconds(60))
                .until(() -> operator.get(context).json().path("messages").size() > 0);
        return operator.get(context).json().path("messages").toString();
    }

    @Test
    void threadAtAMessage_beginsWithThatMessage() {
        Message root = discord.say(channel, ASH, "are we still on for tomorrow? 明天");
        DiscordChannel thread = discord.openThread(channel, root);
        discord.say(thread, OLIVIA, "yeah, lemme confirm");
        Message post = discord.say(thread, OLIVIA, "testing from discord");

        forward(DiscordCaller.created(thread, post));
        forward(DiscordCaller.created(thread, post));
        Message next = discord.say(thread, OLIVIA, "and more");
        forward(DiscordCaller.created(thread, next));

        assertThat(contextOf(post))
                .containsExactly(
                        HEADER,
                        "- Ash (<@302050872383242241>): are we still on for tomorrow? 明天",
                        "- Olivia (<@302050872383242240>): yeah, lemme confirm");
        assertThat(shown(post)).contains("are we still on for tomorrow?", "yeah, lemme confirm");
        assertThat(contextOf(next)).isEmpty();
        assertThat(reads(thread)).hasSize(1);
        assertThat(trace(post).path("thread_history").toString())
                .isEqualTo("{\"from\":\"discord\",\"messages\":2,\"left_out\":0,\"problem\":null}");
    }

    @Test
    void longThread_keepsStarterAndNewest() {
        Message root = discord.say(channel, ASH, "the question");
        DiscordChannel thread = discord.openThread(channel, root);
        for (int i = 1; i <= 60; i++) {
            discord.say(thread, OLIVIA, "reply " + i);
        }
        Message post = discord.say(thread, OLIVIA, "sum it up");

        forward(DiscordCaller.created(thread, post));

        List<String> lines = contextOf(post);
        assertThat(lines.get(1)).isEqualTo("- Ash (<@302050872383242241>): the question");
        assertThat(lines.get(2)).isEqualTo("- (10 messages left out)");
        assertThat(lines.get(3)).isEqualTo("- Olivia (<@302050872383242240>): reply 11");
        assertThat(lines.getLast()).isEqualTo("- Olivia (<@302050872383242240>): reply 60");
        assertThat(reads(thread)).hasSize(2);
    }

    @Test
    void deletedStarter_isReported() {
        Message root = discord.say(channel, ASH, "soon gone");
        DiscordChannel thread = discord.openThread(channel, root);
        discord.delete(channel, root);
        Message post = discord.say(thread, OLIVIA, "what was it?");

        forward(DiscordCaller.created(thread, post));

        assertThat(contextOf(post)).containsExactly(HEADER, "- (the first message was deleted)");
        assertThat(problem(post)).isEqualTo("The thread's first message was deleted.");
    }

    @Test
    void hiddenHistory_isReportedAndTheMessageIsStored() {
        DiscordChannel thread = discord.openThread(channel, discord.say(channel, ASH, "root"));
        discord.hideHistory(thread);
        Message post = discord.say(thread, OLIVIA, "مرحبا 👍🏽");

        forward(DiscordCaller.created(thread, post));

        assertThat(contextOf(post)).isEmpty();
        assertThat(problem(post)).contains("403", "Read Message History");
        assertThat(shown(post)).contains("مرحبا 👍🏽");
    }

    @Test
    void rateLimit_isWaitedOutIfItEndsInTime() {
        DiscordChannel thread = discord.openThread(channel, discord.say(channel, ASH, "root"));
        Message post = discord.say(thread, OLIVIA, "hello");
        discord.api().fail("/channels/" + thread.id() + "/messages", limited("0.2"));

        forward(DiscordCaller.created(thread, post));

        assertThat(contextOf(post)).contains("- Ash (<@302050872383242241>): root");
    }

    @Test
    void longRateLimit_delaysNoMessage() {
        DiscordChannel thread = discord.openThread(channel, discord.say(channel, ASH, "root"));
        Message post = discord.say(thread, OLIVIA, "hello");
        discord.api().fail("/channels/" + thread.id() + "/messages", limited("600"));

        forward(DiscordCaller.created(thread, post));

        assertThat(problem(post)).startsWith("Discord limits how often");
        assertThat(server.count("select count(*) from bindings where channel = '" + thread.id()
                        + "' and history_next_at > now() + interval '9 minutes'"))
                .isEqualTo(1);
    }

    private static Fault limited(String seconds) {
        return new Fault.Instead(LocalApi.Answer.json(429, "{\"retry_after\":" + seconds + ",\"global\":false}"));
    }

    @Test
    void silentDiscord_isNotWaitedForBeyondTheLimit() {
        DiscordChannel thread = discord.openThread(channel, discord.say(channel, ASH, "root"));
        Message post = discord.say(thread, OLIVIA, "hello");
        discord.api().fail("/channels/" + thread.id() + "/messages", new Fault.Hang());

        try (RunningServer impatient = server.beside(flags("3s"))) {
            forward(impatient, DiscordCaller.created(thread, post));
        }

        assertThat(problem(post)).startsWith("Discord did not show the earlier messages");
    }

    @Test
    void replyToAMessageBeforeTheBot_showsItFromThePayload() {
        Message before = discord.say(channel, ASH, "are we still on for tomorrow?");
        Message reply = discord.reply(channel, OLIVIA, "yeah", before);

        forward(DiscordCaller.created(channel, reply));

        assertThat(contextOf(reply))
                .containsExactly(HEADER, "- Ash (<@302050872383242241>): are we still on for tomorrow?");
        assertThat(reads(channel)).isEmpty();
    }

    @Test
    void replyToAnEntry_repeatsNothing() {
        Message before = discord.say(channel, ASH, "known");
        forward(DiscordCaller.created(channel, before));
        Message reply = discord.reply(channel, OLIVIA, "yeah", before);

        forward(DiscordCaller.created(channel, reply));

        assertThat(contextOf(reply)).isEmpty();
        assertThat(trace(reply).path("thread_history").isNull()).isTrue();
    }

    @Test
    void replyWithoutItsMessage_readsItFromDiscord() {
        Message before = discord.say(channel, ASH, "look me up");
        Message reply = discord.reply(channel, OLIVIA, "yeah", before);
        ObjectNode event = DiscordCaller.created(channel, reply);
        ((ObjectNode) event.get("d")).remove("referenced_message");

        forward(event);
        forward(event);

        assertThat(contextOf(reply)).containsExactly(HEADER, "- Ash (<@302050872383242241>): look me up");
        assertThat(reads(channel)).hasSize(1);
    }

    @Test
    void replyToADeletedMessage_isReported() {
        Message reply = discord.reply(channel, OLIVIA, "yeah", discord.say(channel, ASH, "gone"));
        ObjectNode event = DiscordCaller.created(channel, reply);
        ((ObjectNode) event.get("d")).putNull("referenced_message");

        forward(event);

        assertThat(contextOf(reply)).isEmpty();
        assertThat(problem(reply)).isEqualTo("The message that this one answers was deleted.");
    }
}
