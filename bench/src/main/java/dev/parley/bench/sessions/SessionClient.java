package dev.parley.bench.sessions;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ApiCaller;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An Agno client that posts messages to sessions, as a person and as an agent by turns. */
final class SessionClient implements AutoCloseable {
    private static final int AT_ONCE = 500;

    private final ApiCaller caller;
    private int posted;

    SessionClient(URI server, Accounts.User user) {
        this.caller = new ApiCaller(server, user, Duration.ofSeconds(60));
    }

    /** Posts messages, with up to {@link #AT_ONCE} messages in each request. */
    void fill(String session, int messages) {
        for (int done = 0; done < messages; done += AT_ONCE) {
            post(session, Math.min(AT_ONCE, messages - done));
        }
    }

    /** Posts messages one after the other, with one message in each request. */
    void append(String session, int messages) {
        for (int i = 0; i < messages; i++) {
            post(session, 1);
        }
    }

    private void post(String session, int messages) {
        List<Map<String, Object>> events = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            events.add(event());
        }
        caller.prepare("/api/v1/sessions/" + session + "/chat-events", Map.of("chat_events", events));
    }

    private Map<String, Object> event() {
        boolean agent = posted++ % 2 == 1;
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", UUID.randomUUID().toString());
        message.put("content", ("message " + posted + ", which says something of the weather. ").repeat(8));
        message.put("from_history", false);
        message.put("stop_after_tool_call", false);
        message.put("role", agent ? "assistant" : "user");
        message.put("created_at", 1_765_280_936 + posted);
        return agent
                ? Map.of("message", message, "agent_name", "Forecaster", "run_id", "run-" + posted)
                : Map.of("message", message);
    }

    @Override
    public void close() {
        caller.close();
    }
}
