package dev.parley.sessions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A tool call as Agno identifies it: without an id, with a very long id, or with the id of an earlier call, because
 * providers restart their numbering. The record derives the call's id in the log, and compares calls of the log with
 * this call.
 *
 * @param id Agno's id of the call; null if the call has no id
 */
record AgnoCall(@Nullable String id, String tool) {
    private static final String NAMELESS = "call-";
    /**
     * The maximum length of Agno's id; a longer id is replaced by its hash. An id of this length leaves room for the
     * suffix that distinguishes equal ids.
     */
    private static final int MAX_ID = 96;

    private static final Pattern NUMBERED = Pattern.compile("(.+)#\\d+", Pattern.DOTALL);

    static AgnoCall of(JsonNode id, JsonNode tool) {
        return new AgnoCall(
                AgnoEvent.id(id, MAX_ID).orElse(null), AgnoEvent.id(tool).orElse("tool"));
    }

    /** The call's id in the log, unless another call of the log has it. */
    String logId(String generated) {
        return id == null ? NAMELESS + generated : id;
    }

    /** The call's id in the log if {@link #logId} is taken. */
    String numberedLogId(long number) {
        return id + "#" + number;
    }

    /** The key under which the call is found among the log's calls. */
    String key() {
        return id == null ? "tool/" + tool : "id/" + id;
    }

    /** The keys of all Agno calls that a call of the log may represent. */
    static List<String> keysOf(String logged, String tool) {
        List<String> keys = new ArrayList<>();
        keys.add("id/" + logged);
        Matcher numbered = NUMBERED.matcher(logged);
        if (numbered.matches()) {
            keys.add("id/" + numbered.group(1));
        }
        if (logged.startsWith(NAMELESS)) {
            keys.add("tool/" + tool);
        }
        return keys;
    }

    boolean matches(String logged, String loggedTool) {
        return keysOf(logged, loggedTool).contains(key());
    }
}
