package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.agents.DisconnectPolicy;
import dev.parley.history.Conversation;
import dev.parley.log.LogReader;
import dev.parley.protocol.Actor;
import dev.parley.runs.Runs;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import java.time.Clock;

/**
 * The dependencies and settings of the face's streams.
 *
 * @param disconnect the fate of a run whose client leaves, unless the run's agent is configured otherwise
 */
public record Streaming(
        Conversation conversation,
        LogReader reader,
        Tails tails,
        OpenStreams open,
        StreamQuota quota,
        Clock clock,
        DisconnectPolicy disconnect,
        Actor defaultAgent,
        String version) {
    AguiStreams over(Runs runs, Agents agents, long snapshotBytes) {
        return new AguiStreams(runs, this, new Departures(runs, agents, disconnect), snapshotBytes);
    }
}
