package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the log already holds of a batch: entries by their keys, the announcements of commands whose earlier commit went
 * unanswered, and how many messages of others stand behind what authors had read.
 *
 * @param uncertain the commands whose earlier commit went unanswered; only they look for their own work
 */
record KnownFacts(
        Map<ThreadKey, Holder> entries,
        Map<UUID, List<Event>> announcements,
        Map<Reading, Integer> missed,
        Set<UUID> uncertain) {
    static final KnownFacts NOTHING = new KnownFacts(Map.of(), Map.of(), Map.of(), Set.of());

    /** More missed messages than this are counted as this many. */
    static final int MAX_MISSED = 1_000;
    /** Further back nobody looks for them: who has not read for so long counts as outdated. */
    static final int SEARCHED_FOR_MISSED = 100_000;

    /** An author who had read a thread up to a seq. */
    record Reading(ThreadId thread, Actor author, long baseSeq) {}

    /** A key in its thread. */
    record ThreadKey(ThreadId thread, EntryKey key) {}

    /** The entry that holds a key, and the fingerprint and the salt of the body that took it; an erased entry has none. */
    record Holder(
            Entry entry,
            @Nullable Digest fingerprint,
            @Nullable Digest salt) {
        /** Whether it is this very draft that became the entry. */
        boolean sameSalt(Draft draft) {
            return draft.salt().equals(salt);
        }

        boolean sameBody(Draft draft) {
            return fingerprint == null || fingerprint.equals(draft.fingerprint());
        }
    }
}
