package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.agents.DisconnectPolicy;
import dev.parley.auth.Principal;
import dev.parley.http.SseConnection;
import dev.parley.runs.Run;
import dev.parley.runs.Runs;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a run whose client goes away: it goes on, unless the server or its agent is configured otherwise. Then
 * it is cancelled when whoever asked for it has left and nobody else on this node follows it.
 */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

    private final Runs runs;
    private final Agents agents;
    private final DisconnectPolicy usual;
    private final ConcurrentHashMap<UUID, Integer> viewers = new ConcurrentHashMap<>();

    Departures(Runs runs, Agents agents, DisconnectPolicy usual) {
        this.runs = runs;
        this.agents = agents;
        this.usual = usual;
    }

    /** Counts a viewer; run the result when its connection is over. */
    Runnable watch(Run run, Principal caller, SseConnection connection) {
        viewers.merge(run.taskId(), 1, Integer::sum);
        return () -> {
            boolean last =
                    viewers.computeIfPresent(run.taskId(), (task, count) -> count == 1 ? null : count - 1) == null;
            if (last && connection.leftByClient() && run.startedBy().equals(caller.actor())) {
                Thread.startVirtualThread(() -> left(run));
            }
        };
    }

    private void left(Run run) {
        try {
            if (policyOf(run) == DisconnectPolicy.CANCEL && !viewers.containsKey(run.taskId())) {
                runs.abandon(run);
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("Run {} goes on although its client has left: {}", run.taskId(), unavailable.toString());
        }
    }

    private DisconnectPolicy policyOf(Run run) {
        return agents.find(run.agent())
                .flatMap(agent -> DisconnectPolicy.of(agent.config()))
                .orElse(usual);
    }
}
