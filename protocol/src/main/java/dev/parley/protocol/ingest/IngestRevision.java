package dev.parley.protocol.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A platform's change to an earlier message.
 *
 * @param externalEventId the platform's id of the change, by which a repeated report is recognized
 * @param kind edited, deleted, reaction_added or reaction_removed
 * @param message the new text of an edited message
 * @param senderId the sender of a reaction, with the source's prefix
 * @param emoji the emoji, or the platform's name for it
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IngestRevision(
        String source,
        @Nullable String workspaceId,
        String channelExternalId,
        String externalMessageId,
        @Nullable String externalEventId,
        String kind,
        @Nullable String message,
        @Nullable String senderId,
        @Nullable String senderDisplayName,
        @Nullable String emoji) {}
