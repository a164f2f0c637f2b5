package dev.parley.platforms.slack;

import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.ProblemException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The envelope of an event (<a href="https://docs.slack.dev/apis/events-api/">Slack: Events API</a>).
 *
 * @param eventId the same at each retry; null if Slack sends none
 */
record SlackEnvelope(String team, @Nullable String eventId, String app, JsonNode authorizations, JsonNode event) {
    static SlackEnvelope read(ObjectNode body) {
        JsonNode event = body.path("event");
        if (!event.isObject()) {
            throw ProblemException.invalidField("event", "must be an object");
        }
        String id = SlackJson.text(body, "event_id");
        return new SlackEnvelope(
                SlackJson.first(SlackJson.text(body, "team_id"), SlackJson.text(event, "team")),
                id.isEmpty() ? null : id,
                SlackJson.text(body, "api_app_id"),
                body.path("authorizations"),
                event);
    }

    /** A required field of an event. */
    static String require(JsonNode object, String field, String name) {
        String value = SlackJson.text(object, name);
        if (value.isBlank()) {
            throw ProblemException.invalidField(field + name, "is missing");
        }
        return value;
    }

    PlatformEvent.MessageRef messageRef(String channel, String ts) {
        return new PlatformEvent.MessageRef(
                team, channel, ts, eventId, SlackTime.of(SlackJson.text(event, "event_ts")));
    }
}
