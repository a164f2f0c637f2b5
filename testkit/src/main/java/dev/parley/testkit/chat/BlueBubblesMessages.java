package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages as a <a href="https://docs.bluebubbles.app/server/developer-guides/rest-api-and-webhooks">BlueBubbles</a>
 * server sends them. Every field is present, and most fields are null.
 */
public final class BlueBubblesMessages {
    private BlueBubblesMessages() {}

    /**
     * A message with a text.
     *
     * @param address the author; null for the Mac's owner
     */
    public static ObjectNode said(String chatGuid, @Nullable String address, @Nullable String text, Instant when) {
        ObjectNode message = Json.MAPPER
                .createObjectNode()
                .put("originalROWID", 1)
                .put("guid", UUID.randomUUID().toString().toUpperCase(Locale.ROOT))
                .put("text", text)
                .putNull("attributedBody");
        if (address == null) {
            message.putNull("handle");
        } else {
            message.putObject("handle")
                    .put("originalROWID", 7)
                    .put("address", address)
                    .put("service", "iMessage")
                    .putNull("uncanonicalizedId")
                    .put("country", "us");
        }
        message.put("handleId", address == null ? 0 : 7).put("otherHandle", 0);
        message.putArray("attachments");
        message.putNull("subject")
                .put("error", 0)
                .put("dateCreated", when.toEpochMilli())
                .putNull("dateRead")
                .putNull("dateDelivered")
                .put("isFromMe", address == null)
                .put("hasDdResults", false)
                .put("isArchived", false)
                .put("itemType", 0)
                .putNull("groupTitle")
                .put("groupActionType", 0)
                .putNull("balloonBundleId")
                .putNull("associatedMessageGuid")
                .putNull("associatedMessageType")
                .putNull("expressiveSendStyleId")
                .putNull("threadOriginatorGuid")
                .put("hasPayloadData", false);
        message.putArray("chats").add(chat(chatGuid));
        message.putNull("messageSummaryInfo")
                .putNull("payloadData")
                .putNull("dateEdited")
                .putNull("dateRetracted")
                .put("partCount", 1);
        return message;
    }

    private static ObjectNode chat(String guid) {
        return Json.MAPPER
                .createObjectNode()
                .put("originalROWID", 3)
                .put("guid", guid)
                .put("style", guid.contains(";+;") ? 43 : 45)
                .put("chatIdentifier", guid.substring(guid.lastIndexOf(';') + 1))
                .put("isArchived", false)
                .put("displayName", guid.contains(";+;") ? "Lunch" : "");
    }

    /** Adds an attachment to a message, and adds the Mac's placeholder to the message's text. */
    public static ObjectNode attach(ObjectNode message, String guid, String name, String mimeType, long size) {
        message.withArray("attachments")
                .addObject()
                .put("originalROWID", 5)
                .put("guid", guid)
                .put("uti", "public.data")
                .put("mimeType", mimeType)
                .put("transferName", name)
                .put("totalBytes", size);
        return message.put("text", message.path("text").asString("") + "\uFFFC");
    }
}
