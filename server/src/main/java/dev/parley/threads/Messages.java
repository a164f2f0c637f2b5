package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Direction;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.MessageFilter;
import dev.parley.log.MessageFinder;
import dev.parley.log.PageSize;
import dev.parley.log.RevisionReader;
import dev.parley.log.Role;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The front door of messages. It checks new messages, assigns their ids, and passes them to the log. It reads messages
 * in their present state.
 */
public final class Messages {
    /** The maximum number of missed messages that a stale author is shown, and their maximum bytes. */
    private static final int MISSED_SHOWN = 200;

    private static final long MISSED_BYTES = 1024 * 1024;

    private final Log log;
    private final LogReader reader;
    private final LogPages pages;
    private final RevisionReader revisions;
    private final MessageFinder finder;
    private final ThreadAccess access;
    private final WorkIntake intake;
    private final Limits limits;

    public Messages(
            Log log,
            LogReader reader,
            LogPages pages,
            RevisionReader revisions,
            MessageFinder finder,
            ThreadAccess access,
            WorkIntake intake,
            Limits limits) {
        this.log = log;
        this.reader = reader;
        this.pages = pages;
        this.revisions = revisions;
        this.finder = finder;
        this.access = access;
        this.intake = intake;
        this.limits = limits;
    }

    /** A message that a caller wants to post. */
    public record Utterance(
            String content,
            List<Actor> mentions,
            @Nullable ObjectNode metadata,
            @Nullable String replyTo,
            @Nullable String clientMessageId,
            @Nullable Context context) {
        public static Utterance text(String content) {
            return new Utterance(content, List.of(), null, null, null, null);
        }

        public static Utterance keyed(String content, String clientMessageId) {
            return new Utterance(content, List.of(), null, null, clientMessageId, null);
        }

        /** The same message in another context. */
        public Utterance in(Context other) {
            return new Utterance(content, mentions, metadata, replyTo, clientMessageId, other);
        }
    }

    /**
     * The reading position and the run that an author may give with a message.
     *
     * @param rejectIfStale true if the author prefers a refusal to a stale message
     * @param runId the run in which the author answers
     * @param ownRun true if the run is the author's own, so that the author may report on it
     */
    public record Context(
            @Nullable Long baseSeq,
            @Nullable Long latestSeenSeq,
            boolean rejectIfStale,
            @Nullable String runId,
            boolean ownRun) {
        static final Context NONE = new Context(null, null, false, null, false);

        /** The same context in another run. */
        public Context in(String run, boolean own) {
            return new Context(baseSeq, latestSeenSeq, rejectIfStale, run, own);
        }
    }

    /**
     * A page of messages as they stand now.
     *
     * @param more true if there are, or may be, further messages in the direction of the read
     * @param bytes the bytes of the page's text; if they exceed the reader's room, messages are missing
     * @param stoppedAt the seq at which a filtered read stopped looking; null for all other pages
     */
    public record Page(
            List<RevisedMessage> messages,
            boolean more,
            long bytes,
            @Nullable Long stoppedAt) {}

    /**
     * Passes while the node accepts messages of people. Messages of agents always pass, because they belong to work in
     * progress.
     */
    public void requireOpen(Speaker speaker) {
        if (speaker.role() == Role.USER) {
            intake.requireOpen();
        }
    }

    /** Posts a message; a repeated key returns the first entry again. */
    public CommandOutcome.Placed post(Principal caller, Speaker speaker, ThreadId thread, Utterance utterance) {
        caller.requireScope(Capability.CAN_SEND);
        requireWellFormed(utterance);
        requireOpen(speaker);
        ObjectNode metadata = utterance.metadata();
        Context context = utterance.context() == null ? Context.NONE : utterance.context();
        String storedMetadata = Metadata.toStore(
                metadata, context.runId(), context.ownRun(), limits.requests().metadataBytes());
        String key = utterance.clientMessageId();
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                speaker.actor(),
                speaker.role(),
                utterance.content(),
                storedMetadata,
                mentions(speaker, thread, utterance),
                utterance.replyTo(),
                key,
                context.baseSeq(),
                context.latestSeenSeq());
        Draft draft = Draft.of(
                content,
                key == null ? null : EntryKey.chat(speaker.actor(), key),
                // The fingerprint covers the mentions as given, because a later retry may find other names in the text.
                Fingerprint.of(utterance.content(), utterance.mentions(), metadata, utterance.replyTo()));
        return log.append(Command.append(thread, context.rejectIfStale() ? draft.rejectedIfStale() : draft))
                .entries()
                .getFirst();
    }

    /** The given ids, and the participants named in the text. */
    private List<Actor> mentions(Speaker speaker, ThreadId thread, Utterance utterance) {
        if (utterance.content().indexOf('@') < 0) {
            return utterance.mentions();
        }
        Set<Actor> mentions = new LinkedHashSet<>(utterance.mentions());
        mentions.addAll(Mentions.in(utterance.content(), access.requireRoster(speaker.actor(), thread)));
        return List.copyOf(mentions);
    }

    /** Refuses a message that no thread would accept. */
    public void requireWellFormed(Utterance utterance) {
        requireContent("content", utterance.content());
        requireOpaque("client_message_id", utterance.clientMessageId());
        requireOpaque("reply_to", utterance.replyTo());
        if (utterance.mentions().size() > limits.threads().mentions()) {
            throw ProblemException.invalidField(
                    "mentions", "are more than the limit of " + limits.threads().mentions());
        }
        Context context = utterance.context();
        if (context != null) {
            requireOpaque("run_id", context.runId());
            Long base = context.baseSeq();
            Long seen = context.latestSeenSeq();
            if (base != null && seen != null && seen < base) {
                throw ProblemException.invalidField("latest_seen_seq", "must not be below base_seq");
            }
        }
    }

    /** Refuses a text that no message can have, under the field name that its sender knows. */
    public void requireContent(String field, String content) {
        if (content.isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        Text.requireStorable(field, content);
        Text.requireAtMost(field, content, limits.threads().content());
    }

    private void requireOpaque(String field, @Nullable String value) {
        if (value != null) {
            if (value.isEmpty()) {
                throw ProblemException.invalidField(field, "must not be empty");
            }
            Text.requireId(field, value);
            Text.requireAtMost(field, value, limits.requests().opaqueId());
        }
    }

    /** The first messages by other authors after the author's base seq. */
    public Page missed(ThreadId thread, Actor author, long baseSeq, long room) {
        PageSize size = new PageSize(MISSED_SHOWN, MISSED_BYTES, room);
        return revised(thread, Direction.FORWARDS, pages.messagesOfOthersAfter(thread, author, baseSeq, size), size);
    }

    /** The messages nearest to a seq, ascending. */
    public Page list(Principal caller, ThreadId thread, Direction direction, long seq, PageSize size) {
        access.requireReadable(caller, thread);
        return near(thread, direction, seq, size);
    }

    private Page near(ThreadId thread, Direction direction, long seq, PageSize size) {
        return revised(thread, direction, pages.messages(thread, direction, seq, size), size);
    }

    /** The messages nearest to a seq that match a filter, ascending. */
    public Page find(
            Principal caller, ThreadId thread, MessageFilter filter, Direction direction, long seq, PageSize size) {
        if (filter.isEmpty()) {
            return list(caller, thread, direction, seq, size);
        }
        requireSearchable(caller, thread, filter);
        MessageFinder.MatchingSeqs matching = finder.find(thread, filter, direction, seq, size.items());
        Page page = at(thread, matching.seqs(), direction, size);
        return page.more() ? page : new Page(page.messages(), matching.more(), page.bytes(), matching.stoppedAt());
    }

    private void requireSearchable(Principal caller, ThreadId thread, MessageFilter filter) {
        requireOpaque("run_id", filter.runId());
        requireOpaque("stage", filter.stage());
        access.requireReadable(caller, thread);
    }

    /** The last messages before a seq, ascending, for the run that answers in the thread. */
    public Page lastBefore(ThreadId thread, long seq, PageSize size) {
        return near(thread, Direction.BACKWARDS, seq, size);
    }

    /** The entries after a seq, for a reader that knows the earlier ones. */
    LogPages.Entries entriesAfter(ThreadId thread, long seq, PageSize size) {
        return pages.entries(thread, Direction.FORWARDS, seq, size);
    }

    /** The seq that the thread's next entry will have; all present entries lie before it. */
    public long nextSeq(ThreadId thread) {
        return reader.lastSeq(thread) + 1;
    }

    /** True if the thread has a message with this id. */
    public boolean holds(ThreadId thread, String id) {
        return !reader.seqsOf(thread, List.of(id)).isEmpty();
    }

    /** The messages with the given ids, ascending; ids without a message are left out. */
    public List<RevisedMessage> named(ThreadId thread, Collection<String> ids) {
        return at(thread, reader.seqsOf(thread, ids).values().stream().sorted().toList());
    }

    /** The messages at some seqs, ascending. */
    public List<RevisedMessage> at(ThreadId thread, List<Long> seqs) {
        return revised(thread, reader.entriesAt(thread, seqs));
    }

    /** The first messages of a list of seqs in a direction, ascending. */
    public Page at(ThreadId thread, List<Long> seqs, Direction direction, PageSize size) {
        return revised(thread, direction, pages.entriesAt(thread, direction, seqs, size), size);
    }

    /** The participants that a text by another participant names. */
    public List<Actor> namedIn(ThreadId thread, Actor author, String text) {
        return text.indexOf('@') < 0 ? List.of() : Mentions.in(text, access.roster(author, thread));
    }

    /** Entries as they are in the log, with revisions. */
    public LogPages.Entries listRaw(Principal caller, ThreadId thread, Direction direction, long seq, PageSize size) {
        access.requireReadable(caller, thread);
        return pages.entries(thread, direction, seq, size);
    }

    /** Messages of a thread as they stand now, in the order of their seqs. */
    List<RevisedMessage> revised(ThreadId thread, List<Entry> messages) {
        PageSize all = PageSize.of(Integer.MAX_VALUE, Long.MAX_VALUE);
        return revised(thread, messages, revisions.revisionsOf(thread, seqs(messages), Direction.FORWARDS, all));
    }

    /** A page as it stands now; it ends before the first message whose revisions would make it too long. */
    private Page revised(ThreadId thread, Direction direction, LogPages.Entries page, PageSize size) {
        long room = size.room() - page.bytes();
        if (room < 0) {
            return new Page(List.of(), true, page.bytes(), null);
        }
        List<Entry> messages = page.entries();
        RevisionReader.Revisions applied = revisions.revisionsOf(
                thread, seqs(messages), direction, new PageSize(size.items(), size.bytes(), room));
        long bytes = page.bytes() + applied.bytes();
        if (applied.bytes() > room) {
            return new Page(List.of(), true, bytes, null);
        }
        List<Entry> complete =
                applied.omitted().isEmpty() ? messages : upToOmitted(messages, direction, applied.omitted());
        return new Page(
                revised(thread, complete, applied), page.more() || complete.size() < messages.size(), bytes, null);
    }

    private static List<Entry> upToOmitted(List<Entry> messages, Direction direction, Set<Long> omitted) {
        return switch (direction) {
            case FORWARDS ->
                messages.stream()
                        .takeWhile(each -> !omitted.contains(each.seq()))
                        .toList();
            case BACKWARDS ->
                messages.reversed().stream()
                        .takeWhile(each -> !omitted.contains(each.seq()))
                        .toList()
                        .reversed();
        };
    }

    private static List<Long> seqs(List<Entry> messages) {
        return messages.stream().map(Entry::seq).toList();
    }

    private List<RevisedMessage> revised(ThreadId thread, List<Entry> messages, RevisionReader.Revisions applied) {
        RevisionReader.Supersessions supersessions = supersessions(thread, messages);
        return messages.stream()
                .map(message -> {
                    RevisedMessage revised =
                            RevisedMessage.of(message, applied.bySeq().getOrDefault(message.seq(), List.of()));
                    if (isAnswer(message) && supersessions.hold(message.seq())) {
                        return revised.asSuperseded();
                    }
                    return supersessions.restored().contains(message.seq()) ? revised.asRestored() : revised;
                })
                .toList();
    }

    private RevisionReader.Supersessions supersessions(ThreadId thread, List<Entry> messages) {
        return messages.stream().anyMatch(Messages::isAnswer)
                ? revisions.supersessionsAfter(thread, messages.getFirst().seq())
                : RevisionReader.Supersessions.NONE;
    }

    private static boolean isAnswer(Entry message) {
        return message.content().author().kind() == Actor.Kind.AGENT;
    }
}
