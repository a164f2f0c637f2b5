package dev.parley.platforms.discord;

import static dev.parley.platforms.discord.DiscordJson.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The parts of a message besides its typed text: embeds, stickers, a poll, components, and forwarded messages.
 *
 * @see <a href="https://docs.discord.com/developers/resources/message">Discord: messages</a>
 */
final class DiscordParts {
    private static final List<String> NAMES =
            List.of("embeds", "sticker_items", "poll", "components", "message_snapshots");
    private static final int MAX_LINES = 50;
    /** Limit of nested containers of components. */
    private static final int MAX_DEPTH = 5;

    private DiscordParts() {}

    /** The raw parts, by name. */
    static Map<String, JsonNode> of(JsonNode message) {
        Map<String, JsonNode> parts = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (message.path(name).isContainer() && !message.path(name).isEmpty()) {
                parts.put(name, message.path(name));
            }
        }
        return parts;
    }

    /** The text of the parts; empty if they have none. */
    static String textOf(JsonNode message) {
        List<String> lines = new ArrayList<>();
        for (JsonNode snapshot : message.path("message_snapshots")) {
            JsonNode forwarded = snapshot.path("message");
            add(lines, text(forwarded, "content"));
            embeds(lines, forwarded);
        }
        embeds(lines, message);
        message.path("sticker_items").forEach(sticker -> add(lines, text(sticker, "name")));
        add(lines, text(message.path("poll").path("question"), "text"));
        message.path("poll").path("answers").forEach(answer -> add(lines, text(answer.path("poll_media"), "text")));
        components(lines, message, 0);
        return String.join("\n", lines);
    }

    private static void embeds(List<String> lines, JsonNode message) {
        for (JsonNode embed : message.path("embeds")) {
            add(lines, text(embed.path("author"), "name"));
            add(lines, text(embed, "title"));
            add(lines, text(embed, "description"));
            for (JsonNode field : embed.path("fields")) {
                add(lines, text(field, "name"));
                add(lines, text(field, "value"));
            }
            add(lines, text(embed.path("footer"), "text"));
            add(lines, text(embed, "url"));
        }
    }

    private static void components(List<String> lines, JsonNode holder, int depth) {
        for (JsonNode component : holder.path("components")) {
            add(lines, text(component, "content"));
            add(lines, text(component, "label"));
            if (depth < MAX_DEPTH) {
                components(lines, component, depth + 1);
            }
        }
    }

    private static void add(List<String> lines, @Nullable String line) {
        if (line != null && !line.isBlank() && lines.size() < MAX_LINES) {
            lines.add(line);
        }
    }
}
