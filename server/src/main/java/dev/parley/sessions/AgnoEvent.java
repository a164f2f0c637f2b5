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

/** One event of Agno, read leniently: a field with an unexpected type counts as absent. */
record AgnoEvent(JsonNode json) {
    private static final String TEAM = "Team";
    private static final int MAX_NAME = 200;
    /**
     * The maximum length of an id. It equals the length limit of clients' ids, so that run ids posted with a session
     * stay unchanged.
     */
    private static final int MAX_ID = 128;

    /** Throws unless the JSON is an object that names its event. */
    static void require(JsonNode json, String path) {
        if (!json.isObject()) {
            throw ProblemException.invalidField(path, "must be an object");
        }
        JsonNode name = json.path("event");
        String field = path + ".event";
        if (!name.isString() || name.stringValue().isBlank()) {
            throw ProblemException.invalidField(field, "must be the name of an event");
        }
        Text.requireStorable(field, name.stringValue());
        Text.requireAtMost(field, name.stringValue(), MAX_NAME);
    }

    String name() {
        return json.path("event").stringValue();
    }

    /** The event's name without the prefix that distinguishes teams from agents. */
    String kind() {
        return name().startsWith(TEAM) ? name().substring(TEAM.length()) : name();
    }

    /** A name or an id, made storable. */
    Optional<String> id(String member) {
        return id(json.path(member));
    }

    static Optional<String> id(JsonNode node) {
        return id(node, MAX_ID);
    }

    /** @param longest the largest number of characters; a longer id is replaced by its hash */
    static Optional<String> id(JsonNode node, int longest) {
        return node.isString() && !node.stringValue().isEmpty()
                ? Optional.of(storableId(node.stringValue(), longest))
                : Optional.empty();
    }

    /** The id of the agent or team that emitted the event. */
    Optional<String> agentId() {
        return id("agent_id").or(() -> id("team_id"));
    }

    /** A display name. */
    Optional<String> label(String member) {
        return Optional.of(json.path(member))
                .filter(JsonNode::isString)
                .map(node -> Text.mended(node.stringValue()))
                .filter(text -> !text.isBlank())
                .map(text ->
                        Text.isAtMost(text, MAX_NAME) ? text : text.substring(0, text.offsetByCodePoints(0, MAX_NAME)));
    }

    /** The value of a field: a text unchanged, any other value as JSON; empty if there is no value. */
    String text(String member) {
        return text(json.path(member));
    }

    static String text(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return "";
        }
        return node.isString() ? node.stringValue() : Json.MAPPER.writeValueAsString(node);
    }

    /** The run that the event belongs to: null for the run itself, or else the id of a child run. */
    @Nullable
    String owner(String runId) {
        JsonNode given = json.path("run_id");
        return !given.isString()
                        || given.stringValue().isEmpty()
                        || given.stringValue().equals(runId)
                ? null
                : storableId(given.stringValue(), MAX_ID);
    }

    private static String storableId(String id, int longest) {
        String storable = Text.mended(id);
        if (storable.equals(id) && !Text.hasControl(id) && Text.isAtMost(id, longest)) {
            return id;
        }
        // Hashes the original id, because two ids may have the same mended form.
        String units = id.chars().mapToObj(Integer::toHexString).collect(Collectors.joining("-"));
        return "id-" + UUID.nameUUIDFromBytes(units.getBytes(StandardCharsets.US_ASCII));
    }
}
