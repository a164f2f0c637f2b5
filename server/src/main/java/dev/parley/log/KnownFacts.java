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
 * commit went unanswered, and the number of messages of others after each author's base seq.
 *
 * @param uncertain the commands whose earlier commit went unanswered; only they look for their own entries
 */
record KnownFacts(
        Map<ThreadKey, Holder> entries,
        Map<UUID, List<Event>> announcements,
        Map<Reading, Integer> missed,
        Set<UUID> uncertain) {
    static final KnownFacts NOTHING = new KnownFacts(Map.of(), Map.of(), Map.of(), Set.of());

    /** More missed messages than this are counted as this many. */
    static final int MAX_MISSED = 1_000;
    /** The search for missed messages ends after this many entries: an author that far behind counts as outdated. */
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
