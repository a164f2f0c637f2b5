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

/** Reads what Agno's clients send: the wrappers by their shape, the messages inside them as they are. */
final class SessionRequests {
    private static final String MANY = "chat_events";
    private static final String MESSAGE = "message";
    /** The name that the message has in the rows that are read. */
    private static final String MESSAGE_DATA = "message_data";

    private static final JsonNode EMPTY = Json.MAPPER.createObjectNode();
    private static final int MAX_ROLE = 64;
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    /** What lies behind it has not been said yet either. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private final int maxEvents;
    private final List<FieldError> errors = new ArrayList<>();
    private final ClientNames names;

    private SessionRequests(int maxEvents, Limits.Requests limits) {
        this.maxEvents = maxEvents;
        this.names = new ClientNames(limits, errors::add);
    }

    /**
     * The messages of a body: one, or a list of them.
     *
     * @param timed whether they were said elsewhere before, and come with their times
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

    private void add(List<NewChatEvent> events, String place, byte @Nullable [] json, JsonNode given, boolean timed) {
        if (json != null && isBare(given)) {
            add(events, place, new Spoken(place, JsonSlices.objectOf(json), (ObjectNode) given), EMPTY, timed);
            return;
        }
        if (given.hasNonNull(MESSAGE) && given.hasNonNull(MESSAGE_DATA)) {
            errors.add(new FieldError(place + MESSAGE_DATA, "must be left out where message is given"));
            return;
        }
        String member = given.hasNonNull(MESSAGE_DATA) ? MESSAGE_DATA : MESSAGE;
        byte[] slice = json == null ? null : JsonSlices.memberOf(json, member);
        if (slice == null || !(given.path(member) instanceof ObjectNode message)) {
            errors.add(new FieldError(place + member, "must be an object: what Message.to_dict() gives"));
            return;
        }
        add(events, place, new Spoken(place + member + ".", slice, message), given, timed);
    }

    /** Whether this is a message itself, with nothing around it: a wrapper has the message as a member. */
    private static boolean isBare(JsonNode given) {
        return given.isObject() && !given.has(MESSAGE) && !given.has(MESSAGE_DATA) && given.has("role");
    }

    /**
     * A message of a body.
     *
     * @param place the path of its members
     * @param json as its client wrote it
     */
    private record Spoken(String place, byte[] json, ObjectNode message) {}

    private void add(List<NewChatEvent> events, String place, Spoken spoken, JsonNode wrapper, boolean timed) {
        ObjectNode message = spoken.message();
        names.id(spoken.place() + "id", message.path("id").stringValue(""));
        names.text(spoken.place() + "role", message.path("role").stringValue(""), MAX_ROLE);
        NewChatEvent.Wrapper read = new NewChatEvent.Wrapper(
                id(place, wrapper, "agent_id"),
                name(place, wrapper, "agent_name"),
                name(place, wrapper, "team_name"),
                id(place, wrapper, "user_id"),
                id(place, wrapper, "run_id"),
                id(place, wrapper, "parent_run_id"),
                name(place, wrapper, "model"),
                name(place, wrapper, "model_provider"));
        events.add(NewChatEvent.of(spoken.json(), message, read, timed ? time(place, wrapper, message) : null));
    }

    private @Nullable String id(String place, JsonNode wrapper, String member) {
        return names.idIfGiven(place + member, textIfGiven(place + member, wrapper.path(member)));
    }

    private @Nullable String name(String place, JsonNode wrapper, String member) {
        return names.nameIfGiven(place + member, textIfGiven(place + member, wrapper.path(member)));
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

    /** When it was said: as its wrapper says, or as the message itself does, which has seconds only. */
    private @Nullable Instant time(String place, JsonNode wrapper, ObjectNode message) {
        JsonNode given = wrapper.has("created_at") ? wrapper.path("created_at") : message.path("created_at");
        Optional<Instant> time = given.isNumber() ? ofSeconds(given.decimalValue()) : ofText(given);
        if (time.isEmpty()) {
            errors.add(new FieldError(
                    place + "created_at",
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
