package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the log already holds of a batch: entries by their keys, and the announcements of commands whose earlier commit
 * went unanswered.
 */
record Known(Map<Place, Holder> entries, Map<UUID, List<Event>> announcements) {
    static final Known NOTHING = new Known(Map.of(), Map.of());

    /** A key in its thread. */
    record Place(ThreadId thread, EntryKey key) {}

    /** The entry that holds a key, and the fingerprint of the body that took it; an erased entry has none. */
    record Holder(Entry entry, @Nullable Digest fingerprint) {
        boolean sameBody(Draft draft) {
            return fingerprint == null || fingerprint.equals(draft.fingerprint());
        }
    }
}
