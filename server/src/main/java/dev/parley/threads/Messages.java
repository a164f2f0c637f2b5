package dev.parley.threads;

import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.Outcome;
import dev.parley.log.Role;
import dev.parley.log.Said;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The front door of what is said: checks its shape, gives it its ids, and hands it to the log. */
public final class Messages {
    private final Log log;
    private final LogReader reader;
    private final Threads threads;
    private final Limits limits;

    public Messages(Log log, LogReader reader, Threads threads, Limits limits) {
        this.log = log;
        this.reader = reader;
        this.threads = threads;
        this.limits = limits;
    }

    /** What a caller wants to say. */
    public record Utterance(
            String content,
            List<Actor> mentions,
            @Nullable ObjectNode metadata,
            @Nullable String replyTo,
            @Nullable String clientMessageId) {
        public static Utterance text(String content) {
            return new Utterance(content, List.of(), null, null, null);
        }
    }

    /** A page of entries, and whether there are more in the direction that was read. */
    public record Page(List<Entry> entries, boolean more) {}

    /** Posts as the caller; a repeated key gives the first entry again. */
    public Outcome.Placed post(Principal caller, ThreadId thread, Utterance utterance) {
        requireWellFormed(utterance);
        ObjectNode metadata = utterance.metadata();
        String storedMetadata = metadata == null ? null : Metadata.requireAllowed(metadata, limits.metadataBytes());
        String key = utterance.clientMessageId();
        Said said = new Said(
                UuidV7.next().toString(),
                caller.actor(),
                Role.USER,
                utterance.content(),
                storedMetadata,
                utterance.mentions(),
                utterance.replyTo(),
                key,
                null,
                null);
        Draft draft = new Draft(
                said,
                key == null ? null : EntryKey.chat(caller.actor(), key),
                Fingerprint.of(utterance.content(), utterance.mentions(), metadata, utterance.replyTo()),
                Draft.freshSalt());
        return log.append(Command.append(thread, draft)).entries().getFirst();
    }

    /** Refuses what no thread would take. */
    public void requireWellFormed(Utterance utterance) {
        if (utterance.content().isEmpty()) {
            throw ProblemException.invalidField("content", "must not be empty");
        }
        Text.requireStorable("content", utterance.content());
        Text.requireAtMost("content", utterance.content(), limits.chatContent());
        requireOpaque("client_message_id", utterance.clientMessageId());
        requireOpaque("reply_to", utterance.replyTo());
        if (utterance.mentions().size() > limits.mentions()) {
            throw ProblemException.invalidField("mentions", "are more than the limit of " + limits.mentions());
        }
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

    /** Entries after a seq, ascending. */
    public Page listAfter(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.entriesAfter(thread, seq, limit + 1);
        return found.size() > limit ? new Page(found.subList(0, limit), true) : new Page(found, false);
    }

    /** The entries nearest before a seq, ascending. */
    public Page listBefore(Principal caller, ThreadId thread, long seq, int limit) {
        threads.requireReadable(caller, thread);
        List<Entry> found = reader.entriesBefore(thread, seq, limit + 1);
        return found.size() > limit ? new Page(found.subList(1, limit + 1), true) : new Page(found, false);
    }
}
