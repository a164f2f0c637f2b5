package dev.parley.face.sessions;

import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import dev.parley.sessions.JsonSlices;
import dev.parley.sessions.NewChatEvent;
import dev.parley.threads.Text;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what Agno's clients send: the wrappers by their shape, the messages inside them as they are. */
final class SessionRequests {
    private static final String MANY = "chat_events";
    private static final String MESSAGE = "message";
    private static final int LONGEST_ROLE = 64;

    private final Limits limits;
    private final List<FieldError> errors = new ArrayList<>();

    private SessionRequests(Limits limits) {
        this.limits = limits;
    }

    /**
     * The messages of a body: one, or a list of them.
     *
     * @param timed whether they were said elsewhere before, and come with their times
     */
    static List<NewChatEvent> chatEvents(byte[] body, JsonNode read, Limits limits, boolean timed) {
        SessionRequests requests = new SessionRequests(limits);
        List<NewChatEvent> events = requests.events(body, read, timed);
        if (!requests.errors.isEmpty()) {
            throw ProblemException.invalidFields(requests.errors);
        }
        return events;
    }

    private List<NewChatEvent> events(byte[] body, JsonNode read, boolean timed) {
        List<NewChatEvent> events = new ArrayList<>();
        if (!read.has(MANY)) {
            add(events, "", JsonSlices.memberOf(body, MESSAGE), read, timed);
            return events;
        }
        JsonNode many = read.path(MANY);
        if (!many.isArray() || many.isEmpty() || many.size() > limits.sessionEvents()) {
            throw ProblemException.invalidField(
                    MANY, "must be a list of 1 to " + limits.sessionEvents() + " chat events");
        }
        List<byte @Nullable []> slices = JsonSlices.membersOf(body, MANY, MESSAGE);
        for (int i = 0; i < many.size(); i++) {
            add(events, MANY + "[" + i + "].", slices.get(i), many.get(i), timed);
        }
        return events;
    }

    private void add(List<NewChatEvent> events, String place, byte @Nullable [] json, JsonNode wrapper, boolean timed) {
        if (json == null || !(wrapper.path(MESSAGE) instanceof ObjectNode message)) {
            errors.add(new FieldError(place + MESSAGE, "must be an object: what Message.to_dict() gives"));
            return;
        }
        require(place + "message.id", message.path("id"), limits.opaqueId());
        require(place + "message.role", message.path("role"), LONGEST_ROLE);
        NewChatEvent.Wrapper read = new NewChatEvent.Wrapper(
                optional(place, wrapper, "agent_id", limits.opaqueId()),
                optional(place, wrapper, "agent_name", limits.displayName()),
                optional(place, wrapper, "team_name", limits.displayName()),
                optional(place, wrapper, "user_id", limits.opaqueId()),
                optional(place, wrapper, "run_id", limits.opaqueId()),
                optional(place, wrapper, "parent_run_id", limits.opaqueId()),
                optional(place, wrapper, "model", limits.displayName()),
                optional(place, wrapper, "model_provider", limits.displayName()));
        events.add(NewChatEvent.of(json, message, read, timed ? time(place, wrapper, message) : null));
    }

    private void require(String field, JsonNode value, int longest) {
        if (!value.isString() || value.asString().isEmpty()) {
            errors.add(new FieldError(field, "must be a text that is not empty"));
        } else {
            check(field, value.asString(), longest);
        }
    }

    private @Nullable String optional(String place, JsonNode wrapper, String name, int longest) {
        JsonNode value = wrapper.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isString() || value.asString().isEmpty()) {
            errors.add(new FieldError(place + name, "must be a text that is not empty, or left out"));
            return null;
        }
        check(place + name, value.asString(), longest);
        return value.asString();
    }

    private void check(String field, String text, int longest) {
        if (!Text.isStorable(text)) {
            errors.add(new FieldError(field, "must not hold U+0000 or half a surrogate pair"));
        } else if (!Text.isAtMost(text, longest)) {
            errors.add(new FieldError(field, "is longer than the limit of " + longest + " characters"));
        }
    }

    /** When it was said: as its wrapper says, or as the message itself does, which has seconds only. */
    private @Nullable Instant time(String place, JsonNode wrapper, ObjectNode message) {
        JsonNode given = wrapper.has("created_at") ? wrapper.path("created_at") : message.path("created_at");
        try {
            if (given.isNumber()) {
                BigDecimal millis = given.decimalValue().movePointRight(3);
                return Instant.ofEpochMilli(millis.longValue());
            }
            if (given.isString()) {
                return OffsetDateTime.parse(given.asString()).toInstant();
            }
        } catch (DateTimeException | ArithmeticException unreadable) {
            // Said below.
        }
        errors.add(
                new FieldError(place + "created_at", "must be a time: seconds since 1970, or ISO 8601 with an offset"));
        return null;
    }
}
