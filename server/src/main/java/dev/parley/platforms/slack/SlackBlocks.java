package dev.parley.platforms.slack;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The words of a message. Bots often have none but in their attachments and blocks, and say nothing otherwise. */
final class SlackBlocks {
    private static final int MOST = 50;

    private SlackBlocks() {}

    /** In Slack's own encoding. */
    static String text(JsonNode message) {
        String text = SlackJson.text(message, "text");
        if (!text.isEmpty()) {
            return text;
        }
        List<String> lines = new ArrayList<>();
        for (JsonNode attachment : message.path("attachments")) {
            String said = SlackJson.first(SlackJson.text(attachment, "text"), SlackJson.text(attachment, "fallback"));
            add(lines, SlackJson.text(attachment, "pretext"));
            add(lines, SlackJson.text(attachment, "title"));
            add(lines, said);
        }
        if (lines.isEmpty()) {
            for (JsonNode block : message.path("blocks")) {
                add(lines, SlackJson.text(block.path("text"), "text"));
            }
        }
        return String.join("\n", lines);
    }

    private static void add(List<String> lines, String line) {
        if (!line.isBlank() && lines.size() < MOST) {
            lines.add(line);
        }
    }
}
