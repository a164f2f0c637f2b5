package dev.parley.platforms.slack;

import dev.parley.ingest.PlatformEvent;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.OutboundUrl;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPostman;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A scripted Slack, and the adapter that receives its events. */
final class SlackScene implements AutoCloseable {
    static final String OLIVIA = "U06STGBF4Q0";

    final TestClock clock = TestClock.at(Instant.ofEpochSecond(1_785_578_400));
    final ScriptedSlack slack = new ScriptedSlack(clock);
    final SlackPlatform platform;
    private final Calls calls = new Calls(new Outbound(Set.of()));

    /** @param botToken null for an adapter that only receives events */
    SlackScene(@Nullable String botToken) {
        this(botToken, Duration.ofSeconds(60));
    }

    /** @param namesTime limit for looking up the names of a message */
    SlackScene(@Nullable String botToken, Duration namesTime) {
        slack.addUser(OLIVIA, "Olivia", "Olivia Example");
        slack.addUser("U0OTHER0001", "", "Zoë 王");
        Destination files = OutboundUrl.parse(slack.api().url().toString()).destination();
        platform = new SlackPlatform(
                new SlackPlatform.Access(
                        ScriptedSlack.SIGNING_SECRET.getBytes(StandardCharsets.UTF_8),
                        botToken,
                        slack.url(),
                        Set.of(files),
                        namesTime),
                calls,
                new PlatformFiles(calls, 1024 * 1024, Duration.ofSeconds(20)),
                clock);
    }

    static SlackScene withToken() {
        return new SlackScene(ScriptedSlack.TOKEN);
    }

    static ObjectNode payload(String name) {
        return (ObjectNode) Json.MAPPER.readTree(bytes(name));
    }

    static byte[] bytes(String name) {
        try (InputStream file = SlackScene.class.getResourceAsStream("/platforms/slack/" + name + ".json")) {
            if (file == null) {
                throw new IllegalArgumentException("There is no payload " + name);
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    InboundRequest signed(byte[] body) {
        String timestamp = Long.toString(clock.instant().getEpochSecond());
        Map<String, String> headers = Map.of(
                "X-Slack-Request-Timestamp",
                timestamp,
                "X-Slack-Signature",
                SlackPostman.sign(ScriptedSlack.SIGNING_SECRET, timestamp, body));
        return InboundRequest.of("slack/events", Map.of(), name -> Optional.ofNullable(headers.get(name)), body);
    }

    PlatformEvent receive(ObjectNode payload) {
        List<PlatformEvent> inbound =
                platform.receive(signed(Json.MAPPER.writeValueAsBytes(payload))).inbound();
        if (inbound.size() != 1) {
            throw new AssertionError("Not one event, but " + inbound);
        }
        return inbound.getFirst();
    }

    PlatformEvent receive(String name) {
        return receive(payload(name));
    }

    PlatformEvent.Posted posted(String name) {
        return (PlatformEvent.Posted) receive(name);
    }

    /** The metadata of the message in a payload. */
    ObjectNode metadata(String name) {
        return posted(name).message().metadata();
    }

    @Override
    public void close() {
        platform.close();
        calls.close();
        slack.close();
    }
}
