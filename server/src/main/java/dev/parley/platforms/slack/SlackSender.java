package dev.parley.platforms.slack;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sender of a message at Slack.
 *
 * @param id a person's user id, or a bot's bot id
 */
record SlackSender(String id, String name, boolean bot) {
    static final int MAX_NAME = 200;
    private static final String SLACKBOT = "USLACKBOT";

    static SlackSender of(JsonNode message, UnaryOperator<String> nameOf) {
        String user = SlackJson.text(message, "user");
        String bot = SlackJson.text(message, "bot_id");
        boolean isBot = !bot.isEmpty()
                || user.equals(SLACKBOT)
                || SlackJson.text(message, "subtype").equals("bot_message");
        return isBot ? bot(message, user, bot, nameOf) : human(message, SlackJson.first(user, "unknown"), nameOf);
    }

    /** A bot's name comes from its message, because one bot may post under several names. */
    private static SlackSender bot(JsonNode message, String user, String bot, UnaryOperator<String> nameOf) {
        String visible = SlackJson.first(
                SlackJson.text(message, "username"), SlackJson.text(message.path("bot_profile"), "name"));
        String id = SlackJson.first(bot, user, visible, "unknown");
        String name = visible.isBlank() && !user.isEmpty() ? nameOf.apply(user) : SlackJson.first(visible, id);
        return new SlackSender(id, SlackJson.start(name, MAX_NAME), true);
    }

    private static SlackSender human(JsonNode message, String user, UnaryOperator<String> nameOf) {
        String displayName = SlackJson.text(message.path("user_profile"), "display_name");
        return new SlackSender(
                user, SlackJson.start(displayName.isBlank() ? nameOf.apply(user) : displayName, MAX_NAME), false);
    }

    void describe(ObjectNode metadata) {
        metadata.put("sender_id", SlackPlatform.SOURCE + ":" + id)
                .put("sender_display_name", name)
                .put("sender_type", bot ? "bot" : "human");
        String token = mentionToken();
        if (token != null) {
            metadata.put("mention_token", token);
        }
    }

    /** The token that mentions a person; bots have none. */
    @Nullable
    String mentionToken() {
        return bot ? null : "<@" + id + ">";
    }
}
