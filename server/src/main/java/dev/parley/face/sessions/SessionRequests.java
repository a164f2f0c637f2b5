package dev.parley.face.sessions;

import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.sessions.ClientNames;
import dev.parley.sessions.JsonSlices;
import dev.parley.sessions.NewChatEvent;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the requests of Agno's clients. Checks the shape of the wrappers, and leaves the messages inside unchanged. */
final class SessionRequests {
    private static final String MANY = "chat_events";
    private static final String MESSAGE = "message";
    /** The field of the message in the rows that the server returns. */
    private static final String MESSAGE_DATA = "message_data";

    private static final JsonNode EMPTY = Json.MAPPER.createObjectNode();
    private static final int MAX_ROLE = 64;
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    /** The latest stored time. A later time is in the future in any case, and is replaced by this time. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private final int maxEvents;
    private final List<FieldError> errors = new ArrayList<>();
    private final ClientNames names;

    private SessionRequests(int maxEvents, Limits.Requests limits) {
        this.maxEvents = maxEvents;
        this.names = new ClientNames(limits, errors::add);
    }

    /**
     * The messages of a body, which contains one message or a list of messages.
     *
     * @param timed true if the messages are imported with their times
     */
    static List<NewChatEvent> chatEvents(
            byte[] body, JsonNode read, int maxEvents, Limits.Requests limits, boolean timed) {
        SessionRequests requests = new SessionRequests(maxEvents, limits);
        List<NewChatEvent> events = requests.events(body, read, timed);
        if (!requests.errors.isEmpty()) {
            throw ProblemException.invalidFields(requests.errors);
        }
        return events;
    }

    private List<NewChatEvent> events(byte[] body, JsonNode read, boolean timed) {
        List<NewChatEvent> events = new ArrayList<>();
        if (!read.has(MANY)) {
            add(events, "", read.isObject() ? body : null, read, timed);
            return events;
        }
        for (String member : List.of(MESSAGE, MESSAGE_DATA)) {
            if (read.hasNonNull(member)) {
                throw ProblemException.invalidField(member, "must be left out where chat_events is given");
            }
        }
        JsonNode many = read.path(MANY);
        if (!many.isArray() || many.isEmpty() || many.size() > maxEvents) {
            throw ProblemException.invalidField(MANY, "must be a list of 1 to " + maxEvents + " chat events");
        }
        List<byte @Nullable []> slices = JsonSlices.elementsOf(body, MANY);
        for (int i = 0; i < many.size(); i++) {
            add(events, MANY + "[" + i + "].", slices.get(i), many.get(i), timed);
        }
        return events;
    }

    private void add(List<NewChatEvent> events, String path, byte @Nullable [] json, JsonNode given, boolean timed) {
        if (json != null && isBare(given)) {
            add(events, path, new BodyMessage(path, JsonSlices.objectOf(json), (ObjectNode) given), EMPTY, timed);
            return;
        }
        if (given.hasNonNull(MESSAGE) && given.hasNonNull(MESSAGE_DATA)) {
            errors.add(new FieldError(path + MESSAGE_DATA, "must be left out where message is given"));
            return;
        }
        String member = given.hasNonNull(MESSAGE_DATA) ? MESSAGE_DATA : MESSAGE;
        byte[] slice = json == null ? null : JsonSlices.memberOf(json, member);
        if (slice == null || !(given.path(member) instanceof ObjectNode message)) {
            errors.add(new FieldError(path + member, "must be an object, as Message.to_dict() returns it"));
            return;
        }
        add(events, path, new BodyMessage(path + member + ".", slice, message), given, timed);
    }

    /** True if the object is a message without a wrapper. A wrapper contains the message in a field. */
    private static boolean isBare(JsonNode given) {
        return given.isObject() && !given.has(MESSAGE) && !given.has(MESSAGE_DATA) && given.has("role");
    }

    /**
     * A message of a body.
     *
     * @param path the path of the message's fields in the body
     * @param json the message as its client wrote it
     */
    private record BodyMessage(String path, byte[] json, ObjectNode message) {}

    private void add(List<NewChatEvent> events, String path, BodyMessage given, JsonNode wrapper, boolean timed) {
        ObjectNode message = given.message();
        names.id(given.path() + "id", message.path("id").stringValue(""));
        names.text(given.path() + "role", message.path("role").stringValue(""), MAX_ROLE);
        NewChatEvent.Wrapper fields = new NewChatEvent.Wrapper(
                id(path, wrapper, "agent_id"),
                name(path, wrapper, "agent_name"),
                name(path, wrapper, "team_name"),
                id(path, wrapper, "user_id"),
                id(path, wrapper, "run_id"),
                id(path, wrapper, "parent_run_id"),
                name(path, wrapper, "model"),
                name(path, wrapper, "model_provider"));
        events.add(NewChatEvent.of(given.json(), message, fields, timed ? time(path, wrapper, message) : null));
    }

    private @Nullable String id(String path, JsonNode wrapper, String member) {
        return names.idIfGiven(path + member, textIfGiven(path + member, wrapper.path(member)));
    }

    private @Nullable String name(String path, JsonNode wrapper, String member) {
        return names.nameIfGiven(path + member, textIfGiven(path + member, wrapper.path(member)));
    }

    private @Nullable String textIfGiven(String field, JsonNode value) {
        if (value.isString()) {
            return value.asString();
        }
        if (!value.isMissingNode() && !value.isNull()) {
            errors.add(new FieldError(field, "must be a text, or left out"));
        }
        return null;
    }

    /** The message's time: from its wrapper, or from the message itself, which has seconds only. */
    private @Nullable Instant time(String path, JsonNode wrapper, ObjectNode message) {
        JsonNode given = wrapper.has("created_at") ? wrapper.path("created_at") : message.path("created_at");
        Optional<Instant> time = given.isNumber() ? ofSeconds(given.decimalValue()) : ofText(given);
        if (time.isEmpty()) {
            errors.add(new FieldError(
                    path + "created_at",
                    "must be a time since the year 1: seconds since 1970, or ISO 8601 with an offset"));
        }
        return time.orElse(null);
    }

    private static Optional<Instant> ofSeconds(BigDecimal seconds) {
        if (seconds.compareTo(BigDecimal.valueOf(FIRST.getEpochSecond())) < 0) {
            return Optional.empty();
        }
        BigDecimal clamped = seconds.min(BigDecimal.valueOf(LAST.getEpochSecond()));
        return Optional.of(Instant.ofEpochMilli(clamped.movePointRight(3).longValue()));
    }

    private static Optional<Instant> ofText(JsonNode given) {
        try {
            return given.asStringOpt()
                    .map(text -> OffsetDateTime.parse(text).toInstant())
                    .filter(time -> !time.isBefore(FIRST))
                    .map(time -> time.isAfter(LAST) ? LAST : time);
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
