package dev.parley.threads;

import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What lists have to learn of the entries committed since they were last written: the newest message of each thread, the
 * first one for its title, and what became of messages that may be shown. For one thread at a time; its owner locks.
 */
final class ActivityNotes {
    /** A message's place. */
    record Place(ThreadId thread, long seq) {}

    private final Map<ThreadId, Entry> newest = new HashMap<>();
    private final Map<ThreadId, Entry> first = new HashMap<>();
    private final Map<Place, Entry> revised = new HashMap<>();

    void note(Entry entry) {
        switch (entry.said().kind()) {
            case MESSAGE -> {
                newest.merge(entry.thread(), entry, (a, b) -> a.seq() > b.seq() ? a : b);
                if (entry.seq() == 1) {
                    first.put(entry.thread(), entry);
                }
            }
            case EDIT, DELETION ->
                revised.merge(
                        new Place(
                                entry.thread(),
                                Objects.requireNonNull(entry.said().targetSeq())),
                        entry,
                        ActivityNotes::lastWord);
            case REACTION, REACTION_REMOVED -> {}
        }
    }

    /** A deletion is the last word, whatever edit was under way. */
    private static Entry lastWord(Entry a, Entry b) {
        if (a.said().kind() != b.said().kind()) {
            return a.said().kind() == EntryKind.DELETION ? a : b;
        }
        return a.seq() > b.seq() ? a : b;
    }

    boolean isEmpty() {
        return newest.isEmpty() && revised.isEmpty();
    }

    /** In the order of the threads, which is the order in which everybody locks their rows. */
    List<Entry> newest() {
        return sorted(newest.values());
    }

    List<Entry> first() {
        return sorted(first.values());
    }

    Map<Place, Entry> revised() {
        return revised;
    }

    List<Entry> all() {
        List<Entry> all = new ArrayList<>(newest.values());
        all.addAll(first.values());
        all.addAll(revised.values());
        return all;
    }

    private static List<Entry> sorted(Collection<Entry> entries) {
        return entries.stream()
                .sorted(Comparator.comparing(entry -> entry.thread().toString()))
                .toList();
    }
}
