package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import dev.parley.testkit.chat.DiscordChannel.Message;
import dev.parley.testkit.chat.DiscordChannel.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls a server from <a href="https://docs.discord.com/developers/interactions/overview">Discord's</a> side. Discord
 * itself sends signed interactions, and a relay sends gateway events.
 */
public final class DiscordCaller {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int KEY_BYTES = 32;

    private final KeyPair pair;

    public DiscordCaller() {
        try {
            pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** The application's public key, as Discord shows it. */
    public String publicKey() {
        byte[] encoded = pair.getPublic().getEncoded();
        return HexFormat.of().formatHex(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
    }

    public String sign(String timestamp, byte[] body) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(pair.getPrivate());
            signature.update(timestamp.getBytes(StandardCharsets.US_ASCII));
            signature.update(body);
            return HexFormat.of().formatHex(signature.sign());
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Sends an interaction, signed for this time. */
    public HttpResponse<String> interact(URI endpoint, Instant time, String interaction) {
        String timestamp = Long.toString(time.getEpochSecond());
        byte[] body = interaction.getBytes(StandardCharsets.UTF_8);
        return send(HttpRequest.newBuilder(endpoint)
                .header("X-Signature-Timestamp", timestamp)
                .header("X-Signature-Ed25519", sign(timestamp, body))
                .POST(BodyPublishers.ofByteArray(body)));
    }

    /** Forwards an event of the gateway with an integration key. */
    public static HttpResponse<String> forward(URI endpoint, String key, String event) {
        return send(HttpRequest.newBuilder(endpoint)
                .header("Authorization", "Bearer " + key)
                .POST(BodyPublishers.ofString(event)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(
                    request.timeout(LIMIT)
                            .header("Content-Type", "application/json")
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The gateway event of a new message, with its nonce and mentions of these users. */
    public static ObjectNode created(DiscordChannel channel, Message message, User... mentioned) {
        ObjectNode payload = in(channel, message.toJson(true));
        for (User user : mentioned) {
            payload.withArray("mentions").add(user.toJson());
        }
        return event("MESSAGE_CREATE", payload);
    }

    /** The gateway event of an edited message. */
    public static ObjectNode edited(DiscordChannel channel, Message message, String text, Instant time) {
        return event(
                "MESSAGE_UPDATE",
                in(channel, message.toJson(false)).put("content", text).put("edited_timestamp", time.toString()));
    }

    public static ObjectNode deleted(DiscordChannel channel, Message message) {
        return event(
                "MESSAGE_DELETE",
                in(
                        channel,
                        Json.MAPPER.createObjectNode().put("id", message.id()).put("channel_id", channel.id())));
    }

    private static ObjectNode in(DiscordChannel channel, ObjectNode payload) {
        channel.guild().ifPresent(guild -> payload.put("guild_id", guild));
        if (channel.isThread()) {
            payload.put("channel_type", 11);
        }
        return payload;
    }

    private static ObjectNode event(String name, ObjectNode payload) {
        ObjectNode event = Json.MAPPER.createObjectNode().put("op", 0).put("t", name);
        event.set("d", payload);
        return event;
    }
}
