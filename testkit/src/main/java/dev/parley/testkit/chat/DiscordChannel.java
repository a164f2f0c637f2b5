package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A channel of a scripted Discord, with its messages. */
public final class DiscordChannel {
    private final String id;
    private final @Nullable String guild;
    private final boolean thread;
    private final List<Message> messages = new ArrayList<>();

    DiscordChannel(String id, @Nullable String guild, boolean thread) {
        this.id = id;
        this.guild = guild;
        this.thread = thread;
    }

    /** The author of messages. */
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

    /**
     * The reference of one message to another.
     *
     * @param message the other message; null if it was deleted
     */
    public record Reference(
            String channel, String id, @Nullable Message message) {
        static Reference to(Message message) {
            return new Reference(message.channel(), message.id(), message);
        }
    }

    /**
     * A message.
     *
     * @param type 0 for an ordinary message, 19 for a reply, 21 for the first message of a thread
     * @param nonce null if the sender gave no nonce
     */
    public record Message(
            String id,
            String channel,
            User author,
            String content,
            @Nullable String nonce,
            Instant time,
            int type,
            @Nullable Reference reference) {
        Message saying(String text) {
            return new Message(id, channel, author, text, nonce, time, type, reference);
        }

        ObjectNode toJson(boolean withNonce) {
            ObjectNode json = Json.MAPPER
                    .createObjectNode()
                    .put("type", type)
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
            if (reference != null) {
                json.putObject("message_reference")
                        .put("type", 0)
                        .put("channel_id", reference.channel())
                        .put("message_id", reference.id());
                Message referenced = reference.message();
                json.set("referenced_message", referenced == null ? Json.MAPPER.nullNode() : referenced.toJson(false));
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

    boolean isThread() {
        return thread;
    }

    Optional<Message> find(String id) {
        return messages().stream().filter(message -> message.id().equals(id)).findFirst();
    }

    /** The Discord server of the channel; empty for a direct message channel. */
    public Optional<String> guild() {
        return Optional.ofNullable(guild);
    }

    synchronized void add(Message message) {
        messages.add(message);
    }

    /**
     * Replaces the text of this author's message, or deletes the message if the text is null.
     *
     * @return true if the author has a message with this id in the channel
     */
    synchronized boolean replace(String id, User author, @Nullable String text) {
        for (int i = 0; i < messages.size(); i++) {
            Message before = messages.get(i);
            if (before.id().equals(id) && before.author().equals(author)) {
                messages.remove(i);
                if (text != null) {
                    messages.add(i, before.saying(text));
                }
                return true;
            }
        }
        return false;
    }

    /** The messages of the channel, the oldest first. */
    public synchronized List<Message> messages() {
        return List.copyOf(messages);
    }

    /**
     * A page as Discord returns it. The page has the first messages after an id, or the last messages before an id. In
     * both cases, the newest message comes first.
     */
    List<Message> page(@Nullable Long before, @Nullable Long after, int limit) {
        List<Message> all = messages().stream()
                .filter(message -> before == null || message.number() < before)
                .toList();
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
