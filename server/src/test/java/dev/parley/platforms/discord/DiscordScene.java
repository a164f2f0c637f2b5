package dev.parley.platforms.discord;

import dev.parley.delivery.ChatTransport;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.outbound.Outbound;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.PlatformFiles;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.ScriptedDiscord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The adapter with a scripted Discord and a fixed clock. */
final class DiscordScene implements AutoCloseable {
    static final String KEY = "the key of a relay of discord";

    final TestClock clock = TestClock.at(Instant.parse("2026-08-12T09:00:00.250Z"));
    final DiscordCaller caller = new DiscordCaller();
    final ScriptedDiscord discord = new ScriptedDiscord(clock);
    final Calls calls = new Calls(new Outbound(Set.of()));
    final DiscordPlatform platform;

    DiscordScene() {
        this(ScriptedDiscord.TOKEN);
    }

    DiscordScene(@Nullable String botToken) {
        platform = new DiscordPlatform(
                new DiscordPlatform.Settings(
                        caller.publicKey(),
                        botToken,
                        discord.url().toString(),
                        Set.of(new Destination("127.0.0.1", discord.url().getPort()))),
                calls,
                new PlatformFiles(calls, 1_000, Duration.ofSeconds(10)),
                KEY::equals,
                clock);
    }

    static byte[] fixture(String name) {
        try (InputStream file = DiscordScene.class.getResourceAsStream("/platforms/discord/" + name + ".json")) {
            return Objects.requireNonNull(file, name).readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    ChatTransport transport() {
        return platform.transport().orElseThrow();
    }

    static InboundRequest relayed(byte[] body) {
        return request("discord/relay", Map.of("Authorization", "Bearer " + KEY), body);
    }

    InboundRequest signed(byte[] body) {
        String time = Long.toString(clock.instant().getEpochSecond());
        return request(
                "discord/interactions",
                Map.of("X-Signature-Timestamp", time, "X-Signature-Ed25519", caller.sign(time, body)),
                body);
    }

    static InboundRequest request(String path, Map<String, String> headers, byte[] body) {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        return InboundRequest.of(path, Map.of(), name -> Optional.ofNullable(anyCase.get(name)), body);
    }

    @Override
    public void close() {
        platform.close();
        calls.close();
        discord.close();
    }
}
