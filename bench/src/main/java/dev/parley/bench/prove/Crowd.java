package dev.parley.bench.prove;

import dev.parley.bench.rig.Workers;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Writers and readers of a few threads. Writers note the answers they get, and readers note the entries they see. */
public final class Crowd implements AutoCloseable {
    private static final List<Reader.Way> WAYS = List.of(Reader.Way.values());
    private static final int MAX_PAUSE_MILLIS = 5;
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);

    private final HistoryChecker checker = new HistoryChecker();
    private final Acknowledgements acknowledgements;
    private final Incidents incidents;
    private final List<Callers> users;
    private final List<ThreadId> threads;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final Workers writing = new Workers();
    private final Workers reading = new Workers();
    private volatile boolean goOn = true;
    private volatile Map<ThreadId, Long> ends = Map.of();
    private Map<ThreadId, List<LogEntry>> logs = Map.of();

    /** The numbers of writers and readers. Two writers share one user, and therefore the user's keys. */
    public record Size(int writers, int readers) {
        public int users() {
            return Math.max(1, (writers + 1) / 2);
        }
    }

    /** A crowd with short pauses. */
    Crowd(List<Callers> users, List<ThreadId> threads, Size size, long seed) {
        this(users, threads, size, MAX_PAUSE_MILLIS, new Acknowledgements(), new Incidents(), seed);
    }

    /** A crowd of users, whose clients stay open when the crowd is closed. */
    public Crowd(
            List<Callers> users,
            List<ThreadId> threads,
            Size size,
            int longestPauseMillis,
            Acknowledgements acknowledgements,
            Incidents incidents,
            long seed) {
        this.users = List.copyOf(users);
        this.threads = List.copyOf(threads);
        this.acknowledgements = acknowledgements;
        this.incidents = incidents;
        List<AtomicLong> contested =
                users.stream().map(user -> new AtomicLong()).toList();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < size.writers(); i++) {
            Callers user = users.get(i / 2);
            String name = "writer-" + i;
            writers.add(new Writer(
                    user.member(name, random.split(), incidents),
                    checker.writer(name, user.user().actor().value()),
                    this.threads,
                    contested.get(i / 2),
                    acknowledgements,
                    longestPauseMillis,
                    () -> goOn));
        }
        for (int i = 0; i < size.readers(); i++) {
            ThreadId thread = threads.get(i % threads.size());
            Reader.Way way = WAYS.get(i % WAYS.size());
            String name = way.name().toLowerCase(Locale.ROOT) + "-" + i;
            readers.add(new Reader(
                    users.get(i % users.size()).member(name, random.split(), incidents),
                    way,
                    thread,
                    checker.reader(name, thread),
                    () -> ends.getOrDefault(thread, Reader.OPEN)));
        }
    }

    public void start() {
        writers.forEach(writer -> writing.start("writer", writer));
        readers.forEach(reader -> reading.start("reader", reader));
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    public Incidents incidents() {
        return incidents;
    }

    /** Stops the writers; each of them first learns the outcome of its last message. */
    public void stopWriting() throws InterruptedException {
        goOn = false;
        writing.join();
    }

    /** Stops the writers, lets every reader reach the end, and judges. */
    public Verdict finish(URI server) throws InterruptedException {
        stopWriting();
        logs = FinalLogs.read(server, new Token(users.getFirst().user().token()), threads);
        ends = FinalLogs.ends(logs);
        reading.join(CATCH_UP_LIMIT);
        readers.forEach(Reader::giveUp);
        reading.join();
        return checker.check(logs);
    }

    /** Saves the notes of all members, and the logs as {@link #finish} has read them. */
    public void save(Path file) throws IOException {
        checker.save(file, logs);
    }

    /** The logs as {@link #finish} has read them. */
    public Map<ThreadId, List<LogEntry>> logs() {
        return logs;
    }

    @Override
    public void close() {
        goOn = false;
        readers.forEach(Reader::giveUp);
        writing.interrupt();
        reading.interrupt();
    }
}
