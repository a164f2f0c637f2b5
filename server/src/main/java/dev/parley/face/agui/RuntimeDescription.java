package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The agents that a page can use, in the format of CopilotKit; {@code agentId} and {@code kind} are additions. */
final class RuntimeDescription {
    private final Agents agents;
    private final Actor defaultAgent;
    private final String version;

    RuntimeDescription(Agents agents, Actor defaultAgent, String version) {
        this.agents = agents;
        this.defaultAgent = defaultAgent;
        this.version = version;
    }

    Map<String, ?> of(Principal caller) {
        Map<String, Object> described = new LinkedHashMap<>();
        List<RegisteredAgent> usable = agents.listUsable(caller);
        usable.stream()
                .filter(agent -> agent.actor().equals(defaultAgent))
                .findFirst()
                .ifPresent(agent -> described.put("default", describe(agent)));
        usable.forEach(agent -> described.put(agent.id().toString(), describe(agent)));
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", version);
        info.put("agents", described);
        info.put("audioFileTranscriptionEnabled", false);
        info.put("mode", "sse");
        info.put("a2uiEnabled", false);
        return info;
    }

    private static Map<String, ?> describe(RegisteredAgent agent) {
        String kind = agent.kind().name().toLowerCase(Locale.ROOT);
        return Map.of(
                "agentId",
                agent.id().toString(),
                "kind",
                kind,
                "name",
                agent.displayName(),
                "description",
                "An agent of kind " + kind,
                "className",
                "HttpAgent",
                "capabilities",
                Map.of("transport", Map.of("streaming", true, "resumable", true)));
    }
}
