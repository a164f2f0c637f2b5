package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.agents.DisconnectPolicy;
import dev.parley.auth.Principal;
import dev.parley.http.SseConnection;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the fate of a run whose client disconnects. By default the run goes on. If the server or the run's agent is
 * configured otherwise, the run is cancelled as soon as its starter has left and no viewer follows the run on this face
 * of this node any more.
 */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

    private final Runs runs;
    private final Agents agents;
    private final DisconnectPolicy usual;
    private final ConcurrentHashMap<UUID, Audience> audiences = new ConcurrentHashMap<>();

    Departures(Runs runs, Agents agents, DisconnectPolicy usual) {
        this.runs = runs;
        this.agents = agents;
        this.usual = usual;
    }

    /** The viewers of a run: their number, and true if its starter has left. */
    private record Audience(int viewers, boolean left) {
        static final Audience NONE = new Audience(0, false);

        /** Adds a viewer; a starter that returns has not left. */
        Audience with(boolean starter) {
            return new Audience(viewers + 1, left && !starter);
        }

        Audience without(boolean starter) {
            return new Audience(viewers - 1, left || starter);
        }
    }

    /** Counts a viewer. The caller runs the result when the viewer's connection is over. */
    Runnable watch(Run run, Principal caller, SseConnection connection) {
        boolean starter = run.startedBy().equals(caller.actor());
        audiences.compute(
                run.taskId(), (task, audience) -> (audience == null ? Audience.NONE : audience).with(starter));
        return () -> {
            AtomicBoolean abandoned = new AtomicBoolean();
            audiences.computeIfPresent(run.taskId(), (task, audience) -> {
                Audience remaining = audience.without(starter && connection.leftByClient());
                abandoned.set(remaining.viewers() == 0 && remaining.left());
                return remaining.viewers() == 0 ? null : remaining;
            });
            if (abandoned.get()) {
                Thread.startVirtualThread(() -> left(run));
            }
        };
    }

    private void left(Run run) {
        try {
            if (policyOf(run) == DisconnectPolicy.CANCEL && !audiences.containsKey(run.taskId())) {
                runs.cancellation().abandon(run);
            }
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "Could not cancel run {} after its client left; the run goes on: {}",
                    run.name(),
                    unavailable.toString());
        }
    }

    private DisconnectPolicy policyOf(Run run) {
        return agents.find(run.agent())
                .flatMap(agent -> DisconnectPolicy.of(agent.config()))
                .orElse(usual);
    }
}
