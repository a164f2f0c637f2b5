package dev.parley.runs.lifecycle;

import dev.parley.log.Change;
import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** The event that tells a thread's readers each state of its runs. */
public final class RunUpdate {
    public static final String TYPE = "run_updated";

    private RunUpdate() {}

    public static Change of(Run run, RunState state) {
        return of(run.runId(), run.agent(), state);
    }

    static Change of(String runId, Actor agent, RunState state) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("run_id", runId);
        payload.put("agent", agent.value());
        payload.put("state", state.wire());
        return new Change.Announce(TYPE, agent, Json.MAPPER.writeValueAsString(payload));
    }

    /** The state in an event of this type. */
    public static String stateIn(Event.Announced update) {
        return Json.MAPPER.readTree(update.payload()).path("state").asString("");
    }
}
