package dev.parley.bench.prove;

import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import dev.parley.testkit.chat.ScriptedDiscord;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/** Slack, Discord and a Mac on this machine, with limits on how fast they are written to, and bad connections. */
final class ScriptedPlatforms implements AutoCloseable {
    private static final int PLACES = 4;
    private static final int LINES = 40;
    private static final int MAX_PAUSE_MILLIS = 500;
    private static final String RELAY_KEY = "a key of the relay of Discord";
    private static final String MAC_SECRET = "a-secret-path-of-the-mac";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final ScriptedSlack slack = new ScriptedSlack(Clock.systemUTC());
    private final SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());
    private final ScriptedDiscord discord = new ScriptedDiscord(Clock.systemUTC());
    private final DiscordCaller discordApp = new DiscordCaller();
    private final ScriptedBlueBubbles mac = new ScriptedBlueBubbles(Clock.systemUTC());
    private final List<String> slackChannels = new ArrayList<>();
    private final Map<String, DiscordChannel> discordChannels = new HashMap<>();
    private final List<String> chats = new ArrayList<>();
    private final Random random;
    private final AtomicInteger brought = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private volatile URI server = URI.create("http://127.0.0.1:9");

    ScriptedPlatforms(Random random) {
        this.random = random;
        slack.limitPosts(4, Duration.ofSeconds(1));
        discord.limitPosts(4, Duration.ofSeconds(1));
        for (int i = 0; i < PLACES; i++) {
            slackChannels.add("C0PROOF00" + i);
            slack.openChannel(slackChannels.getLast());
            DiscordChannel channel = discord.open("901000000000000100");
            discordChannels.put(channel.id(), channel);
            chats.add("iMessage;-;+1555010" + i);
            mac.addChat(chats.getLast());
        }
    }

    List<String> flags() {
        return List.of(
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
                "discord=" + RELAY_KEY,
                "--bluebubbles-url",
                mac.url().toString(),
                "--bluebubbles-password",
                ScriptedBlueBubbles.PASSWORD,
                "--bluebubbles-webhook-secret",
                MAC_SECRET);
    }

    /** It came back somewhere else. */
    void reachedAt(URI uri) {
        server = uri;
        mac.tell(URI.create(uri + "/api/v1/integrations/bluebubbles/" + MAC_SECRET));
    }

    int brought() {
        return brought.get();
    }

    int faults() {
        return faults.get();
    }

    void heal() {
        List.of(slack.api(), discord.api(), mac.api()).forEach(LocalApi::heal);
    }

    /** Brings so many messages, each again until it is taken. */
    void bring(int count) {
        for (int i = 0; i < count; i++) {
            if (random.nextInt(3) == 0) {
                trouble();
            }
            int place = random.nextInt(PLACES);
            switch (i % 3) {
                case 0 -> toSlack(slackChannels.get(place), i);
                case 1 -> toDiscord(List.copyOf(discordChannels.values()).get(place), i);
                default -> toMac(chats.get(place), i);
            }
            brought.incrementAndGet();
            pause(random.nextInt(MAX_PAUSE_MILLIS));
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The proof was broken off", stopped);
        }
    }

    /** A Mac that lost a call would have to be waited for for minutes: it loses answers only. */
    private void trouble() {
        faults.incrementAndGet();
        LocalApi.Fault fault = random.nextBoolean() ? new LocalApi.Fault.LoseAnswer() : new LocalApi.Fault.Hang();
        switch (random.nextInt(5)) {
            case 0 -> slack.api().fail("/chat.postMessage", fault);
            case 1 -> slack.api().fail("/chat.postMessage", new LocalApi.Fault.LoseRequest());
            case 2 -> discord.api().fail("/messages", fault);
            case 3 -> discord.api().fail("/messages", new LocalApi.Fault.LoseRequest());
            default -> mac.api().fail("/message/text", fault);
        }
    }

    private static String text(int message) {
        return IntStream.range(0, LINES)
                .mapToObj(line -> "message-" + message + "-line-" + line + "-" + "слово词x".repeat(9))
                .collect(Collectors.joining("\n"));
    }

    private void toSlack(String channel, int message) {
        SlackPost post = slack.say(channel, "U0000000001", text(message), null);
        ObjectNode event = SlackPostman.message(post);
        until(() -> postman.bring(URI.create(server + "/api/v1/integrations/slack/events"), event)
                        .statusCode()
                == 200);
    }

    private void toDiscord(DiscordChannel channel, int message) {
        DiscordChannel.User author = new DiscordChannel.User("302050872383242240", "olivia", "Olivia", false);
        String event = DiscordCaller.created(channel, discord.say(channel, author, text(message)))
                .toString();
        until(() -> DiscordCaller.forward(URI.create(server + "/api/v1/integrations/discord/relay"), RELAY_KEY, event)
                        .statusCode()
                == 200);
    }

    /** Told once, as a Mac does; what is missed is read when the server is back. */
    private void toMac(String chat, int message) {
        ObjectNode said =
                BlueBubblesMessages.said(chat, chat.substring(chat.lastIndexOf(';') + 1), text(message), Instant.now());
        mac.keep(said);
        mac.emit("new-message", said);
    }

    private static void until(BooleanSupplier taken) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            try {
                if (taken.getAsBoolean()) {
                    return;
                }
            } catch (RuntimeException down) {
                // It is being killed or started.
            }
            pause(100);
        }
        throw new IllegalStateException("The server took nothing for " + TIMEOUT);
    }

    /** What a place shows of ours. */
    List<String> shown(String place) {
        if (slackChannels.contains(place)) {
            return slack.answers(place).stream().map(SlackPost::shown).toList();
        }
        DiscordChannel channel = discordChannels.get(place);
        if (channel != null) {
            return channel.messages().stream()
                    .filter(message -> message.author().equals(ScriptedDiscord.BOT))
                    .map(DiscordChannel.Message::content)
                    .toList();
        }
        return mac.messages(place).stream()
                .filter(message -> message.path("isFromMe").asBoolean())
                .map(message -> message.path("text").asString())
                .toList();
    }

    @Override
    public void close() {
        mac.close();
        discord.close();
        postman.close();
        slack.close();
    }
}
