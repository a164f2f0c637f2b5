package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.MessageFilter;
import dev.parley.log.MessageFinder;
import dev.parley.log.Outcome;
import dev.parley.log.Said;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The front door of what is said: checks its shape, gives it its ids, and hands it to the log. */
public final class Messages {
    /** How many missed messages a stale author is told of. */
    private static final int MISSED_SHOWN = 200;

    private final Log log;
    private final LogReader reader;
    private final MessageFinder finder;
    private final Threads threads;
    private final Limits limits;

    public Messages(Log log, LogReader reader, MessageFinder finder, Threads threads, Limits limits) {
        this.log = log;
        this.reader = reader;
        this.finder = finder;
        this.threads = threads;
        this.limits = limits;
    }

    /** What a caller wants to say. */
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

        /** The same words in another context. */
        public Utterance in(Context other) {
            return new Utterance(content, mentions, metadata, replyTo, clientMessageId, other);
        }
    }

    /**
     * What the author had read, for authors who say so.
     *
     * @param rejectIfStale whether it would rather be refused than answer to an outdated thread
     * @param runId the run it answers in
     * @param ownRun whether that is a run of the author's own, on which it may report
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
     * @param more whether there are, or may be, further ones in the direction that was read
     * @param stoppedAt the seq at which a filtered read stopped looking; null for all other pages
     */
    public record Page(
            List<RevisedMessage> messages,
            boolean more,
            @Nullable Long stoppedAt) {}

    /** Posts; a repeated key gives the first entry again. */
    public Outcome.Placed post(Principal caller, Speaker speaker, ThreadId thread, Utterance utterance) {
        caller.requireScope(Capability.CAN_SEND);
        requireWellFormed(utterance);
        ObjectNode metadata = utterance.metadata();
        Context context = utterance.context() == null ? Context.NONE : utterance.context();
        String storedMetadata = Metadata.toStore(metadata, context.runId(), context.ownRun(), limits);
        String key = utterance.clientMessageId();
        Said said = new Said(
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
                said,
                key == null ? null : EntryKey.chat(speaker.actor(), key),
                // Of the mentions as given: names found in the text may be found differently by a later retry.
                Fingerprint.of(utterance.content(), utterance.mentions(), metadata, utterance.replyTo()));
        return log.append(Command.append(thread, context.rejectIfStale() ? draft.rejectedIfStale() : draft))
                .entries()
                .getFirst();
    }

    /** Ids decide; names in the text are added to them. */
    private List<Actor> mentions(Speaker speaker, ThreadId thread, Utterance utterance) {
        if (utterance.content().indexOf('@') < 0) {
            return utterance.mentions();
        }
        Set<Actor> mentions = new LinkedHashSet<>(utterance.mentions());
        mentions.addAll(Mentions.in(utterance.content(), threads.membersFor(speaker.actor(), thread)));
        return List.copyOf(mentions);
    }

    /** Refuses what no thread would take. */
    public void requireWellFormed(Utterance utterance) {
        requireContent("content", utterance.content());
        requireOpaque("client_message_id", utterance.clientMessageId());
        requireOpaque("reply_to", utterance.replyTo());
        if (utterance.mentions().size() > limits.mentions()) {
            throw ProblemException.invalidField("mentions", "are more than the limit of " + limits.mentions());
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

    /** Refuses a text that no message can have, by the name its sender knows it by. */
    public void requireContent(String field, String content) {
        if (content.isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        Text.requireStorable(field, content);
        Text.requireAtMost(field, content, limits.chatContent());
    }

    private void requireOpaque(String field, @Nullable String value) {
        if (value != null) {
            if (value.isEmpty()) {
                throw ProblemException.invalidField(field, "must not be empty");
            }
            Text.requireStorable(field, value);
            Text.requireAtMost(field, value, limits.opaqueId());
        }
    }

    /** The first messages of others that an author had missed. */
    public List<RevisedMessage> missed(ThreadId thread, Actor author, long baseSeq) {
        return revised(thread, reader.messagesOfOthersAfter(thread, author, baseSeq, MISSED_SHOWN));
    }

    /** Messages after a seq, ascending. */
    public Page listAfter(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.messagesAfter(thread, seq, limit + 1);
        return new Page(revised(thread, found.subList(0, Math.min(limit, found.size()))), found.size() > limit, null);
    }

    /** The messages nearest before a seq, ascending. */
    public Page listBefore(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.messagesBefore(thread, seq, limit + 1);
        int first = Math.max(0, found.size() - limit);
        return new Page(revised(thread, found.subList(first, found.size())), first > 0, null);
    }

    /** Messages after a seq that match a filter, ascending. */
    public Page findAfter(Principal caller, ThreadId thread, MessageFilter filter, long seq, int limit) {
        if (filter.isEmpty()) {
            return listAfter(caller, thread, seq, limit);
        }
        requireSearchable(caller, thread, filter);
        return page(thread, finder.after(thread, filter, seq, limit));
    }

    /** The messages nearest before a seq that match a filter, ascending. */
    public Page findBefore(Principal caller, ThreadId thread, MessageFilter filter, long seq, int limit) {
        if (filter.isEmpty()) {
            return listBefore(caller, thread, seq, limit);
        }
        requireSearchable(caller, thread, filter);
        return page(thread, finder.before(thread, filter, seq, limit));
    }

    private void requireSearchable(Principal caller, ThreadId thread, MessageFilter filter) {
        requireOpaque("run_id", filter.runId());
        requireOpaque("stage", filter.stage());
        threads.requireReadable(caller, thread);
    }

    private Page page(ThreadId thread, MessageFinder.Found found) {
        return new Page(at(thread, found.seqs()), found.more(), found.stoppedAt());
    }

    /** The last messages before a seq, ascending, for whoever answers in the thread. */
    public List<RevisedMessage> lastBefore(ThreadId thread, long seq, int limit) {
        return revised(thread, reader.messagesBefore(thread, seq, limit));
    }

    /** The seq that the thread's next entry will have: everything said until now stands before it. */
    public long nextSeq(ThreadId thread) {
        return reader.lastSeq(thread) + 1;
    }

    /** Whether a message of the thread has an id. */
    public boolean holds(ThreadId thread, String id) {
        return !reader.seqsOf(thread, List.of(id)).isEmpty();
    }

    /** Those messages of these ids that there are, ascending. */
    public List<RevisedMessage> named(ThreadId thread, Collection<String> ids) {
        return at(thread, reader.seqsOf(thread, ids).values().stream().sorted().toList());
    }

    /** Single messages, ascending. */
    public List<RevisedMessage> at(ThreadId thread, List<Long> seqs) {
        return revised(thread, reader.entriesAt(thread, seqs));
    }

    /** Who of a thread is named in a text by somebody in it. */
    public List<Actor> namedIn(ThreadId thread, Actor author, String text) {
        return text.indexOf('@') < 0 ? List.of() : Mentions.in(text, threads.roster(author, thread));
    }

    /** Entries as they are in the log, revisions among them. */
    public record RawPage(List<Entry> entries, boolean more) {}

    public RawPage listRawAfter(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.entriesAfter(thread, seq, limit + 1);
        return new RawPage(found.subList(0, Math.min(limit, found.size())), found.size() > limit);
    }

    public RawPage listRawBefore(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.entriesBefore(thread, seq, limit + 1);
        return new RawPage(found.subList(Math.max(0, found.size() - limit), found.size()), found.size() > limit);
    }

    /** Messages of a thread as they stand now, in the same order, which is that of their seqs. */
    public List<RevisedMessage> revised(ThreadId thread, List<Entry> messages) {
        Map<Long, List<Entry>> revisions =
                reader.revisionsOf(thread, messages.stream().map(Entry::seq).toList());
        LogReader.Supersessions supersessions = supersessions(thread, messages);
        return messages.stream()
                .map(message -> {
                    RevisedMessage revised =
                            RevisedMessage.of(message, revisions.getOrDefault(message.seq(), List.of()));
                    if (isAnswer(message) && supersessions.hold(message.seq())) {
                        return revised.asSuperseded();
                    }
                    return supersessions.restored().contains(message.seq()) ? revised.asRestored() : revised;
                })
                .toList();
    }

    private LogReader.Supersessions supersessions(ThreadId thread, List<Entry> messages) {
        return messages.stream().anyMatch(Messages::isAnswer)
                ? reader.supersessionsAfter(thread, messages.getFirst().seq())
                : LogReader.Supersessions.NONE;
    }

    private static boolean isAnswer(Entry message) {
        return message.said().author().kind() == Actor.Kind.AGENT;
    }
}
