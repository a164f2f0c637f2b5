package dev.parley.face.chat;

import dev.parley.http.Frames;
import dev.parley.log.Entry;
import dev.parley.log.Event;
import dev.parley.log.Outcome;
import dev.parley.log.Said;
import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.threads.Capability;
import dev.parley.threads.ThreadSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** How the log looks on the chat face. */
final class ChatViews {
    /** An event as a frame; one object, so that all viewers of a thread share its work. */
    static final Function<Event, Frames> FRAMES = ChatViews::frame;

    private ChatViews() {}

    static Message message(Entry entry) {
        Said said = entry.said();
        return new Message(
                said.id(),
                said.author(),
                said.role().wire(),
                said.content(),
                json(said.metadata()),
                said.mentions(),
                entry.createdAt(),
                said.clientMessageId(),
                said.replyTo(),
                entry.seq(),
                said.baseSeq(),
                said.latestSeenSeq(),
                entry.seq() - 1);
    }

    static PostedMessage posted(Outcome.Placed placed) {
        return new PostedMessage(
                message(placed.entry()), true, placed.entry().said().id(), placed.duplicate(), null, null);
    }

    static EventEnvelope envelope(Event event) {
        return switch (event) {
            case Event.Committed(Entry entry) ->
                new EventEnvelope(
                        event.cursor(),
                        event.thread(),
                        event.seq(),
                        "message_committed",
                        entry.said().author(),
                        entry.said().role().wire(),
                        entry.said().content(),
                        event.createdAt(),
                        json(entry.said().metadata()),
                        entry.said().mentions(),
                        null);
            case Event.Announced announced ->
                new EventEnvelope(
                        event.cursor(),
                        event.thread(),
                        event.seq(),
                        announced.type(),
                        null,
                        null,
                        null,
                        event.createdAt(),
                        json(announced.payload()),
                        List.of(),
                        null);
        };
    }

    private static Frames frame(Event event) {
        EventEnvelope envelope = envelope(event);
        return Frames.event(envelope.eventId(), envelope.eventType(), Json.MAPPER.writeValueAsString(envelope));
    }

    static ThreadView thread(ThreadSnapshot thread) {
        ThreadSnapshot.LastMessage last = thread.lastMessage();
        return new ThreadView(
                thread.id(),
                thread.type(),
                thread.title(),
                thread.archived(),
                thread.members().stream().map(ChatViews::participant).toList(),
                thread.lastSeq(),
                last == null ? null : last.at(),
                last == null ? null : last.preview(),
                thread.unread(),
                thread.participationMode(),
                thread.createdAt());
    }

    private static Participant participant(ThreadSnapshot.Member member) {
        return new Participant(
                member.actor(),
                member.actor().kind().name().toLowerCase(Locale.ROOT),
                member.displayName(),
                member.capabilities().stream().map(Capability::wire).toList(),
                member.participationMode(),
                member.lastReadSeq());
    }

    private static @Nullable ObjectNode json(@Nullable String text) {
        return text == null ? null : (ObjectNode) Json.MAPPER.readTree(text);
    }
}
