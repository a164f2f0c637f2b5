package dev.parley.api.agui;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An agent that drives its runs from outside, so that a test can stop exactly where it wants. */
record DrivingAgent(String id, Api api) {
    static DrivingAgent of(AguiCaller owner, RunningServer server) {
        String id = owner.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
                .text("agent_id");
        return new DrivingAgent(
                id,
                server.api(owner.api()
                        .post(
                                "/api/v1/owner/external-agents/tokens",
                                "{\"agent_actor_id\":\"" + id + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}")
                        .text("raw_token")));
    }

    /** The path to which its owner's client posts its runs. */
    String runPath() {
        return "/api/v1/agui/agent/" + id + "/run";
    }

    String connectPath() {
        return "/api/v1/agui/agent/" + id + "/connect";
    }

    Driving drive(String thread, String run) {
        return new Driving("/api/v1/agent/threads/" + thread + "/runs/" + run + "/events");
    }

    static Map<String, Object> event(String type, Object... members) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        for (int i = 0; i < members.length; i += 2) {
            event.put((String) members[i], members[i + 1]);
        }
        return event;
    }

    static Map<String, Object> finished() {
        return event("RUN_FINISHED", "threadId", "x", "runId", "y");
    }

    /** One active run. */
    final class Driving {
        private final String path;
        private @Nullable Integer epoch;
        private int next;

        private Driving(String path) {
            this.path = path;
        }

        Driving post(Object... events) {
            Map<String, Object> body = new LinkedHashMap<>();
            if (epoch != null) {
                body.put("epoch", epoch);
            }
            body.put("first", next);
            body.put("events", Arrays.asList(events));
            Api.Reply reply = api.post(path, Json.MAPPER.writeValueAsString(body));
            if (reply.status() != 200) {
                throw new AssertionError(reply.toString());
            }
            JsonNode answer = reply.json();
            epoch = answer.get("epoch").asInt();
            next += events.length;
            return this;
        }

        Driving post(List<JsonNode> events) {
            return post(events.toArray());
        }
    }
}
