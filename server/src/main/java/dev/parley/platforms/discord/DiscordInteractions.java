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
 * Maps interactions: the text of a command becomes a message to the agent (<a
 * href="https://docs.discord.com/developers/interactions/receiving-and-responding">Discord: interactions</a>). Discord
 * wants an answer within three seconds. So the command is answered with a note that only its sender sees, and the
 * agent's answer follows as a message.
 */
final class DiscordInteractions {
    private static final int PING = 1;
    private static final int COMMAND = 2;
    private static final int AUTOCOMPLETE = 4;
    private static final int TYPED_COMMAND = 1;
    private static final int TEXT_OPTION = 3;
    /** Option types of a subcommand and of a group of subcommands. */
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
            default -> unusable("interaction", "This interaction is not supported.");
        };
    }

    private static InboundResult command(ObjectNode interaction) {
        JsonNode data = interaction.path("data");
        String typed = data.path("type").asInt(TYPED_COMMAND) == TYPED_COMMAND
                ? typed(data.path("options"), MAX_NESTED)
                : null;
        if (typed == null) {
            return unusable("no_text", "Type a text for the agent into the command.");
        }
        return new InboundResult(
                List.of(new PlatformEvent.Posted(
                        InboundMessage.ofPlatform(typed, metadata(interaction), null, false),
                        List.of(),
                        PlatformEvent.Echo.NONE)),
                200,
                note("Got it. The answer comes in this channel."));
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
        DiscordMessages.putIfPresent(metadata, "workspace_id", workspace);
        DiscordMessages.putIfPresent(metadata, "command", text(interaction.path("data"), "name"));
        ArrayNode mentions = metadata.putArray("mentions");
        DiscordMessages.addImplied(mentions, id(interaction, "application_id", ""), "command");
        return metadata;
    }

    private static String kind(ObjectNode interaction, @Nullable String workspace) {
        ObjectNode channel = Json.MAPPER.createObjectNode();
        JsonNode type = interaction.path("channel").path("type");
        if (type.isInt()) {
            channel.put("channel_type", type.intValue());
        }
        return DiscordMessages.kind(channel, workspace);
    }

    /** The text of the first option with one of the {@link #NAMES}, or else of the first text option. */
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

    private static InboundResult unusable(String reason, String note) {
        return new InboundResult(List.of(new PlatformEvent.Ignored(reason)), 200, note(note));
    }

    private static ObjectNode note(String text) {
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
