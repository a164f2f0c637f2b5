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
 * The last messages of threads, for agents that read them turn after turn. The messages of the last turn are cached, so
 * that a turn reads only new ones and costs the same however long the thread is. The cache is only an optimisation:
 * without it the same messages are read again.
 */
public final class RecentMessages {
    /** The bytes of a message besides its text. */
    private static final int OVERHEAD = 1_024;
    /** Many runs read their threads at the same time. */
    private static final int SHARES = 32;
    /** For more new messages, reading everything is as quick. */
    private static final int MAX_NEW_MESSAGES = 64;
    /** Erased messages, perhaps erased by another node, must not stay in memory. */
    private static final Duration CACHE_TIME = Duration.ofHours(1);

    private final Messages messages;
    private final LogReader reader;
    private final int maxMessages;
    private final long bytes;
    private final Cache<ThreadId, Stretch> cache;

    /**
     * @param maxMessages the maximum number of messages read of a thread
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
    }

    /**
     * A stretch of a thread.
     *
     * @param end the seq after it
     * @param facts the number of the thread's facts before the read: every erasure moves it
     * @param bytes the bytes of text that were read for it
     */
    private record Stretch(List<ReadMessage> messages, long end, long facts, long bytes) {
        int weight() {
            long weight = messages.stream()
                    .mapToLong(each -> OVERHEAD + each.message().content().length() + 3L * metadataLength(each))
                    .sum();
            return (int) Math.min(Integer.MAX_VALUE, weight);
        }

        /** Counted several times: the metadata is held as text and as a tree. */
        private static int metadataLength(ReadMessage message) {
            String metadata = message.message().original().content().metadata();
            return metadata == null ? 0 : metadata.length();
        }
    }

    /**
     * The last messages before a seq, as they stand. If the thread is longer than the limit, the beginning moves in
     * steps of half the limit. It mostly stays as it was a turn ago, which keeps contexts alike and providers' caches
     * warm.
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

    /** The same messages as they stand now, without the cache. */
    public List<ReadMessage> read(ThreadId thread, long end) {
        return read(thread, end, 0).messages();
    }

    private Stretch read(ThreadId thread, long end, long facts) {
        Messages.Page page = messages.lastBefore(thread, end, PageSize.of(maxMessages, bytes));
        List<ReadMessage> last = page.messages().stream().map(ReadMessage::of).toList();
        return new Stretch(page.more() ? stepped(last) : last, end, facts, page.bytes());
    }

    /**
     * The cached stretch with the new messages. Empty if an entry revises a cached message: then the stretch is read
     * again.
     */
    private Optional<Stretch> extended(ThreadId thread, Stretch known, long end) {
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
        // A fresh page would end sooner.
        return read >= bytes
                ? Optional.empty()
                : Optional.of(new Stretch(
                        all.size() < maxMessages ? List.copyOf(all) : stepped(all), end, known.facts(), read));
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
