package dev.parley.sessions;

import dev.parley.agents.model.Prices;
import dev.parley.attachments.Attached;
import dev.parley.attachments.MessageFiles;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.Revisions;
import dev.parley.threads.Speaker;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.Threads;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The front door for messages of Agno's clients: each message once, in the order of arrival, a post as a whole or not
 * at all. Each message is kept beside its entry exactly as its client wrote it.
 */
public final class ChatEvents {
    /**
     * A try fails when another caller brings one of the same messages, or another message of the same run, at the same
     * time.
     */
    private static final int TRIES = 16;

    private final Log log;
    private final Threads threads;
    private final SessionThreads sessions;
    private final SessionAuthors authors;
    private final SessionMedia media;
    private final StreamedAnswers streamed;
    private final KnownMessages known;
    private final SessionRunOwners owners;
    private final Prices prices;
    private final Clock clock;

    ChatEvents(
            Log log,
            Threads threads,
            SessionThreads sessions,
            SessionAuthors authors,
            SessionMedia media,
            StreamedAnswers streamed,
            KnownMessages known,
            SessionRunOwners owners,
            Prices prices,
            Clock clock) {
        this.log = log;
        this.threads = threads;
        this.sessions = sessions;
        this.authors = authors;
        this.media = media;
        this.streamed = streamed;
        this.known = known;
        this.owners = owners;
        this.prices = prices;
        this.clock = clock;
    }

    /**
     * The thread of a post.
     *
     * @param anythingNew true if any message of the post was new
     */
    public record Appended(ThreadId thread, boolean anythingNew) {}

    /** Appends messages; repeated messages with the same body stay as they are. */
    public Appended append(Principal caller, String sessionId, List<NewChatEvent> events) {
        return append(caller, sessionId, events, Capability.CAN_SEND, null);
    }

    private Appended append(
            Principal caller, String sessionId, List<NewChatEvent> events, Capability needed, @Nullable String title) {
        SessionThreads.requireScope(caller, Capability.CAN_SEND);
        SessionThreads.requireScope(caller, needed);
        Map<String, NewChatEvent> byId = byId(events);
        ThreadId thread = sessions.claim(caller, sessionId);
        for (int i = 0; i < TRIES; i++) {
            Optional<ThreadRoster> existing = sessions.isMade(thread)
                    ? Optional.of(threads.requireAllowed(caller, thread, needed))
                    : Optional.empty();
            List<NewChatEvent> fresh = existing.isEmpty() ? List.copyOf(byId.values()) : known.unknown(thread, byId);
            existing.ifPresent(roster -> owners.require(caller, roster, runsOf(fresh)));
            Optional<Boolean> written =
                    fresh.isEmpty() ? Optional.of(false) : write(caller, thread, existing, fresh, title);
            if (written.isPresent()) {
                return new Appended(thread, written.get());
            }
        }
        throw new ProblemException(Problem.OVERLOADED, "The session changes too quickly; try again.");
    }

    /**
     * Appends messages from elsewhere, with their times.
     *
     * @param title of the session, if it is new; checked in any case
     */
    public Appended bringIn(Principal caller, String sessionId, List<NewChatEvent> events, @Nullable String title) {
        if (title != null) {
            threads.requireTitle(title);
        }
        return append(caller, sessionId, events, Capability.CAN_MANAGE_PARTICIPANTS, title);
    }

    /** The runs that the events belong to. */
    private static Set<String> runsOf(List<NewChatEvent> events) {
        return events.stream()
                .flatMap(event -> Optional.ofNullable(event.wrapper().runId()).stream())
                .collect(Collectors.toSet());
    }

    private static Map<String, NewChatEvent> byId(List<NewChatEvent> events) {
        Map<String, NewChatEvent> byId = new LinkedHashMap<>();
        for (NewChatEvent event : events) {
            NewChatEvent twin = byId.putIfAbsent(event.messageId(), event);
            if (twin != null && !twin.fingerprint().equals(event.fingerprint())) {
                throw KnownMessages.reused(event.messageId());
            }
        }
        return byId;
    }

    /**
     * @return true if any message was new; empty if another caller brought one of them at the same moment, and none was
     * written
     */
    private Optional<Boolean> write(
            Principal caller,
            ThreadId thread,
            Optional<ThreadRoster> existing,
            List<NewChatEvent> fresh,
            @Nullable String title) {
        StreamedAnswers.Matches matches =
                existing.isEmpty() ? StreamedAnswers.Matches.NONE : streamed.of(thread, fresh);
        List<SessionMedia.StoredMedia> stored = new ArrayList<>();
        try {
            List<Change> changes = new ArrayList<>();
            SessionAuthors.Roster roster = authors.rosterOf(caller, existing);
            for (NewChatEvent event : fresh) {
                MediaCutter.Cut cut = MediaCutter.cut(event.json());
                SessionMedia.StoredMedia files = media.keep(caller, thread, cut);
                stored.add(files);
                ChatEventRow row = row(caller, event, cut, files);
                StreamedAnswers.Target target = matches.targets().get(event.messageId());
                changes.addAll(
                        target == null
                                ? message(
                                        thread, event, roster.authorOf(event), row, files, matches.isUnstreamed(event))
                                : beside(thread, event, row, target));
                if (!files.objects().isEmpty()) {
                    changes.add(new Change.Apply(Attached.of(thread, files.objects())));
                }
            }
            // Made last: a refused post leaves no session.
            if (existing.isEmpty()) {
                sessions.create(caller, thread, beginning(fresh), title);
            }
            changes.addAll(0, roster.joining(thread));
            CommandOutcome.Done done = log.append(new Command(UuidV7.next(), thread, caller.actor(), changes));
            boolean anythingNew =
                    done.entries().isEmpty() || done.entries().stream().anyMatch(placed -> !placed.duplicate());
            if (!anythingNew) {
                stored.forEach(media::forget);
            }
            return Optional.of(anythingNew);
        } catch (ProblemException refused) {
            if (!refused.problem().retryable()) {
                stored.forEach(media::forget);
            }
            if (refused.problem() == Problem.KEY_REUSED) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private Instant beginning(Collection<NewChatEvent> events) {
        Instant now = clock.instant();
        return events.stream()
                .flatMap(event -> Optional.ofNullable(event.saidAt()).stream())
                .filter(time -> time.isBefore(now))
                .min(Instant::compareTo)
                .orElse(now);
    }

    private ChatEventRow row(
            Principal caller, NewChatEvent event, MediaCutter.Cut cut, SessionMedia.StoredMedia files) {
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

    private static List<Change> message(
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
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Apply(new ChatEventEffect.Brought(thread, row, content.id(), unstreamed)));
        changes.add(new Change.Append(saidAt == null ? draft : draft.saidAt(saidAt)));
        return changes;
    }

    /** The message is in the log already; its client's version of the text is a revision of it. */
    private List<Change> beside(ThreadId thread, NewChatEvent event, ChatEventRow row, StreamedAnswers.Target target) {
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
