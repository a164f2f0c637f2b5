package dev.parley.platforms.slack;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The text of a message. Bots, forms and shared messages often have text in their attachments and blocks only.
 *
 * @see <a href="https://docs.slack.dev/reference/block-kit/blocks">Slack: blocks</a>
 */
final class SlackBlocks {
    private static final int MAX_BLOCKS = 50;
    private static final String RICH_TEXT = "rich_text";

    private SlackBlocks() {}

    /** The text in Slack's encoding. */
    static String text(JsonNode message) {
        String text = SlackJson.text(message, "text");
        if (!text.isEmpty()) {
            return text;
        }
        List<String> lines = new ArrayList<>();
        for (JsonNode attachment : message.path("attachments")) {
            int before = lines.size();
            add(lines, SlackJson.text(attachment, "pretext"));
            add(lines, SlackJson.text(attachment, "title"));
            add(lines, SlackJson.first(SlackJson.text(attachment, "text"), SlackJson.text(attachment, "fallback")));
            if (lines.size() == before) {
                attachment.path("blocks").forEach(block -> block(lines, block));
            }
        }
        if (lines.isEmpty()) {
            message.path("blocks").forEach(block -> block(lines, block));
        }
        return String.join("\n", lines);
    }

    /** The named parts of a message without text; null if it has text or no such parts. */
    static @Nullable JsonNode parts(JsonNode message, String name) {
        JsonNode parts = message.path(name);
        return SlackJson.text(message, "text").isEmpty() && parts.isArray() && !parts.isEmpty() ? parts : null;
    }

    private static void block(List<String> lines, JsonNode block) {
        if (SlackJson.text(block, "type").equals(RICH_TEXT)) {
            block.path("elements").forEach(part -> rich(lines, part));
            return;
        }
        add(lines, textOf(block.path("title")));
        add(lines, textOf(block.path("text")));
        block.path("fields").forEach(field -> add(lines, textOf(field)));
        add(lines, SlackJson.text(block, "alt_text"));
        block.path("elements").forEach(element -> add(lines, textOf(element)));
    }

    /** The text of a text object, of an object that contains a text, or of an image (its alternative text). */
    private static String textOf(JsonNode node) {
        JsonNode text = node.path("text");
        return text.isObject()
                ? SlackJson.text(text, "text")
                : SlackJson.first(SlackJson.text(node, "text"), SlackJson.text(node, "alt_text"));
    }

    private static void rich(List<String> lines, JsonNode part) {
        if (SlackJson.text(part, "type").equals("rich_text_list")) {
            part.path("elements").forEach(item -> rich(lines, item));
        } else {
            add(
                    lines,
                    part.path("elements").valueStream().map(SlackBlocks::inline).collect(Collectors.joining()));
        }
    }

    private static String inline(JsonNode element) {
        return switch (SlackJson.text(element, "type")) {
            case "user" -> "<@" + SlackJson.text(element, "user_id") + ">";
            case "channel" -> "<#" + SlackJson.text(element, "channel_id") + ">";
            case "usergroup" -> "<!subteam^" + SlackJson.text(element, "usergroup_id") + ">";
            case "broadcast" -> "<!" + SlackJson.text(element, "range") + ">";
            case "emoji" -> ":" + SlackJson.text(element, "name") + ":";
            default -> SlackJson.first(SlackJson.text(element, "text"), SlackJson.text(element, "url"));
        };
    }

    private static void add(List<String> lines, String line) {
        if (!line.isBlank() && lines.size() < MAX_BLOCKS) {
            lines.add(line);
        }
    }
}
