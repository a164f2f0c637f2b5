package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as {@link ScriptedSlack} stores it.
 *
 * @param text the text in Slack's encoding
 * @param thread the ts of the thread's root; null outside threads
 * @param bot the bot's id; null for a message of a person
 * @param subtype null for an ordinary message
 */
public record SlackPost(
        String channel,
        String ts,
        String user,
        String text,
        @Nullable String thread,
        @Nullable String bot,
        @Nullable JsonNode metadata,
        @Nullable String subtype) {
    /** The text as people read it, except for mentions. */
    public String shown() {
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    SlackPost saying(String other) {
        return new SlackPost(channel, ts, user, other, thread, bot, metadata, subtype);
    }

    /** The notice in place of a deleted message that has replies. */
    SlackPost asTombstone() {
        return new SlackPost(channel, ts, "USLACKBOT", "This message was deleted.", thread, null, null, "tombstone");
    }

    boolean isReply() {
        return thread != null && !thread.equals(ts);
    }

    ObjectNode toJson(boolean withMetadata) {
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("type", "message")
                .put("user", user)
                .put("ts", ts)
                .put("text", text);
        if (subtype != null) {
            json.put("subtype", subtype);
        }
        if (thread != null) {
            json.put("thread_ts", thread);
        }
        if (bot != null) {
            json.put("bot_id", bot).put("app_id", ScriptedSlack.APP);
        }
        if (withMetadata && metadata != null) {
            json.set("metadata", metadata);
        }
        return json;
    }
}
