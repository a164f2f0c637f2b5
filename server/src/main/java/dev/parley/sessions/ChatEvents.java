package dev.parley.sessions;

import dev.parley.attachments.Attached;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Log;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.ThreadRoster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The front door for messages of Agno's clients. Messages are stored once and in the order of their arrival, and a post
 * is stored as a whole or not at all. Each message is kept beside its entry exactly as its client wrote it.
 */
public final class ChatEvents {
    /**
     * The maximum number of tries to append a post. A try fails if another caller posts one of the same messages, or
     * another message of the same run, at the same time.
     */
    private static final int TRIES = 16;

    private final Log log;
    private final SessionThreads sessions;
    private final SessionAccess access;
    private final SessionAuthors authors;
    private final SessionMedia media;
    private final StreamedAnswers streamed;
    private final KnownMessages known;
    private final ChatEventChanges changes;

    ChatEvents(
            Log log,
            SessionThreads sessions,
            SessionAccess access,
            SessionAuthors authors,
            SessionMedia media,
            StreamedAnswers streamed,
            KnownMessages known,
            ChatEventChanges changes) {
        this.log = log;
        this.sessions = sessions;
        this.access = access;
        this.authors = authors;
        this.media = media;
        this.streamed = streamed;
        this.known = known;
        this.changes = changes;
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
            Optional<ThreadRoster> existing = access.existing(caller, thread, needed);
            List<NewChatEvent> fresh = existing.isEmpty() ? List.copyOf(byId.values()) : known.unknown(thread, byId);
            if (fresh.isEmpty()) {
                return new Appended(thread, false);
            }
            // This is checked first, because a caller who may not add to a run must not learn the run's state.
            SessionAuthors.Roster roster = authors.rosterOf(caller, existing, runsOf(fresh));
            Optional<Boolean> written = write(caller, thread, existing, roster, fresh, title);
            if (written.isPresent()) {
                return new Appended(thread, written.get());
            }
        }
        throw new ProblemException(Problem.OVERLOADED, "The session changes too quickly; try again.");
    }

    /**
     * Imports messages that were written elsewhere, with their original times.
     *
     * @param title the title of the session, if it is new; checked in any case
     */
    public Appended bringIn(Principal caller, String sessionId, List<NewChatEvent> events, @Nullable String title) {
        if (title != null) {
            sessions.requireTitle(title);
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
     * @return true if any message was new; empty if another caller posted one of the messages at the same time, and
     *     none of them was written
     */
    private Optional<Boolean> write(
            Principal caller,
            ThreadId thread,
            Optional<ThreadRoster> existing,
            SessionAuthors.Roster roster,
            List<NewChatEvent> fresh,
            @Nullable String title) {
        StreamedAnswers.Matches matches =
                existing.isEmpty() ? StreamedAnswers.Matches.NONE : streamed.of(thread, fresh);
        List<SessionMedia.StoredMedia> stored = new ArrayList<>();
        try {
            List<Change> all = new ArrayList<>();
            for (NewChatEvent event : fresh) {
                MediaCutter.Cut cut = MediaCutter.cut(event.json());
                SessionMedia.StoredMedia files = media.keep(caller, thread, cut);
                stored.add(files);
                ChatEventRow row = changes.row(caller, event, cut, files);
                StreamedAnswers.Target target = matches.targets().get(event.messageId());
                all.addAll(
                        target == null
                                ? changes.message(
                                        thread, event, roster.authorOf(event), row, files, matches.isUnstreamed(event))
                                : changes.beside(thread, event, row, target));
                if (!files.objects().isEmpty()) {
                    all.add(new Change.Apply(Attached.of(thread, files.objects())));
                }
            }
            // The session is created last, so that a refused post leaves no session.
            if (existing.isEmpty()) {
                sessions.create(caller, thread, changes.beginning(fresh), title);
            }
            all.addAll(0, roster.joining(thread));
            CommandOutcome.Done done = log.append(new Command(UuidV7.next(), thread, caller.actor(), all));
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
}
