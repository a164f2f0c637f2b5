package dev.parley.threads;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Event;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.PageSize;
import dev.parley.protocol.ThreadId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of threads, for agents that read them turn after turn. The messages of the last turn are cached. A
 * turn therefore reads only new messages, and costs the same in a long thread as in a short one. The cache is only an
 * optimisation: without it the same messages are read again.
 */
public final class RecentMessages {
    /** The bytes of a message besides its text. */
    private static final int OVERHEAD = 1_024;
    /** The bytes of an entry on a page, besides its text. */
    private static final int OBJECT_BYTES = 512;
    /**
     * The number of equal shares of the cache. One thread may fill one share, because many runs read their threads at
     * the same time.
     */
    private static final int SHARES = 32;
    /**
     * The maximum number of new messages by which a cached stretch grows. For more new messages, a full read is as
     * quick.
     */
    private static final int MAX_NEW_MESSAGES = 64;
    /**
     * The time after which cached messages are dropped, because messages that perhaps another node has erased must not
     * stay in memory.
     */
    private static final Duration CACHE_TIME = Duration.ofHours(1);

    private final Messages messages;
    private final LogReader reader;
    private final int maxMessages;
    private final long bytes;
    private final Cache<ThreadId, Stretch> cache;
    /** The entries that this node appended after a cached stretch. */
    private final Cache<ThreadId, List<Entry>> appended;

    /**
     * @param maxMessages the maximum number of messages that are read from a thread
     * @param memory the approximate bytes of the cache; one thread may have a share of them
     */
    public RecentMessages(Messages messages, LogReader reader, int maxMessages, long memory) {
        this.bytes = memory / SHARES;
        this.messages = messages;
        this.reader = reader;
        this.maxMessages = maxMessages;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(memory)
                .expireAfterAccess(CACHE_TIME)
                .weigher((ThreadId thread, Stretch stretch) -> stretch.weight())
                .build();
        this.appended = Caffeine.newBuilder()
                .maximumWeight(memory / 4)
                .expireAfterWrite(CACHE_TIME)
                .weigher((ThreadId thread, List<Entry> entries) -> weightOf(entries))
                .build();
    }

    /**
     * A stretch of a thread.
     *
     * @param end the seq after the stretch
     * @param facts the number of changes to the thread's facts before the read; every erasure counts as a change
     * @param bytes the bytes of text that were read for the stretch
     */
    private record Stretch(List<ReadMessage> messages, long end, long facts, long bytes) {
        int weight() {
            long weight = messages.stream()
                    .mapToLong(each -> OVERHEAD + each.message().content().length() + 3L * metadataLength(each))
                    .sum();
            return (int) Math.min(Integer.MAX_VALUE, weight);
        }

        /**
         * The length of a message's metadata. The caller counts it several times, because the metadata is held as text
         * and as a tree.
         */
        private static int metadataLength(ReadMessage message) {
            String metadata = message.message().original().content().metadata();
            return metadata == null ? 0 : metadata.length();
        }
    }

    /**
     * Notes entries that this node appends, so that a cached stretch grows by them without a read. This method does
     * nothing more, because it is called on the thread of a lane.
     */
    public void committed(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Committed(Entry entry) && cache.getIfPresent(entry.thread()) != null) {
                appended.asMap().compute(entry.thread(), (thread, earlier) -> followedBy(earlier, entry));
            }
        }
    }

    private static List<Entry> followedBy(@Nullable List<Entry> earlier, Entry entry) {
        boolean follows = earlier != null
                && earlier.size() < MAX_NEW_MESSAGES
                && earlier.getLast().seq() + 1 == entry.seq();
        if (earlier == null || !follows) {
            return List.of(entry);
        }
        List<Entry> all = new ArrayList<>(earlier);
        all.add(entry);
        return all;
    }

    /** The appended entries between two seqs, if all of them are noted. */
    private Optional<List<Entry>> appended(ThreadId thread, long from, long end) {
        List<Entry> noted = appended.asMap().remove(thread);
        if (noted == null) {
            return Optional.empty();
        }
        List<Entry> between = noted.stream()
                .filter(entry -> entry.seq() >= from && entry.seq() < end)
                .toList();
        return between.size() == end - from ? Optional.of(between) : Optional.empty();
    }

    /**
     * The last messages before a seq, in their present state. In a thread that is longer than the limit, the first of
     * these messages changes in steps of half the limit. In most turns it is therefore the same message as in the turn
     * before, which keeps contexts alike and providers' caches warm.
     */
    public List<ReadMessage> before(ThreadId thread, long end) {
        long facts = reader.facts(thread);
        Stretch cached = cache.getIfPresent(thread);
        Stretch current = cached == null || cached.facts() != facts ? null : cached;
        Optional<Stretch> extended =
                current == null || current.end() > end ? Optional.empty() : extended(thread, current, end);
        Stretch stretch = extended.orElseGet(() -> read(thread, end, facts));
        if (current == null || current.end() <= end) {
            cache.put(thread, stretch);
        }
        return stretch.messages();
    }

    /** The same messages as {@link #before} returns, but read from the database, without the cache. */
    public List<ReadMessage> read(ThreadId thread, long end) {
        return read(thread, end, 0).messages();
    }

    private Stretch read(ThreadId thread, long end, long facts) {
        Messages.Page page = messages.lastBefore(thread, end, PageSize.of(maxMessages, bytes));
        List<ReadMessage> last = page.messages().stream().map(ReadMessage::of).toList();
        return new Stretch(page.more() ? stepped(last) : last, end, facts, page.bytes());
    }

    /**
     * The cached stretch with the new messages. Empty if the stretch must be read again, for example because an entry
     * revises a cached message.
     */
    private Optional<Stretch> extended(ThreadId thread, Stretch known, long end) {
        if (known.end() == end) {
            return Optional.of(known);
        }
        Optional<List<Entry>> noted = appended(thread, known.end(), end);
        LogPages.Entries page = noted.isPresent()
                ? new LogPages.Entries(noted.get(), false, bytesOf(noted.get()))
                : messages.entriesAfter(thread, known.end() - 1, PageSize.of(MAX_NEW_MESSAGES + 1, bytes));
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
        // The stretch has reached the limit of bytes, so a fresh page would contain fewer messages.
        return read >= bytes
                ? Optional.empty()
                : Optional.of(new Stretch(
                        all.size() < maxMessages ? List.copyOf(all) : stepped(all), end, known.facts(), read));
    }

    /** Counts characters and not bytes, because this method is called on the thread of a lane. */
    private static int weightOf(List<Entry> entries) {
        long weight = 0;
        for (Entry entry : entries) {
            String metadata = entry.content().metadata();
            weight += OVERHEAD + entry.content().text().length() + (metadata == null ? 0 : metadata.length());
        }
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    /** The bytes of entries, as the database counts them for a page. */
    private static long bytesOf(List<Entry> entries) {
        return entries.stream()
                .map(Entry::content)
                .mapToLong(content -> OBJECT_BYTES + utf8(content.text()) + utf8(content.metadata()))
                .sum();
    }

    private static int utf8(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private boolean revises(Entry entry) {
        return switch (entry.content().kind()) {
            // Reactions do not change a message's content.
            case MESSAGE, REACTION, REACTION_REMOVED -> false;
            case EDIT, DELETION, WITHDRAWAL, SUPERSESSION -> true;
        };
    }

    private List<ReadMessage> stepped(List<ReadMessage> last) {
        int first = Math.max(0, last.size() - maxMessages);
        int step = Math.max(1, maxMessages / 2);
        long bound = (last.get(first).seq() + step - 1) / step * step;
        List<ReadMessage> stepped =
                last.stream().filter(each -> each.seq() >= bound).toList();
        return stepped.isEmpty() ? last.subList(first, last.size()) : stepped;
    }
}
