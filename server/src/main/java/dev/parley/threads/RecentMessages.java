package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.PageSize;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The last messages of threads, for agents that are shown them turn after turn. What was read for the turn before is
 * remembered, so that a turn reads only what is new and costs the same however long the thread is. Nothing depends on the
 * memory: without it the same messages are read again.
 */
public final class RecentMessages {
    /** What a message takes besides its text. */
    private static final int OVERHEAD = 1_024;
    /** Many runs are shown their threads at the same time. */
    private static final int PARTS = 32;
    /** Further behind it is as quick to read everything. */
    private static final int MAX_NEW_MESSAGES = 64;
    /** What was erased, perhaps by another node, must not stay in memory. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Messages messages;
    private final LogReader reader;
    private final int most;
    private final long bytes;
    private final Cache<ThreadId, Stretch> remembered;

    /**
     * @param most how many messages are read of a thread
     * @param memory bytes, roughly, that may be remembered; one thread may have a part of them
     */
    public RecentMessages(Messages messages, LogReader reader, int most, long memory) {
        this.bytes = memory / PARTS;
        this.messages = messages;
        this.reader = reader;
        this.most = most;
        this.remembered = Caffeine.newBuilder()
                .maximumWeight(memory)
                .expireAfterAccess(REMEMBERED)
                .weigher((ThreadId thread, Stretch stretch) -> stretch.weight())
                .build();
    }

    /**
     * A stretch of a thread.
     *
     * @param end the seq behind it
     * @param facts the number of the thread's facts before it was read: every erasure moves it
     * @param bytes of text that were read for it
     */
    private record Stretch(List<ReadMessage> messages, long end, long facts, long bytes) {
        int weight() {
            long weight = messages.stream()
                    .mapToLong(each -> OVERHEAD + each.message().content().length() + 3L * metadataLength(each))
                    .sum();
            return (int) Math.min(Integer.MAX_VALUE, weight);
        }

        /** It is held as text and as a tree. */
        private static int metadataLength(ReadMessage message) {
            String metadata = message.message().original().content().metadata();
            return metadata == null ? 0 : metadata.length();
        }
    }

    /**
     * The last messages before a seq, as they stand. Where the thread is longer than what is read of it, the beginning
     * moves in steps of half of that: so it mostly stays where it was a turn ago, which keeps contexts alike and
     * providers' caches warm.
     */
    public List<ReadMessage> before(ThreadId thread, long end) {
        long facts = reader.facts(thread);
        Stretch known = remembered.getIfPresent(thread);
        Stretch good = known == null || known.facts() != facts ? null : known;
        Optional<Stretch> grown = good == null || good.end() > end ? Optional.empty() : grown(thread, good, end);
        Stretch stretch = grown.orElseGet(() -> read(thread, end, facts));
        if (good == null || good.end() <= end) {
            remembered.put(thread, stretch);
        }
        return stretch.messages();
    }

    /** The same, as it stands now, without looking at what is remembered. */
    public List<ReadMessage> read(ThreadId thread, long end) {
        return read(thread, end, 0).messages();
    }

    private Stretch read(ThreadId thread, long end, long facts) {
        Messages.Page page = messages.lastBefore(thread, end, PageSize.of(most, bytes));
        List<ReadMessage> last = page.messages().stream().map(ReadMessage::of).toList();
        return new Stretch(page.more() ? stepped(last) : last, end, facts, page.bytes());
    }

    /** Empty if something was said about what is remembered: then it is read again. */
    private Optional<Stretch> grown(ThreadId thread, Stretch known, long end) {
        if (known.end() == end) {
            return Optional.of(known);
        }
        LogPages.Entries page =
                messages.entriesAfter(thread, known.end() - 1, PageSize.of(MAX_NEW_MESSAGES + 1, bytes));
        List<Entry> fresh =
                page.entries().stream().filter(entry -> entry.seq() < end).toList();
        if (fresh.size() != end - known.end()
                || fresh.size() > MAX_NEW_MESSAGES
                || fresh.stream().anyMatch(this::revises)) {
            return Optional.empty();
        }
        List<ReadMessage> all = new ArrayList<>(known.messages());
        fresh.stream()
                .filter(entry -> entry.content().kind() == EntryKind.MESSAGE)
                .map(entry -> ReadMessage.of(RevisedMessage.unrevised(entry)))
                .forEach(all::add);
        long read = known.bytes() + page.bytes();
        // A page that was read anew would end sooner.
        return read >= bytes
                ? Optional.empty()
                : Optional.of(
                        new Stretch(all.size() < most ? List.copyOf(all) : stepped(all), end, known.facts(), read));
    }

    private boolean revises(Entry entry) {
        return switch (entry.content().kind()) {
            // What people think of a message changes nothing of what it says.
            case MESSAGE, REACTION, REACTION_REMOVED -> false;
            case EDIT, DELETION, WITHDRAWAL, SUPERSESSION -> true;
        };
    }

    private List<ReadMessage> stepped(List<ReadMessage> last) {
        int first = Math.max(0, last.size() - most);
        int step = Math.max(1, most / 2);
        long bound = (last.get(first).seq() + step - 1) / step * step;
        List<ReadMessage> stepped =
                last.stream().filter(each -> each.seq() >= bound).toList();
        return stepped.isEmpty() ? last.subList(first, last.size()) : stepped;
    }
}
