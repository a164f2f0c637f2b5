package dev.parley.sessions;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One event of Agno as it came, read with patience: a member that is missing or of another type says nothing. */
record AgnoEvent(JsonNode json) {
    private static final String TEAM = "Team";
    private static final int MAX_NAME = 200;
    /** As long as ids of clients may be, so that those by which a session is told of its runs stay as they are. */
    private static final int MAX_ID = 128;

    /** Passes for anything that says which event it is. */
    static void require(JsonNode json, String place) {
        if (!json.isObject()) {
            throw ProblemException.invalidField(place, "must be an object");
        }
        JsonNode name = json.path("event");
        String field = place + ".event";
        if (!name.isString() || name.stringValue().isBlank()) {
            throw ProblemException.invalidField(field, "must be the name of an event");
        }
        Text.requireStorable(field, name.stringValue());
        Text.requireAtMost(field, name.stringValue(), MAX_NAME);
    }

    String name() {
        return json.path("event").stringValue();
    }

    /** The name that agents and teams have in common. */
    String kind() {
        return name().startsWith(TEAM) ? name().substring(TEAM.length()) : name();
    }

    /** A name or an id, such that it can be stored. */
    Optional<String> id(String member) {
        return id(json.path(member));
    }

    static Optional<String> id(JsonNode node) {
        return id(node, MAX_ID);
    }

    /** @param longest how many characters it may have; one that has more is a hash */
    static Optional<String> id(JsonNode node, int longest) {
        return node.isString() && !node.stringValue().isEmpty()
                ? Optional.of(usable(node.stringValue(), longest))
                : Optional.empty();
    }

    /** The id of the agent or team whose event it is. */
    Optional<String> agentId() {
        return id("agent_id").or(() -> id("team_id"));
    }

    /** A name for people. */
    Optional<String> label(String member) {
        return Optional.of(json.path(member))
                .filter(JsonNode::isString)
                .map(node -> Text.mended(node.stringValue()))
                .filter(text -> !text.isBlank())
                .map(text ->
                        Text.isAtMost(text, MAX_NAME) ? text : text.substring(0, text.offsetByCodePoints(0, MAX_NAME)));
    }

    /** What somebody says: a text as it is, anything else as JSON; empty if there is nothing. */
    String said(String member) {
        return said(json.path(member));
    }

    static String said(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return "";
        }
        return node.isString() ? node.stringValue() : Json.MAPPER.writeValueAsString(node);
    }

    /** Whose event it is: null for the run itself, else a run below it. */
    @Nullable
    String owner(String runId) {
        JsonNode given = json.path("run_id");
        return !given.isString()
                        || given.stringValue().isEmpty()
                        || given.stringValue().equals(runId)
                ? null
                : usable(given.stringValue(), MAX_ID);
    }

    private static String usable(String id, int longest) {
        String storable = Text.mended(id);
        if (storable.equals(id) && !Text.hasControl(id) && Text.isAtMost(id, longest)) {
            return id;
        }
        // Of the id as it is, not of the mended one, which two ids may have in common.
        String units = id.chars().mapToObj(Integer::toHexString).collect(Collectors.joining("-"));
        return "id-" + UUID.nameUUIDFromBytes(units.getBytes(StandardCharsets.US_ASCII));
    }
}
