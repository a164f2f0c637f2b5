package dev.parley.ingest;

import dev.parley.limits.Limits;
import dev.parley.log.Change;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts the messages before a delivered one into its {@code thread_context}, as far as its thread does not hold them. Reads
 * them from our own log where that has them all, else asks the platform, once for each of its threads. The platform waits
 * for its answer meanwhile, so the time is limited; a message is stored in any case, and says why its history is missing.
 */
final class ThreadHistories {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadHistories.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    /** Time for the append after the reading, before another delivery takes over. */
    private static final Duration APPEND_TIME = Duration.ofSeconds(15);

    private static final Duration UNTIL_MENDED = Duration.ofMinutes(10);
    private static final String LOG_SOURCE = "log";

    private final HistoryClaims claims;
    private final StoredMessages stored;
    private final LoggedRoots roots;
    private final Limits limits;

    ThreadHistories(HistoryClaims claims, StoredMessages stored, LoggedRoots roots, Limits limits) {
        this.claims = claims;
        this.stored = stored;
        this.roots = roots;
        this.limits = limits;
    }

    /** The outcome for one message. Closing it gives the claim back, unless the message was stored with it. */
    final class Reading implements AutoCloseable {
        private final Channel channel;
        private final @Nullable UUID holder;
        private final @Nullable Duration retryAfter;
        private boolean settled;

        private Reading(Channel channel, @Nullable UUID holder, @Nullable Duration retryAfter) {
            this.channel = channel;
            this.holder = holder;
            this.retryAfter = retryAfter;
        }

        /** The changes to append together with the message. */
        List<Change> changes() {
            return holder == null
                    ? List.of()
                    : List.of(new Change.Apply(new InboundChange.HistoryRead(channel, holder, retryAfter)));
        }

        void settle() {
            settled = true;
        }

        @Override
        public void close() {
            if (holder != null && !settled) {
                claims.release(channel, holder);
            }
        }
    }

    /** The outcome of one source of earlier messages. */
    private record Found(
            String from,
            PlatformHistory history,
            @Nullable UUID holder,
            @Nullable Duration retryAfter) {}

    /** Reads what is missing and writes it to what is stored beside the message. */
    Reading read(ThreadId thread, Incoming incoming, List<Earlier> earlier) {
        Channel channel = incoming.keys().channel();
        Found ofThread = null;
        List<Found> found = new ArrayList<>();
        for (Earlier each : earlier) {
            switch (each) {
                case Earlier.InThread inThread -> {
                    ofThread = readThread(thread, channel, inThread);
                    if (ofThread != null) {
                        found.add(ofThread);
                    }
                }
                case Earlier.Reply reply -> {
                    if (stored.heldIn(thread, channel, List.of(reply.externalId()))
                            .isEmpty()) {
                        found.add(new Found(channel.source(), ask(channel, reply), null, null));
                    }
                }
            }
        }
        Reading reading = ofThread == null
                ? new Reading(channel, null, null)
                : new Reading(channel, ofThread.holder(), ofThread.retryAfter());
        try {
            if (!found.isEmpty()) {
                write(thread, incoming, found);
            }
            return reading;
        } catch (RuntimeException broken) {
            reading.close();
            throw broken;
        }
    }

    /** Null if nothing of the thread's history is missing. */
    private @Nullable Found readThread(ThreadId thread, Channel channel, Earlier.InThread earlier) {
        UUID holder = UUID.randomUUID();
        HistoryClaims.State state = claim(channel, holder);
        return switch (state) {
            case READ -> null;
            case PAUSED, BUSY ->
                new Found(
                        channel.source(),
                        new PlatformHistory.Unread(
                                state == HistoryClaims.State.BUSY
                                        ? "Another delivery still reads the thread's earlier messages."
                                        : "The last attempt to read the thread's earlier messages failed;"
                                                + " the next one is not due yet.",
                                null),
                        null,
                        null);
            case GRANTED -> {
                try {
                    yield readClaimed(thread, channel, earlier, holder);
                } catch (RuntimeException broken) {
                    claims.release(channel, holder);
                    throw broken;
                }
            }
        };
    }

    /** Waits while another delivery reads: its message comes first, and has the history. */
    private HistoryClaims.State claim(Channel channel, UUID holder) {
        Duration lease = limits.platformHistoryTime().plus(APPEND_TIME);
        long end = System.nanoTime() + limits.platformHistoryTime().toNanos();
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

    private Found readClaimed(ThreadId thread, Channel channel, Earlier.InThread earlier, UUID holder) {
        String root = earlier.root();
        PlatformHistory.Read logged = root == null ? null : roots.find(thread, channel, root);
        if (logged != null && earlier.allDelivered()) {
            return new Found(LOG_SOURCE, logged, holder, null);
        }
        PlatformHistory asked = ask(channel, earlier);
        if (!(asked instanceof PlatformHistory.Unread(String problem, Duration retryAfter))) {
            return new Found(channel.source(), asked, holder, null);
        }
        return logged == null
                ? new Found(channel.source(), asked, holder, retryAfter)
                : new Found(
                        LOG_SOURCE,
                        new PlatformHistory.Read(logged.messages(), 0, logged.firstDeleted(), problem),
                        holder,
                        retryAfter);
    }

    private PlatformHistory ask(Channel channel, Earlier earlier) {
        PlatformHistory asked = answer(earlier);
        if (asked instanceof PlatformHistory.Unread(String problem, Duration retryAfter)) {
            LOG.warn(
                    "Could not read the earlier messages in {} {} of {}; the message is stored without them: {}",
                    channel.name(),
                    channel.thread(),
                    channel.source(),
                    problem);
        }
        return asked;
    }

    private PlatformHistory answer(Earlier earlier) {
        try {
            return earlier.reader().read(limits.platformHistoryMessages(), limits.platformHistoryTime());
        } catch (InterruptedException stopped) {
            throw stopping();
        } catch (RuntimeException broken) {
            // An answer that the adapter cannot read must not keep the message from being stored.
            LOG.warn("Could not read the answer of a platform that was asked for earlier messages", broken);
            return new PlatformHistory.Unread("The platform's answer could not be read.", UNTIL_MENDED);
        }
    }

    private static ProblemException stopping() {
        Thread.currentThread().interrupt();
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
    }

    private void write(ThreadId thread, Incoming incoming, List<Found> found) {
        Set<String> seen = new HashSet<>();
        List<EarlierMessage> messages = new ArrayList<>();
        int leftOut = 0;
        boolean firstDeleted = false;
        String cutShort = null;
        String problem = null;
        for (Found each : found) {
            switch (each.history()) {
                case PlatformHistory.Read read -> {
                    missing(thread, incoming.keys().channel(), read.messages()).stream()
                            .filter(message -> seen.add(message.externalId()))
                            .forEach(messages::add);
                    leftOut += read.leftOut();
                    firstDeleted |= read.firstDeleted();
                    cutShort = read.problem() == null ? cutShort : read.problem();
                }
                case PlatformHistory.Unread unread -> problem = unread.problem();
            }
        }
        ThreadContext context = ThreadContext.of(
                new PlatformHistory.Read(messages, leftOut, firstDeleted, cutShort), limits.threadContext());
        String why = cutShort != null ? cutShort : problem;
        if (why == null && firstDeleted) {
            why = "The thread's first message was deleted.";
        }
        if (context == null && why == null) {
            return;
        }
        ObjectNode metadata = incoming.stored();
        if (context != null) {
            Mending.makeRoom(metadata, context.text(), limits);
            metadata.put("thread_context", context.text());
        }
        ObjectNode history = metadata.putObject("thread_history")
                .put("from", found.getFirst().from())
                .put("messages", context == null ? 0 : context.messages())
                .put("left_out", context == null ? 0 : context.leftOut());
        if (why != null) {
            history.put("problem", why);
        }
    }

    private List<EarlierMessage> missing(ThreadId thread, Channel channel, List<EarlierMessage> messages) {
        if (messages.isEmpty()) {
            return messages;
        }
        Set<String> held = stored.heldIn(
                thread,
                channel,
                messages.stream().flatMap(ThreadHistories::names).toList());
        return messages.stream()
                .filter(message -> names(message).noneMatch(held::contains))
                .toList();
    }

    private static Stream<String> names(EarlierMessage message) {
        return Stream.concat(Stream.of(message.externalId()), Stream.ofNullable(message.marker()));
    }
}
