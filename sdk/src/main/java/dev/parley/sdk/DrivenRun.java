package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.agent.RunEvents;
import dev.parley.protocol.agent.RunStanding;
import dev.parley.protocol.agui.AguiEvent;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A run that the calling agent drives from outside of the server. The events are numbered. Therefore each event enters
 * the log once, even if it is sent several times. The client keeps events that got no answer, and sends them ahead of
 * the next post.
 */
public final class DrivenRun {
    private final Transport transport;
    private final String path;
    private RunStanding standing;
    private List<JsonNode> unanswered = List.of();

    private DrivenRun(Transport transport, String path, RunStanding standing) {
        this.transport = transport;
        this.path = path;
        this.standing = standing;
    }

    /** Opens the run with an empty post, because only an empty post can be repeated before the epoch is known. */
    static DrivenRun open(Transport transport, String path) {
        return new DrivenRun(
                transport,
                path,
                transport.call(Request.post(path, new RunEvents(null, 0L, List.of())), RunStanding.class));
    }

    static DrivenRun resumed(Transport transport, String path, RunStanding standing) {
        return new DrivenRun(transport, path, standing);
    }

    /** The run's progress in the last answer. Another process can continue the run from there. */
    public synchronized RunStanding standing() {
        return standing;
    }

    public RunStanding post(AguiEvent... events) {
        return post(List.of(events));
    }

    /**
     * Posts events. If no answer comes, the client keeps the events and sends them ahead of the next post or heartbeat;
     * do not post them again. A refused post leaves the run unchanged. Once the answer has {@code stop}, the run is
     * over and takes no more events.
     */
    public synchronized RunStanding post(Collection<? extends AguiEvent> events) {
        settle();
        unanswered = events.stream()
                .map(event -> (JsonNode) Json.MAPPER.valueToTree(event))
                .toList();
        settle();
        return standing;
    }

    /** Tells the server that the agent is still at work. A heartbeat or a post is due at least once a minute. */
    public synchronized RunStanding heartbeat() {
        settle();
        standing = send(List.of());
        return standing;
    }

    private void settle() {
        if (unanswered.isEmpty()) {
            return;
        }
        try {
            standing = send(unanswered);
        } catch (ParleyProblem problem) {
            if (!problem.outcomeUnknown()) {
                unanswered = List.of();
            }
            throw problem;
        }
        unanswered = List.of();
    }

    private RunStanding send(List<JsonNode> events) {
        return transport.call(
                Request.post(path, new RunEvents(standing.epoch(), standing.next(), events)), RunStanding.class);
    }
}
