package dev.parley.ingest;

import dev.parley.limits.Limits;
import dev.parley.log.Change;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the messages before an inbound message into its {@code thread_context}, unless its thread contains them. Reads
 * them from the log if the log has the root, or else from the platform, once for each thread of the platform. Meanwhile
 * the platform waits for the answer to its request, so the time is limited. The message is stored in any case, with the
 * reason for a missing history.
 */
final class ThreadHistories {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadHistories.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final String LOG_SOURCE = "log";

    private final HistoryClaims claims;
    private final StoredMessages stored;
    private final LoggedRoots roots;
    private final ThreadQuotes quotes;
    private final Limits.Ingest limits;
    private final long maxMetadata;
    private final Duration lease;

    ThreadHistories(
            HistoryClaims claims, StoredMessages stored, LoggedRoots roots, ThreadQuotes quotes, Limits limits) {
        this.claims = claims;
        this.stored = stored;
        this.roots = roots;
        this.quotes = quotes;
        this.limits = limits.ingest();
        this.maxMetadata = limits.requests().metadataBytes();
        this.lease = lease(this.limits, limits.lane().appendDeadline());
    }

    /** The lease of a claim: the longest time for reading a thread and the answered message, and for the append. */
    static Duration lease(Limits.Ingest limits, Duration appendDeadline) {
        return limits.historyTime().multipliedBy(2).plus(limits.namesTime()).plus(appendDeadline);
    }

    /**
     * The longest time of an inbound request, without the time for its files. The request may have to wait for the
     * claim of another request.
     */
    static Duration maxDelivery(Limits.Ingest limits, Duration appendDeadline) {
        return limits.historyTime().plus(lease(limits, appendDeadline));
    }

    /**
     * The outcome for one message. Closing the outcome releases the claim, unless the message was stored with the
     * outcome.
     */
    final class Reading implements AutoCloseable {
        private final ThreadId thread;
        private final Channel channel;
        private @Nullable UUID holder;
        private @Nullable Duration retryAfter;
        private List<EarlierMessage> quoted = List.of();
        private boolean settled;

        private Reading(ThreadId thread, Channel channel) {
            this.thread = thread;
            this.channel = channel;
        }

        /** The changes to append after the message. */
        List<Change> changes() {
            List<Change> changes = new ArrayList<>();
            if (holder != null) {
                changes.add(new Change.Apply(new InboundEffect.HistoryRead(channel, holder, retryAfter)));
            }
            if (!quoted.isEmpty()) {
                changes.add(new Change.Apply(new InboundEffect.Quoted(thread, 0, channel, quoted)));
            }
            return changes;
        }

        void settle() {
            settled = true;
        }

        @Override
        public void close() {
            if (holder == null || settled) {
                return;
            }
            // A stopping server interrupts its callers; the claim is released all the same.
            boolean interrupted = Thread.interrupted();
            try {
                claims.release(channel, holder);
            } catch (RuntimeException unavailable) {
                LOG.warn(
                        "Could not release the history claim of {} channel {} thread {}; it ends with its lease: {}",
                        channel.source(),
                        channel.name(),
                        channel.thread(),
                        unavailable.toString());
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** The outcome of one source of earlier messages. */
    private record HistoryResult(String from, PlatformHistory history) {}

    /** Reads the missing messages into the metadata of the message. */
    Reading read(ThreadId thread, ParsedInbound inbound, List<MissingHistory> missing) {
        Reading reading = new Reading(thread, inbound.keys().channel());
        try {
            List<HistoryResult> results = new ArrayList<>();
            String answered = null;
            for (MissingHistory each : missing) {
                switch (each) {
                    case MissingHistory.InThread inThread -> {
                        HistoryResult result = readThread(reading, inThread);
                        if (result != null) {
                            results.add(result);
                        }
                    }
                    case MissingHistory.Reply reply -> {
                        answered = reply.externalId();
                        if (stored.entriesIn(thread, reading.channel, List.of(answered))
                                .isEmpty()) {
                            results.add(new HistoryResult(reading.channel.source(), ask(reading.channel, reply)));
                        }
                    }
                }
            }
            if (!results.isEmpty()) {
                write(reading, inbound, results, answered);
            }
            return reading;
        } catch (RuntimeException broken) {
            reading.close();
            throw broken;
        }
    }

    /** The history of the message's thread; null if nothing is missing. */
    private @Nullable HistoryResult readThread(Reading reading, MissingHistory.InThread missing) {
        UUID holder = UUID.randomUUID();
        return switch (claim(reading.channel, holder)) {
            case READ -> null;
            case BUSY -> unread(reading, "Another request still reads the thread's earlier messages.");
            case PAUSED ->
                unread(
                        reading,
                        "The last attempt to read the thread's earlier messages failed; the next one is not due yet.");
            case GRANTED -> {
                reading.holder = holder;
                yield readClaimed(reading, missing);
            }
        };
    }

    private static HistoryResult unread(Reading reading, String problem) {
        return new HistoryResult(reading.channel.source(), new PlatformHistory.Unread(problem, null));
    }

    /**
     * Waits while another request reads the history, because that request's message comes first and contains the
     * history.
     */
    private HistoryClaims.State claim(Channel channel, UUID holder) {
        long end = System.nanoTime() + limits.historyTime().toNanos();
        HistoryClaims.State state = claims.claim(channel, holder, lease);
        while (state == HistoryClaims.State.BUSY && System.nanoTime() < end) {
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException stopped) {
                throw stopping();
            }
            state = claims.claim(channel, holder, lease);
        }
        return state;
    }

    private HistoryResult readClaimed(Reading reading, MissingHistory.InThread missing) {
        Channel channel = reading.channel;
        String root = missing.root();
        PlatformHistory.Read logged = root == null ? null : roots.find(reading.thread, channel, root);
        if (logged != null && missing.allDelivered()) {
            return new HistoryResult(LOG_SOURCE, logged);
        }
        PlatformHistory history = ask(channel, missing);
        if (!(history instanceof PlatformHistory.Unread(String problem, Duration retryAfter))) {
            return new HistoryResult(channel.source(), history);
        }
        reading.retryAfter = retryAfter;
        return logged == null
                ? new HistoryResult(channel.source(), history)
                : new HistoryResult(
                        LOG_SOURCE,
                        new PlatformHistory.Read(logged.messages(), logged.skipped(), logged.firstDeleted(), problem));
    }

    private PlatformHistory ask(Channel channel, MissingHistory missing) {
        PlatformHistory history = answer(channel, missing);
        if (history instanceof PlatformHistory.Unread(String problem, Duration retryAfter)) {
            LOG.warn(
                    "Could not read the earlier messages of {} channel {} thread {}; storing the message without them: {}",
                    channel.source(),
                    channel.name(),
                    channel.thread(),
                    problem);
        }
        return history;
    }

    private PlatformHistory answer(Channel channel, MissingHistory missing) {
        try {
            return missing.reader().read(limits.historyMessages(), limits.historyTime());
        } catch (InterruptedException stopped) {
            throw stopping();
        } catch (RuntimeException broken) {
            // An answer that the adapter cannot read must not keep the message from being stored.
            LOG.warn(
                    "Could not parse the earlier messages of {} channel {} thread {}; asking again in {}",
                    channel.source(),
                    channel.name(),
                    channel.thread(),
                    HistoryCalls.CONFIG_RETRY_DELAY,
                    broken);
            return new PlatformHistory.Unread(
                    "The platform's answer could not be read.", HistoryCalls.CONFIG_RETRY_DELAY);
        }
    }

    private static ProblemException stopping() {
        Thread.currentThread().interrupt();
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
    }

    private void write(Reading reading, ParsedInbound inbound, List<HistoryResult> results, @Nullable String answered) {
        Merge merge = new Merge(reading);
        results.forEach(result -> merge.add(result.history()));
        ObjectNode metadata = inbound.stored();
        ThreadContext.Lines lines = merge.toLines(answered);
        ThreadContext context = InboundSanitizer.fitContext(metadata, lines, limits.threadContext(), maxMetadata);
        String problem = context == null && !lines.isEmpty()
                ? "The message's metadata leaves no room for earlier messages."
                : merge.problem();
        if (context == null && problem == null) {
            return;
        }
        if (context != null) {
            metadata.put("thread_context", context.text());
            reading.quoted = context.quoted();
        }
        ObjectNode history = metadata.putObject("thread_history")
                .put("from", results.getFirst().from())
                .put("messages", context == null ? 0 : context.quoted().size())
                .put("left_out", context == null ? 0 : context.leftOut());
        if (problem != null) {
            history.put("problem", problem);
        }
    }

    /** Joins the results of all sources: the messages that the thread lacks, each once, in the order of their times. */
    private final class Merge {
        private final Reading reading;
        private final Set<String> seen = new HashSet<>();
        private final List<EarlierMessage> messages = new ArrayList<>();
        private int leftOut;
        /** The time of the first message after the left-out messages without ids; null without such messages. */
        private @Nullable Instant leftOutUntil;

        private boolean firstDeleted;
        private @Nullable String cutShort;
        private @Nullable String unread;

        Merge(Reading reading) {
            this.reading = reading;
        }

        void add(PlatformHistory history) {
            switch (history) {
                case PlatformHistory.Read read -> add(read);
                case PlatformHistory.Unread failed -> unread = failed.problem();
            }
        }

        private void add(PlatformHistory.Read read) {
            Set<String> known = knownIds(read);
            Set<String> erased = quotes.erased(reading.channel, read.messages());
            leftOut += leftOut(read, known);
            for (EarlierMessage message : read.messages()) {
                if (erased.contains(message.externalId())) {
                    firstDeleted |= message.first();
                } else if (names(message).noneMatch(known::contains) && seen.add(message.externalId())) {
                    messages.add(message);
                }
            }
            firstDeleted |= read.firstDeleted();
            cutShort = read.problem() == null ? cutShort : read.problem();
        }

        private Set<String> knownIds(PlatformHistory.Read read) {
            List<String> sought = Stream.concat(
                            read.messages().stream().flatMap(ThreadHistories::names),
                            read.skipped().names().stream().flatMap(List::stream))
                    .toList();
            return sought.isEmpty() ? Set.of() : stored.entriesIn(reading.thread, reading.channel, sought);
        }

        /**
         * The number of skipped messages that the thread lacks. Skipped messages without ids count as missing if the
         * thread also lacks the next message after the skipped messages.
         */
        private int leftOut(PlatformHistory.Read read, Set<String> known) {
            int named = (int) read.skipped().names().stream()
                    .filter(names -> names.stream().noneMatch(known::contains))
                    .count();
            EarlierMessage next = read.messages().stream()
                    .filter(message -> !message.first())
                    .findFirst()
                    .orElse(null);
            if (next == null || names(next).anyMatch(known::contains)) {
                return named;
            }
            int unnamed = read.skipped().unnamed();
            leftOutUntil = unnamed > 0 ? next.saidAt() : leftOutUntil;
            return named + unnamed;
        }

        /** The number of left-out messages, without the answered message, which may be one of them. */
        private int leftOutWithoutAnswered(@Nullable String answered) {
            boolean quoted = messages.stream()
                    .filter(message -> message.externalId().equals(answered) && !message.first())
                    .anyMatch(message -> leftOutUntil != null
                            && message.saidAt() != null
                            && message.saidAt().isBefore(leftOutUntil));
            return quoted ? leftOut - 1 : leftOut;
        }

        ThreadContext.Lines toLines(@Nullable String answered) {
            // The first message comes first. The sort is stable, so that messages without a time keep their order.
            messages.sort(Comparator.comparing((EarlierMessage message) ->
                    message.first() ? Instant.MIN : Objects.requireNonNullElse(message.saidAt(), Instant.MAX)));
            return new ThreadContext.Lines(
                    List.copyOf(messages), answered, leftOutWithoutAnswered(answered), firstDeleted, cutShort != null);
        }

        @Nullable
        String problem() {
            if (cutShort != null) {
                return cutShort;
            }
            return unread == null && firstDeleted ? "The thread's first message was deleted." : unread;
        }
    }

    private static Stream<String> names(EarlierMessage message) {
        return Stream.concat(Stream.of(message.externalId()), Stream.ofNullable(message.marker()));
    }
}
