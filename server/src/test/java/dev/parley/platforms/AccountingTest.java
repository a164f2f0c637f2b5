package dev.parley.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import dev.parley.testkit.chat.ScriptedDiscord;
import dev.parley.testkit.chat.ScriptedPlatforms;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Thousands of inbound requests of three platforms are each stored once. They arrive in any order and in parallel, with
 * repetitions, twins, too talkative bots, mirrored messages and echoes of the server's own answers.
 */
class AccountingTest {
    private static final int DELIVERIES = 2_000;
    private static final int CALLERS = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String OWNER = "me@example.test";
    private static final String SELF = "iMessage;-;" + OWNER;

    private static ScriptedPlatforms platforms;
    private static ScriptedSlack slack;
    private static ScriptedDiscord discord;
    private static ScriptedBlueBubbles mac;
    private static RunningServer server;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final List<Runnable> deliveries = Collections.synchronizedList(new ArrayList<>());
    private int messages;
    private int mentions;

    @BeforeAll
    static void start() {
        platforms = new ScriptedPlatforms(Clock.systemUTC());
        slack = platforms.slack();
        discord = platforms.discord();
        mac = platforms.mac();
        mac.belongTo(OWNER);
        server = RunningServer.start(platforms.flags("--operators", OPERATOR.toString()));
        platforms.reachedAt(server.uri());
    }

    @AfterAll
    static void stop() {
        server.close();
        platforms.close();
    }

    @Test
    void everyMessageIsStoredOnce() throws Exception {
        List<String> slackChannels = names("C", 10);
        String noisy = "CNOISY";
        List<DiscordChannel> discordChannels = Stream.generate(() -> discord.open("901000000000000100"))
                .limit(6)
                .toList();
        List<String> groups = names("iMessage;+;chat", 4);
        slackChannels.forEach(channel -> open(channel, "hello"));
        open(noisy, "hello");
        discordChannels.forEach(channel -> forward(say(channel, false, "hello " + messages++)));
        groups.forEach(group -> text(group, "+15550100", "hello " + messages++));
        carryOut(deliveries);
        deliveries.clear();
        onlyWhenAddressed();

        for (int i = 0; i < 480; i++) {
            sayInChannel(slackChannels.get(random.nextInt(slackChannels.size())));
        }
        for (int i = 0; i < 60; i++) {
            bot(noisy);
        }
        for (int i = 0; i < 300; i++) {
            DiscordChannel channel = discordChannels.get(random.nextInt(discordChannels.size()));
            forward(say(channel, random.nextInt(5) == 0, "discord " + messages++));
        }
        for (int i = 0; i < 120; i++) {
            text(groups.get(random.nextInt(groups.size())), "+1555010" + random.nextInt(10), "imessage " + messages++);
        }
        List<Runnable> distinct = List.copyOf(deliveries);
        while (deliveries.size() < DELIVERIES) {
            deliveries.add(distinct.get(random.nextInt(distinct.size())));
        }
        Collections.shuffle(deliveries, random);
        carryOut(deliveries);
        int mirrored = sayToOneself(50);
        settle();

        assertThat(count("entries", "author like 'slack:%' or author like 'discord:%' or author like 'bb:%'"))
                .as("messages, seed " + seed)
                .isEqualTo(messages);
        assertThat(count("inbound_events", "reason not in ('echo', 'mirror')"))
                .as("seed " + seed)
                .isEqualTo(messages);
        assertThat(count("inbound_events", "reason = 'mirror'"))
                .as("seed " + seed)
                .isEqualTo(mirrored);
        assertThat(server.select("select content from entries where author not like 'agent:%' and kind = 0"
                        + " group by thread_id, content having count(*) > 1"))
                .as("seed " + seed)
                .isEmpty();
        assertThat(server.count("select count(*) from entries e join inbound_events i using (thread_id, seq)"
                        + " where e.content like '%mention %' and i.run and i.reason not in ('echo', 'mirror')"))
                .as("mentions, seed " + seed)
                .isEqualTo(mentions);
        assertThat(server.select("select reason from inbound_events where channel = 'CNOISY' and bot and not run"))
                .as("messages of talkative bots are stored and not answered, seed " + seed)
                .hasSizeGreaterThanOrEqualTo(40);
        assertEchoesAreIgnored();
    }

    private static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix
                    + UUID.randomUUID()
                            .toString()
                            .replace("-", "")
                            .substring(0, 9)
                            .toUpperCase(Locale.ROOT));
        }
        return names;
    }

    private void open(String channel, String text) {
        slack.openChannel(channel);
        bring(SlackPostman.message(slack.say(channel, "U0000000001", text + " " + messages++, null)));
    }

    private void sayInChannel(String channel) {
        int kind = random.nextInt(20);
        if (kind < 3) {
            bot(channel);
        } else if (kind == 3) {
            mentions++;
            SlackPost post =
                    slack.say(channel, "U0000000002", "<@" + ScriptedSlack.BOT_USER + "> mention " + messages++, null);
            bring(SlackPostman.message(post));
            bring(SlackPostman.mention(post));
        } else {
            bring(SlackPostman.message(
                    slack.say(channel, "U000000000" + random.nextInt(10), "slack & <b> " + messages++, null)));
        }
    }

    private void bot(String channel) {
        SlackPost post = slack.say(channel, "U0000000009", "beep " + messages++, null);
        ObjectNode envelope = SlackPostman.message(post);
        ObjectNode event = (ObjectNode) envelope.get("event");
        event.put("subtype", "bot_message").put("bot_id", "B0OTHER001").put("username", "Beeper");
        event.remove("user");
        bring(envelope);
    }

    private void bring(ObjectNode envelope) {
        deliveries.add(() -> {
            int retry = Math.floorMod(System.identityHashCode(Thread.currentThread()), 4);
            assertThat(platforms.bring(envelope, retry, "http_timeout")).isEqualTo(200);
        });
    }

    private static ObjectNode say(DiscordChannel channel, boolean bot, String text) {
        DiscordChannel.User author = new DiscordChannel.User("3020508723832422" + (bot ? "99" : "40"), "o", "O", bot);
        return DiscordCaller.created(channel, discord.say(channel, author, text));
    }

    private void forward(ObjectNode event) {
        deliveries.add(() -> assertThat(platforms.forward(event)).isEqualTo(200));
    }

    private void text(String chat, String address, String text) {
        mac.addChat(chat);
        ObjectNode message = BlueBubblesMessages.said(chat, address, text, Instant.now());
        mac.keep(message);
        deliveries.add(() -> mac.emit("new-message", message));
    }

    /** A message to oneself, which the Mac shows twice: as sent and as received. */
    private int sayToOneself(int count) {
        mac.addChat(SELF);
        for (int i = 0; i < count; i++) {
            String text = "note " + messages++;
            for (String from : new String[] {null, OWNER}) {
                ObjectNode half = BlueBubblesMessages.said(SELF, from, text, Instant.now());
                mac.keep(half);
                mac.emit("new-message", half);
                mac.emit("new-message", half);
            }
        }
        mac.settle();
        return count;
    }

    private static void carryOut(List<Runnable> all) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Callable<Object>> calls = all.stream().map(Executors::callable).toList();
            for (Future<Object> each : callers.invokeAll(calls)) {
                each.get();
            }
        }
        mac.settle();
    }

    /** Makes agents answer only messages that address them. */
    private static void onlyWhenAddressed() {
        Api operator = server.api(OPERATOR, "Root");
        for (String thread : server.select("select thread_id::text from bindings where channel <> 'CNOISY'")) {
            assertThat(operator.post(
                                    "/api/v1/chat/threads/" + thread + "/mode",
                                    "{\"participation_mode\":\"invocation_only\"}")
                            .status())
                    .isEqualTo(200);
        }
    }

    /** Waits until every run has ended and every answer is delivered. */
    private static void settle() {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(count("runs", "ended_at is null")
                                + count("deliveries", "state in ('waiting', 'sending')"))
                        .isZero());
        mac.settle();
    }

    /** Platforms send the server's own messages back; they are neither stored again nor answered. */
    private void assertEchoesAreIgnored() throws Exception {
        long said = count("entries", "true");
        long runs = count("runs", "true");
        assertThat(count("deliveries", "state <> 'sent'")).as("seed " + seed).isZero();
        deliveries.clear();
        for (String channel : server.select("select channel from destinations where source = 'slack'")) {
            slack.answers(channel).forEach(post -> bring(SlackPostman.message(post)));
        }
        for (int i = deliveries.size(); i > 0; i--) {
            deliveries.add(deliveries.get(i - 1));
        }
        carryOut(deliveries);
        settle();
        assertThat(count("inbound_events", "reason = 'echo' and source = 'slack'"))
                .isEqualTo(count("deliveries d join destinations t using (destination_id)", "t.source = 'slack'"))
                .isPositive();
        assertThat(count("inbound_events", "reason = 'echo' and source = 'bluebubbles'"))
                .isEqualTo(
                        count("deliveries d join destinations t using (destination_id)", "t.source = 'bluebubbles'"));
        assertThat(count("entries", "true")).isEqualTo(said);
        assertThat(count("runs", "true")).isEqualTo(runs);
    }

    private static long count(String table, String where) {
        return server.count("select count(*) from " + table + " where " + where);
    }
}
