package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the log already holds about a batch: entries by their keys, the events of commands whose earlier
 * commit went unanswered, and the number of messages by other authors after each author's base seq.
 *
 * @param uncertain the commands whose earlier commit went unanswered; only these commands look for their own entries
 */
record KnownFacts(
        Map<ThreadKey, Holder> entries,
        Map<UUID, List<Event>> announcements,
        Map<Reading, Integer> missed,
        Set<UUID> uncertain) {
    static final KnownFacts NOTHING = new KnownFacts(Map.of(), Map.of(), Map.of(), Set.of());

    /** The highest count of missed messages. Higher numbers are counted as this one. */
    static final int MAX_MISSED = 1_000;
    /**
     * The number of entries in which missed messages are searched. An author who lacks more entries counts as an author
     * who missed at least one message.
     */
    static final int SEARCHED_FOR_MISSED = 100_000;

    /** An author who had read a thread up to a seq. */
    record Reading(ThreadId thread, Actor author, long baseSeq) {}

    /** A key in its thread. */
    record ThreadKey(ThreadId thread, EntryKey key) {}

    /** The entry that holds a key, with the fingerprint and the salt of its body; an erased entry has neither. */
    record Holder(
            Entry entry,
            @Nullable Digest fingerprint,
            @Nullable Digest salt) {
        /** True if the entry came from this very draft. */
        boolean sameSalt(Draft draft) {
            return draft.salt().equals(salt);
        }

        boolean sameBody(Draft draft) {
            return fingerprint == null || fingerprint.equals(draft.fingerprint());
        }
    }
}
