package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A registered agent, and a caller with a thread of their own who starts its runs. */
interface AgentFixture {
    AgentCaller caller();

    String thread();

    String agent();

    default Map<String, Object> input(String run, String text) {
        Map<String, Object> input = AgentCaller.input(thread(), run, text);
        input.put("forwardedProps", new LinkedHashMap<>(Map.of("agentId", agent())));
        return input;
    }

    default void start(Map<String, Object> input) {
        Api.Reply started = caller().start(input);
        assertThat(started.status()).as(started.toString()).isEqualTo(202);
    }

    /** The frames of a run from its start to its end. */
    default List<AgentCaller.Frame> ask(String run, String text) {
        return ask(input(run, text));
    }

    default List<AgentCaller.Frame> ask(Map<String, Object> input) {
        start(input);
        return caller().follow(thread(), String.valueOf(input.get("runId")));
    }
}
