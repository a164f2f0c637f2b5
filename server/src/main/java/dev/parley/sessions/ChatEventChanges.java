package dev.parley.sessions;

import dev.parley.agents.model.Prices;
import dev.parley.attachments.MessageFiles;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.Revisions;
import dev.parley.threads.Speaker;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Turns messages of Agno's clients into changes of the log. It reads and writes nothing. */
final class ChatEventChanges {
    private final Prices prices;
    private final Clock clock;

    ChatEventChanges(Prices prices, Clock clock) {
        this.prices = prices;
        this.clock = clock;
    }

    /** The time at which a new session began: its earliest message, or the present. */
    Instant beginning(Collection<NewChatEvent> events) {
        Instant now = clock.instant();
        return events.stream()
                .flatMap(event -> Optional.ofNullable(event.saidAt()).stream())
                .filter(time -> time.isBefore(now))
                .min(Instant::compareTo)
                .orElse(now);
    }

    ChatEventRow row(Principal caller, NewChatEvent event, MediaCutter.Cut cut, SessionMedia.StoredMedia files) {
        return new ChatEventRow(
                UuidV7.next(),
                caller.actor(),
                event.messageId(),
                event.role(),
                event.wrapper(),
                new String(cut.json(), StandardCharsets.UTF_8),
                files.media(),
                event.fingerprint(),
                MessageUsage.of(
                        event.message().path("metrics"),
                        event.wrapper().modelProvider(),
                        event.wrapper().model(),
                        prices));
    }

    /** The changes that append a message which the log does not have. */
    List<Change> message(
            ThreadId thread,
            NewChatEvent event,
            Actor author,
            ChatEventRow row,
            SessionMedia.StoredMedia files,
            boolean unstreamed) {
        MessageReading reading = new MessageReading(event.message());
        ObjectNode metadata = reading.metadata(event.wrapper());
        MessageFiles.put(metadata, files.shown());
        Instant saidAt = event.saidAt();
        if (saidAt != null) {
            metadata.put("imported", true);
        }
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                author,
                MessageReading.role(event.role()),
                reading.text(),
                Json.MAPPER.writeValueAsString(metadata),
                List.of(),
                null,
                null,
                null,
                null);
        Draft draft = Draft.of(content, EntryKey.session(event.messageId()), event.fingerprint())
                .wishing(event.messageId());
        return List.of(
                new Change.Apply(new ChatEventEffect.Brought(thread, row, content.id(), unstreamed)),
                new Change.Append(saidAt == null ? draft : draft.saidAt(saidAt)));
    }

    /**
     * The changes for a message that the log already has. A different text from the client becomes a revision of the
     * message.
     */
    List<Change> beside(ThreadId thread, NewChatEvent event, ChatEventRow row, StreamedAnswers.Target target) {
        List<Change> changes = new ArrayList<>();
        Entry original = target.message().original();
        changes.add(new Change.Apply(new ChatEventEffect.Beside(
                thread, row, original.seq(), target.covers(), target.sight(), clock.instant())));
        MessageReading reading = new MessageReading(event.message());
        if (!target.settled()
                && !target.message().isDeleted()
                && reading.revises(target.message().content())) {
            changes.add(new Change.Append(edit(target.message(), reading.text())));
        }
        return changes;
    }

    private static Draft edit(RevisedMessage target, String text) {
        EntryContent original = target.original().content();
        Speaker author = new Speaker(original.author(), original.role());
        EntryContent edit = Revisions.said(target, EntryKind.EDIT, "edit", author, text);
        return Draft.of(edit, null, Fingerprint.of(text, List.of(), null, null));
    }
}
