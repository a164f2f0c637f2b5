package dev.parley.platforms.discord;

import static dev.parley.platforms.discord.DiscordJson.displayName;
import static dev.parley.platforms.discord.DiscordJson.id;
import static dev.parley.platforms.discord.DiscordJson.requireId;
import static dev.parley.platforms.discord.DiscordJson.text;

import dev.parley.ingest.InboundMessage;
import dev.parley.ingest.PlatformEvent;
import dev.parley.platforms.InboundResult;
import dev.parley.protocol.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps interactions: what somebody typed into a command is said to the agent. Discord wants an answer within three
 * seconds, so the command is answered with a word that only its sender sees, and the agent's answer comes as a message.
 */
final class DiscordInteractions {
    private static final int PING = 1;
    private static final int COMMAND = 2;
    private static final int AUTOCOMPLETE = 4;
    private static final int TYPED_COMMAND = 1;
    private static final int TEXT_OPTION = 3;
    /** A command of a command, and a group of such. */
    private static final Set<Integer> NESTED = Set.of(1, 2);

    private static final Set<String> NAMES = Set.of("message", "text", "prompt");
    private static final int MAX_NESTED = 3;
    private static final int ONLY_FOR_SENDER = 64;

    private DiscordInteractions() {}

    static InboundResult map(ObjectNode interaction) {
        return switch (interaction.path("type").asInt(0)) {
            case PING -> InboundResult.answering(Json.MAPPER.createObjectNode().put("type", 1));
            case COMMAND -> command(interaction);
            case AUTOCOMPLETE ->
                new InboundResult(List.of(new PlatformEvent.Ignored("autocomplete")), 200, noChoices());
            default -> unusable("interaction", "There is nothing behind this here.");
        };
    }

    private static InboundResult command(ObjectNode interaction) {
        JsonNode what = interaction.path("data");
        String typed = what.path("type").asInt(TYPED_COMMAND) == TYPED_COMMAND
                ? typed(what.path("options"), MAX_NESTED)
                : null;
        if (typed == null) {
            return unusable("no_text", "Type something for the agent into the command.");
        }
        return new InboundResult(
                List.of(new PlatformEvent.Posted(
                        InboundMessage.ofPlatform(typed, metadata(interaction), null, false),
                        List.of(),
                        PlatformEvent.Echo.NONE)),
                200,
                whisper("Got it. The answer comes in this channel."));
    }

    private static ObjectNode metadata(ObjectNode interaction) {
        String interactionId = requireId(interaction, "id", "");
        JsonNode member = interaction.path("member");
        JsonNode user = member.isObject() ? member.path("user") : interaction.path("user");
        String userId = requireId(user, "id", member.isObject() ? "member.user." : "user.");
        String workspace = id(interaction, "guild_id", "");
        ObjectNode metadata = DiscordMessages.sender(userId, displayName(user, member, userId), false)
                .put("channel_external_id", requireId(interaction, "channel_id", ""))
                .put("external_message_id", interactionId)
                .put("external_event_id", interactionId)
                .put("conversation_kind", kind(interaction, workspace))
                .put("sent_at", Snowflake.madeAt(interactionId).toString());
        DiscordMessages.putIfThere(metadata, "workspace_id", workspace);
        DiscordMessages.putIfThere(metadata, "command", text(interaction.path("data"), "name"));
        ArrayNode mentions = metadata.putArray("mentions");
        DiscordMessages.addImplied(mentions, id(interaction, "application_id", ""), "command");
        return metadata;
    }

    private static String kind(ObjectNode interaction, @Nullable String workspace) {
        ObjectNode where = Json.MAPPER.createObjectNode();
        JsonNode type = interaction.path("channel").path("type");
        if (type.isInt()) {
            where.put("channel_type", type.intValue());
        }
        return DiscordMessages.kind(where, workspace);
    }

    /** What was typed into the option that is named so, else into the first one that takes text. */
    private static @Nullable String typed(JsonNode options, int levels) {
        String first = null;
        for (JsonNode option : options) {
            String typed = null;
            if (option.path("type").asInt(0) == TEXT_OPTION) {
                typed = text(option, "value");
                if (typed != null && NAMES.contains(option.path("name").asString(""))) {
                    return typed;
                }
            } else if (levels > 1 && NESTED.contains(option.path("type").asInt(0))) {
                typed = typed(option.path("options"), levels - 1);
            }
            first = first == null ? typed : first;
        }
        return first;
    }

    private static InboundResult unusable(String why, String told) {
        return new InboundResult(List.of(new PlatformEvent.Ignored(why)), 200, whisper(told));
    }

    private static ObjectNode whisper(String text) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("type", 4);
        ObjectNode message = answer.putObject("data").put("content", text).put("flags", ONLY_FOR_SENDER);
        message.putObject("allowed_mentions").putArray("parse");
        return answer;
    }

    private static ObjectNode noChoices() {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("type", 8);
        answer.putObject("data").putArray("choices");
        return answer;
    }
}
