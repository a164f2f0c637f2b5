package dev.parley.face.chat;

import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.http.Frames;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.threads.Engagements;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The views of events for one kind of viewer. All people see the same bytes and share them. An agent is told about its
 * engagement, so each agent has its own view.
 */
record EventViews(Optional<Actor> agent) implements Function<Event, Frames> {
    /** The limit of a message's text in an event, in bytes. A client gets the rest when it reads the message itself. */
    private static final int MAX_CONTENT_BYTES = 256 * 1024;

    private static final EventViews PEOPLE = new EventViews(Optional.empty());

    static EventViews of(Principal viewer) {
        return viewer instanceof Principal.Agent agent ? new EventViews(Optional.of(agent.actor())) : PEOPLE;
    }

    /** An event as a frame. */
    @Override
    public Frames apply(Event event) {
        if (event instanceof Event.Emitted) {
            // A growing answer is shown by the agent face; the chat face shows the finished message.
            return Frames.NONE;
        }
        EventEnvelope envelope = envelope(event);
        return Frames.json(envelope.eventId(), envelope.eventType(), Json.MAPPER.writeValueAsBytes(envelope));
    }

    EventEnvelope envelope(Event event) {
        return switch (event) {
            case Event.Committed(Entry entry) ->
                new EventEnvelope(
                        event.cursor(),
                        event.thread(),
                        event.seq(),
                        entry.content().kind().isRevision() ? "message_revised" : "message_committed",
                        ChatViews.sender(entry.content()),
                        entry.content().role().wire(),
                        Text.startWithin(entry.content().text(), MAX_CONTENT_BYTES),
                        event.createdAt(),
                        metadata(entry),
                        entry.content().mentions(),
                        entry.content().id(),
                        entry.content().clientMessageId(),
                        shouldRespond(entry.engagement()),
                        ChatViews.engagement(entry),
                        null,
                        null,
                        null);
            case Event.Announced announced when announced.type().equals(RunUpdate.TYPE) -> run(announced);
            case Event.Announced announced ->
                new EventEnvelope(
                        event.cursor(),
                        event.thread(),
                        event.seq(),
                        announced.type(),
                        announced.actor(),
                        null,
                        null,
                        event.createdAt(),
                        ChatViews.json(announced.payload()),
                        List.of(),
                        null,
                        null,
                        shouldRespond(List.of()),
                        null,
                        null,
                        null,
                        null);
            case Event.Emitted emitted -> throw new IllegalArgumentException("not an event of a conversation");
        };
    }

    /** Marks a message that is shortened or erased. */
    private static @Nullable ObjectNode metadata(Entry entry) {
        if (entry.isErased()) {
            return Json.MAPPER.createObjectNode().put("erased", true);
        }
        ObjectNode said = ChatViews.json(entry.content().metadata());
        String content = entry.content().text();
        if (Text.startWithin(content, MAX_CONTENT_BYTES).length() == content.length()) {
            return said;
        }
        return (said == null ? Json.MAPPER.createObjectNode() : said).put("truncated", true);
    }

    private EventEnvelope run(Event.Announced announced) {
        JsonNode run = Json.MAPPER.readTree(announced.payload());
        return new EventEnvelope(
                announced.cursor(),
                announced.thread(),
                announced.seq(),
                announced.type(),
                announced.actor(),
                null,
                null,
                announced.createdAt(),
                null,
                List.of(),
                null,
                null,
                shouldRespond(List.of()),
                null,
                run.path("run_id").asString(),
                announced.actor(),
                run.path("state").asString());
    }

    private @Nullable Boolean shouldRespond(List<Engagement> engagement) {
        return agent.map(self -> Engagements.shouldRespond(engagement, self)).orElse(null);
    }
}
