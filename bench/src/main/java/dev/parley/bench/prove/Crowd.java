package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.sdk.Token;
import dev.parley.testkit.history.HistoryChecker;
import dev.parley.testkit.history.LogEntry;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Many writers and readers of a few threads, who write down what they are told and what they see. */
public final class Crowd implements AutoCloseable {
    private static final List<Reader.Way> WAYS = List.of(Reader.Way.values());
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    private static final int MAX_PAUSE_MILLIS = 5;
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);

    private final HistoryChecker checker = new HistoryChecker();
    private final Acknowledgements acknowledgements;
    private final Incidents incidents = new Incidents();
    private final List<Callers> users;
    private final boolean ownsCallers;
    private final List<ThreadId> threads;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final List<Thread> writing = new ArrayList<>();
    private final List<Thread> reading = new ArrayList<>();
    private volatile boolean goOn = true;
    private volatile Map<ThreadId, Long> ends = Map.of();
    private Map<ThreadId, List<LogEntry>> logs = Map.of();

    /** How many of each; two writers share a user, and with it the keys. */
    public record Size(int writers, int readers) {
        public int users() {
            return Math.max(1, (writers + 1) / 2);
        }
    }

    /** @param entrance where all of them call, which may be a bad network in front of the server */
    Crowd(URI entrance, List<Accounts.User> users, List<ThreadId> threads, Size size, long seed) {
        this(
                users.stream()
                        .map(user -> new Callers(user, List.of(entrance), ANSWER_LIMIT))
                        .toList(),
                true,
                threads,
                size,
                MAX_PAUSE_MILLIS,
                new Acknowledgements(),
                seed);
    }

    /** A crowd of users who may call at several entrances. They stay whoever's they are when the crowd is gone. */
    public Crowd(
            List<Callers> users,
            List<ThreadId> threads,
            Size size,
            int longestPauseMillis,
            Acknowledgements acknowledgements,
            long seed) {
        this(users, false, threads, size, longestPauseMillis, acknowledgements, seed);
    }

    private Crowd(
            List<Callers> users,
            boolean ownsCallers,
            List<ThreadId> threads,
            Size size,
            int longestPauseMillis,
            Acknowledgements acknowledgements,
            long seed) {
        this.users = List.copyOf(users);
        this.ownsCallers = ownsCallers;
        this.threads = List.copyOf(threads);
        this.acknowledgements = acknowledgements;
        List<AtomicLong> contested =
                users.stream().map(user -> new AtomicLong()).toList();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < size.writers(); i++) {
            Callers user = users.get(i / 2);
            String name = "writer-" + i;
            SplittableRandom own = random.split();
            writers.add(new Writer(
                    name,
                    user.route(own),
                    checker.writer(name, user.user().actor().value()),
                    this.threads,
                    contested.get(i / 2),
                    own,
                    acknowledgements,
                    incidents,
                    longestPauseMillis,
                    () -> goOn));
        }
        for (int i = 0; i < size.readers(); i++) {
            ThreadId thread = threads.get(i % threads.size());
            Reader.Way way = WAYS.get(i % WAYS.size());
            String name = way.name().toLowerCase(Locale.ROOT) + "-" + i;
            SplittableRandom own = random.split();
            readers.add(new Reader(
                    name,
                    way,
                    users.get(i % users.size()).route(own),
                    thread,
                    checker.reader(name, thread),
                    own,
                    incidents,
                    () -> ends.getOrDefault(thread, Reader.OPEN)));
        }
    }

    public void start() {
        writers.forEach(writer -> writing.add(Thread.ofVirtual().start(writer)));
        readers.forEach(reader -> reading.add(Thread.ofVirtual().start(reader)));
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    public Incidents incidents() {
        return incidents;
    }

    /** Lets every writer learn what became of its last message. */
    public void stopWriting() throws InterruptedException {
        goOn = false;
        for (Thread writer : writing) {
            writer.join();
        }
    }

    /** Stops the writers, lets every reader reach the end, and judges. */
    public Verdict finish(URI server) throws InterruptedException {
        stopWriting();
        logs = FinalLogs.read(server, new Token(users.getFirst().user().token()), threads);
        Map<ThreadId, Long> lastSeqs = new HashMap<>();
        logs.forEach((thread, log) ->
                lastSeqs.put(thread, log.isEmpty() ? 0 : log.getLast().seq()));
        ends = lastSeqs;
        long deadline = System.nanoTime() + CATCH_UP_LIMIT.toNanos();
        for (Thread reader : reading) {
            reader.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        readers.forEach(Reader::giveUp);
        for (Thread reader : reading) {
            reader.join();
        }
        return checker.check(logs);
    }

    /** Saves what all of them wrote down, with the logs as they were read in the end. */
    public void save(Path file) throws IOException {
        checker.save(file, logs);
    }

    /** The logs as they were read in the end. */
    public Map<ThreadId, List<LogEntry>> logs() {
        return logs;
    }

    @Override
    public void close() {
        goOn = false;
        readers.forEach(Reader::giveUp);
        writing.forEach(Thread::interrupt);
        reading.forEach(Thread::interrupt);
        if (ownsCallers) {
            users.forEach(Callers::close);
        }
    }
}
