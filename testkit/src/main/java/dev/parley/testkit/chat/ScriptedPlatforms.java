package dev.parley.testkit.chat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Slack, Discord and BlueBubbles together, with the flags of one server and the events that they send to the server.
 */
public final class ScriptedPlatforms implements AutoCloseable {
    private static final String RELAY_KEY = "a key of the relay of Discord";
    private static final String MAC_SECRET = "a-secret-path-of-the-mac";

    private final ScriptedSlack slack;
    private final SlackPostman postman;
    private final ScriptedDiscord discord;
    private final DiscordCaller discordApp = new DiscordCaller();
    private final ScriptedBlueBubbles mac;
    private volatile URI server = URI.create("http://127.0.0.1:9");

    public ScriptedPlatforms(Clock clock) {
        slack = new ScriptedSlack(clock);
        postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, clock);
        discord = new ScriptedDiscord(clock);
        mac = new ScriptedBlueBubbles(clock);
    }

    public ScriptedSlack slack() {
        return slack;
    }

    public ScriptedDiscord discord() {
        return discord;
    }

    public ScriptedBlueBubbles mac() {
        return mac;
    }

    /** The flags of a server that uses all three platforms. */
    public String[] flags(String... more) {
        return Stream.of(slack.flags(), discord.flags(discordApp.publicKey(), RELAY_KEY), mac.flags(MAC_SECRET), more)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    /** Sets the address of the server; BlueBubbles sends all its events there. */
    public void reachedAt(URI address) {
        server = address;
        mac.tell(URI.create(address + "/api/v1/integrations/bluebubbles/" + MAC_SECRET));
    }

    /** Sends an event of Slack; returns the status of the answer. */
    public int bring(ObjectNode envelope) {
        return bring(envelope, 0, null);
    }

    /** Sends an event of Slack again, with the number of the retry and its reason. */
    public int bring(ObjectNode envelope, int retry, @Nullable String reason) {
        URI events = URI.create(server + "/api/v1/integrations/slack/events");
        HttpResponse<String> answer =
                retry == 0 ? postman.bring(events, envelope) : postman.bring(events, envelope, retry, reason);
        return answer.statusCode();
    }

    /** Forwards an event of Discord as a relay does; returns the status of the answer. */
    public int forward(ObjectNode event) {
        URI relay = URI.create(server + "/api/v1/integrations/discord/relay");
        return DiscordCaller.forward(relay, RELAY_KEY, event.toString()).statusCode();
    }

    /** Cancels all planned failures of the platforms. */
    public void heal() {
        List.of(slack.api(), discord.api(), mac.api()).forEach(LocalApi::heal);
    }

    @Override
    public void close() {
        mac.close();
        discord.close();
        postman.close();
        slack.close();
    }
}
