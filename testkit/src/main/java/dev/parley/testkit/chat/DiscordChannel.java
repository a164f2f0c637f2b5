package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A channel of a scripted Discord, with what was said in it. */
public final class DiscordChannel {
    private final String id;
    private final @Nullable String guild;
    private final List<Message> messages = new ArrayList<>();

    DiscordChannel(String id, @Nullable String guild) {
        this.id = id;
        this.guild = guild;
    }

    /** Who says something. */
    public record User(String id, String username, @Nullable String globalName, boolean bot) {
        ObjectNode toJson() {
            ObjectNode json = Json.MAPPER
                    .createObjectNode()
                    .put("id", id)
                    .put("username", username)
                    .put("discriminator", "0")
                    .put("global_name", globalName);
            if (bot) {
                json.put("bot", true);
            }
            return json;
        }
    }

    /** @param nonce null if its sender gave none */
    public record Message(
            String id,
            String channel,
            User author,
            String content,
            @Nullable String nonce,
            Instant time) {
        ObjectNode toJson(boolean withNonce) {
            ObjectNode json = Json.MAPPER
                    .createObjectNode()
                    .put("type", 0)
                    .put("id", id)
                    .put("channel_id", channel)
                    .put("content", content)
                    .put("timestamp", time.toString())
                    .putNull("edited_timestamp")
                    .put("tts", false)
                    .put("mention_everyone", false)
                    .put("pinned", false);
            json.set("author", author.toJson());
            for (String list : List.of("mentions", "mention_roles", "attachments", "embeds", "components")) {
                json.putArray(list);
            }
            if (withNonce && nonce != null) {
                json.put("nonce", nonce);
            }
            return json;
        }

        long number() {
            return Long.parseLong(id);
        }
    }

    public String id() {
        return id;
    }

    /** The server of Discord that it belongs to; empty for a conversation of two. */
    public Optional<String> guild() {
        return Optional.ofNullable(guild);
    }

    synchronized void add(Message message) {
        messages.add(message);
    }

    /**
     * Gives a message of this author another text, or takes it away.
     *
     * @return whether it is there
     */
    synchronized boolean replace(String id, User author, @Nullable String text) {
        for (int i = 0; i < messages.size(); i++) {
            Message before = messages.get(i);
            if (before.id().equals(id) && before.author().equals(author)) {
                messages.remove(i);
                if (text != null) {
                    messages.add(i, new Message(id, before.channel(), author, text, before.nonce(), before.time()));
                }
                return true;
            }
        }
        return false;
    }

    /** What was said, the oldest first. */
    public synchronized List<Message> messages() {
        return List.copyOf(messages);
    }

    /** A page as Discord cuts it: what follows an id, or what is newest; the newest first either way. */
    List<Message> page(@Nullable Long after, int limit) {
        List<Message> all = messages();
        List<Message> page = after == null
                ? all.subList(Math.max(0, all.size() - limit), all.size())
                : all.stream()
                        .filter(message -> message.number() > after)
                        .limit(limit)
                        .toList();
        return page.stream()
                .sorted(Comparator.comparingLong(Message::number).reversed())
                .toList();
    }
}
