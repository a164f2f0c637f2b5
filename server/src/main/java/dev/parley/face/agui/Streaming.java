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
 * What the face streams with, and how it is set up.
 *
 * @param disconnect what becomes of runs whose clients leave, where their agents do not say
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
