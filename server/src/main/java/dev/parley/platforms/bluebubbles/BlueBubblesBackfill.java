package dev.parley.platforms.bluebubbles;

import dev.parley.basics.Backoff;
import dev.parley.ingest.PlatformEvent;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds messages without a webhook in the Mac's history. The history is read at the start, after a hello from
 * BlueBubbles, and periodically. The read position advances only after all events before it are stored. Events that are
 * read again are stored once.
 */
final class BlueBubblesBackfill implements AutoCloseable {
    /**
     * The time before the read position that every read covers again. It allows for clock skew, and for the fifteen
     * minutes in which people may edit a message.
     */
    static final Duration OVERLAP = Duration.ofMinutes(20);

    static final int PAGE = 200;
    static final int MAX_PAGES = 50;

    /** The account under which the read position is stored; empty, because there is only one Mac. */
    static final String ACCOUNT = "";

    private static final Logger LOG = LoggerFactory.getLogger(BlueBubblesBackfill.class);
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final BlueBubblesApi api;
    private final BlueBubblesEvents events;
    private final Backfills backfills;
    private final Clock clock;
    private final Pace pace;
    private final BlockingQueue<Boolean> wakeUps = new ArrayBlockingQueue<>(1);
    private final AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * The intervals between reads.
     *
     * @param retry the waits after failures
     */
    record Pace(Duration interval, Backoff retry) {
        static final Pace DEFAULT = of(Duration.ofMinutes(5), Duration.ofSeconds(5));

        static Pace of(Duration interval, Duration firstRetry) {
            return new Pace(interval, Backoff.doubling(firstRetry, interval));
        }
    }

    BlueBubblesBackfill(BlueBubblesApi api, BlueBubblesEvents events, Backfills backfills, Clock clock, Pace pace) {
        this.api = api;
        this.events = events;
        this.backfills = backfills;
        this.clock = clock;
        this.pace = pace;
    }

    void start(ChatPlatform.Sink sink) {
        reader.set(Thread.ofVirtual().name("bluebubbles-backfill").start(() -> readRepeatedly(sink)));
    }

    /** Asks for a read without delay. */
    void wake() {
        wakeUps.offer(true);
    }

    private void readRepeatedly(ChatPlatform.Sink sink) {
        int failures = 0;
        while (!closed) {
            try {
                boolean more = read(sink);
                if (failures > 0) {
                    LOG.info("BlueBubbles backfill: reading the history works again");
                }
                failures = 0;
                if (!more) {
                    wakeUps.poll(pace.interval().toMillis(), TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException stopped) {
                return;
            } catch (Unreadable | Calls.NoAnswer | OutboundRefused | RuntimeException failed) {
                if (failures++ == 0 && !closed) {
                    LOG.warn(
                            "BlueBubbles backfill: could not read the history; retrying with back-off: {}",
                            failed.getMessage());
                }
                if (!pause(pace.retry().after(failures))) {
                    return;
                }
            }
        }
    }

    private boolean pause(Duration time) {
        try {
            wakeUps.poll(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }

    private static final class Unreadable extends Exception {
        Unreadable(String reason) {
            super(reason);
        }
    }

    /** Reads at most {@link #MAX_PAGES} pages; returns true if there are more. */
    boolean read(ChatPlatform.Sink sink) throws Unreadable, Calls.NoAnswer, OutboundRefused, InterruptedException {
        Instant now = clock.instant();
        // The first position lies in the future by the overlap,
        // so that no read imports messages from before the first start.
        Instant after = backfills
                .begin(BlueBubblesEvents.SOURCE, ACCOUNT, now.plus(OVERLAP))
                .minus(OVERLAP);
        for (int page = 0; page < MAX_PAGES; page++) {
            BlueBubblesApi.Reply reply = query(after, page * PAGE);
            JsonNode messages = reply.content();
            if (messages.isEmpty()) {
                advance(now);
                return false;
            }
            for (JsonNode message : messages) {
                store(sink, message);
            }
            Instant last = Fields.moment(messages.path(messages.size() - 1), "dateCreated")
                    .orElse(after);
            advance(last.isBefore(now) ? last : now);
        }
        return true;
    }

    private BlueBubblesApi.Reply query(Instant after, int offset)
            throws Unreadable, Calls.NoAnswer, OutboundRefused, InterruptedException {
        ObjectNode query = Json.MAPPER
                .createObjectNode()
                .put("after", after.toEpochMilli())
                .put("offset", offset)
                .put("limit", PAGE)
                .put("sort", "ASC");
        query.putArray("with").add("chats").add("attachments").add("handle");
        BlueBubblesApi.Reply reply = api.post("message/query", query, QUERY_TIMEOUT);
        if (reply.status() != 200 || !reply.content().isArray()) {
            throw new Unreadable("BlueBubbles answered " + reply.status() + ".");
        }
        return reply;
    }

    private void store(ChatPlatform.Sink sink, JsonNode message) throws InterruptedException {
        for (PlatformEvent event : events.readHistory(message)) {
            if (closed) {
                throw new InterruptedException();
            }
            try {
                sink.take(List.of(event));
            } catch (ProblemException later) {
                throw later;
            } catch (RuntimeException broken) {
                // The message is skipped, because a message that always fails must not block later messages.
                LOG.error("BlueBubbles backfill: could not store a message of the history; skipping it", broken);
            }
        }
    }

    private void advance(Instant until) {
        backfills.advance(BlueBubblesEvents.SOURCE, ACCOUNT, until);
    }

    @Override
    public void close() {
        closed = true;
        wake();
        Thread running = reader.get();
        if (running == null) {
            return;
        }
        try {
            // The thread is not interrupted at once, because that would break its database connection.
            if (!running.join(CLOSE_TIMEOUT)) {
                running.interrupt();
                running.join(CLOSE_TIMEOUT);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
