package dev.parley.sessions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A call as Agno names it: without an id, under a very long one, or under that of an earlier call, since providers number
 * their calls anew. What the log calls it is decided here, and so is which of the log's calls it is.
 *
 * @param id null if it has none
 */
record AgnoCall(@Nullable String id, String tool) {
    private static final String NAMELESS = "call-";
    /** What is longer is a hash: behind ids of this length there is room for what tells them apart. */
    private static final int MAX_ID = 96;

    private static final Pattern AGAIN = Pattern.compile("(.+)#\\d+", Pattern.DOTALL);

    static AgnoCall of(JsonNode id, JsonNode tool) {
        return new AgnoCall(
                AgnoEvent.id(id, MAX_ID).orElse(null), AgnoEvent.id(tool).orElse("tool"));
    }

    /** What the log calls it, if nothing else there is called so. */
    String logged(String made) {
        return id == null ? NAMELESS + made : id;
    }

    /** What the log calls it otherwise. */
    String loggedAgain(long number) {
        return id + "#" + number;
    }

    /** By this it is found among the log's calls. */
    String key() {
        return id == null ? "tool/" + tool : "id/" + id;
    }

    /** The keys of all that a call of the log may be in Agno's words. */
    static List<String> keysOf(String logged, String tool) {
        List<String> keys = new ArrayList<>();
        keys.add("id/" + logged);
        Matcher again = AGAIN.matcher(logged);
        if (again.matches()) {
            keys.add("id/" + again.group(1));
        }
        if (logged.startsWith(NAMELESS)) {
            keys.add("tool/" + tool);
        }
        return keys;
    }

    boolean is(String logged, String loggedTool) {
        return keysOf(logged, loggedTool).contains(key());
    }
}
