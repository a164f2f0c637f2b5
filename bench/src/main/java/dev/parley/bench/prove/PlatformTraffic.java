package dev.parley.bench.prove;

import dev.parley.bench.rig.Deadline;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.DiscordChannel;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedPlatforms;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
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

/** Messages from Slack, Discord and BlueBubbles, which limit the rate of posts and have bad connections. */
final class PlatformTraffic implements AutoCloseable {
    private static final int CHANNELS = 4;
    private static final int LINES = 40;
    private static final int MAX_PAUSE_MILLIS = 500;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final ScriptedPlatforms platforms = new ScriptedPlatforms(Clock.systemUTC());
    private final List<String> slackChannels = new ArrayList<>();
    private final Map<String, DiscordChannel> discordChannels = new HashMap<>();
    private final List<String> chats = new ArrayList<>();
    private final Random random;
    private final AtomicInteger brought = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();

    PlatformTraffic(Random random) {
        this.random = random;
        platforms.slack().limitPosts(4, Duration.ofSeconds(1));
        platforms.discord().limitPosts(4, Duration.ofSeconds(1));
        for (int i = 0; i < CHANNELS; i++) {
            slackChannels.add("C0PROOF00" + i);
            platforms.slack().openChannel(slackChannels.getLast());
            DiscordChannel channel = platforms.discord().open("901000000000000100");
            discordChannels.put(channel.id(), channel);
            chats.add("iMessage;-;+1555010" + i);
            platforms.mac().addChat(chats.getLast());
        }
    }

    ScriptedPlatforms platforms() {
        return platforms;
    }

    int brought() {
        return brought.get();
    }

    int faults() {
        return faults.get();
    }

    /** Sends this many messages. Slack and Discord repeat a message until the server accepts it. */
    void send(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            if (random.nextInt(3) == 0) {
                injectFault();
            }
            int index = random.nextInt(CHANNELS);
            switch (i % 3) {
                case 0 -> toSlack(slackChannels.get(index), i);
                case 1 -> toDiscord(List.copyOf(discordChannels.values()).get(index), i);
                default -> toMac(chats.get(index), i);
            }
            brought.incrementAndGet();
            Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
        }
    }

    /**
     * Makes a platform fail once. BlueBubbles loses no calls, because the server retries a lost call only after
     * minutes.
     */
    private void injectFault() {
        faults.incrementAndGet();
        LocalApi.Fault fault = random.nextBoolean() ? new LocalApi.Fault.LoseAnswer() : new LocalApi.Fault.Hang();
        LocalApi.Fault lost = new LocalApi.Fault.LoseRequest();
        switch (random.nextInt(5)) {
            case 0 -> platforms.slack().api().fail("/chat.postMessage", fault);
            case 1 -> platforms.slack().api().fail("/chat.postMessage", lost);
            case 2 -> platforms.discord().api().fail("/messages", fault);
            case 3 -> platforms.discord().api().fail("/messages", lost);
            default -> platforms.mac().api().fail("/message/text", fault);
        }
    }

    private static String text(int message) {
        return IntStream.range(0, LINES)
                .mapToObj(line -> "message-" + message + "-line-" + line + "-" + "слово词x".repeat(9))
                .collect(Collectors.joining("\n"));
    }

    private void toSlack(String channel, int message) throws InterruptedException {
        ObjectNode event = SlackPostman.message(platforms.slack().say(channel, "U0000000001", text(message), null));
        repeatUntil(() -> platforms.bring(event) == 200);
    }

    private void toDiscord(DiscordChannel channel, int message) throws InterruptedException {
        DiscordChannel.User author = new DiscordChannel.User("302050872383242240", "olivia", "Olivia", false);
        ObjectNode event = DiscordCaller.created(channel, platforms.discord().say(channel, author, text(message)));
        repeatUntil(() -> platforms.forward(event) == 200);
    }

    /** Sends an event only once, as BlueBubbles does. The server reads missed messages after its restart. */
    private void toMac(String chat, int message) {
        ObjectNode event =
                BlueBubblesMessages.said(chat, chat.substring(chat.lastIndexOf(';') + 1), text(message), Instant.now());
        platforms.mac().keep(event);
        platforms.mac().emit("new-message", event);
    }

    private static void repeatUntil(BooleanSupplier taken) throws InterruptedException {
        BooleanSupplier takenNow = () -> {
            try {
                return taken.getAsBoolean();
            } catch (RuntimeException down) {
                // The server is being killed or started.
                return false;
            }
        };
        if (!Deadline.in(TIMEOUT).await(RETRY_PAUSE, takenNow)) {
            throw new IllegalStateException("The server accepted no message for " + TIMEOUT);
        }
    }

    /** The texts of the server's posts in a channel. */
    List<String> posts(String name) {
        if (slackChannels.contains(name)) {
            return platforms.slack().answers(name).stream()
                    .map(SlackPost::shown)
                    .toList();
        }
        DiscordChannel channel = discordChannels.get(name);
        return channel != null
                ? platforms.discord().answers(channel)
                : platforms.mac().sent(name);
    }

    @Override
    public void close() {
        platforms.close();
    }
}
