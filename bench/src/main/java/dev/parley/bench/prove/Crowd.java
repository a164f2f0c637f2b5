package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RetryPolicy;
import dev.parley.sdk.Token;
import dev.parley.testkit.history.HistoryChecker;
import dev.parley.testkit.history.LogEntry;
import dev.parley.testkit.history.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Many writers and readers of a few threads, who write down what they are told and what they see. */
final class Crowd implements AutoCloseable {
    private static final List<Reader.Way> WAYS = List.of(Reader.Way.values());
    private static final int PAGE = 200;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);

    private final HistoryChecker checker = new HistoryChecker();
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final Incidents incidents = new Incidents();
    private final List<Parley> clients = new ArrayList<>();
    private final List<Accounts.User> users;
    private final List<ThreadId> threads;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private final List<Thread> writing = new ArrayList<>();
    private final List<Thread> reading = new ArrayList<>();
    private volatile boolean goOn = true;
    private volatile Map<ThreadId, Long> ends = Map.of();

    /** How many of each; two writers share a user, and with it the keys. */
    record Size(int writers, int readers) {
        int users() {
            return Math.max(1, (writers + 1) / 2);
        }
    }

    /** @param entrance where all of them call, which may be a bad network in front of the server */
    Crowd(URI entrance, List<Accounts.User> users, List<ThreadId> threads, Size size, long seed) {
        this.users = users;
        this.threads = List.copyOf(threads);
        List<AtomicLong> contested = new ArrayList<>();
        for (Accounts.User user : users) {
            // One attempt each, so that every answer and every missing one is seen and written down.
            clients.add(Parley.at(entrance)
                    .token(new Token(user.token()))
                    .answerLimit(ANSWER_LIMIT)
                    .retryCalls(RetryPolicy.never())
                    .retryStreams(RetryPolicy.never())
                    .connect());
            contested.add(new AtomicLong());
        }
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < size.writers(); i++) {
            int user = i / 2;
            String name = "writer-" + i;
            writers.add(new Writer(
                    name,
                    clients.get(user),
                    checker.writer(name, users.get(user).actor().value()),
                    this.threads,
                    contested.get(user),
                    random.split(),
                    acknowledgements,
                    incidents,
                    () -> goOn));
        }
        for (int i = 0; i < size.readers(); i++) {
            ThreadId thread = threads.get(i % threads.size());
            Reader.Way way = WAYS.get(i % WAYS.size());
            String name = way.name().toLowerCase(Locale.ROOT) + "-" + i;
            readers.add(new Reader(
                    name,
                    way,
                    clients.get(i % clients.size()).thread(thread),
                    checker.reader(name, thread),
                    random.split(),
                    incidents,
                    () -> ends.getOrDefault(thread, Reader.OPEN)));
        }
    }

    void start() {
        writers.forEach(writer -> writing.add(Thread.ofVirtual().start(writer)));
        readers.forEach(reader -> reading.add(Thread.ofVirtual().start(reader)));
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    Incidents incidents() {
        return incidents;
    }

    /** Lets every writer learn what became of its last message. */
    void stopWriting() throws InterruptedException {
        goOn = false;
        for (Thread writer : writing) {
            writer.join();
        }
    }

    /** Stops the writers, lets every reader reach the end, and judges. */
    Verdict finish(URI server) throws InterruptedException {
        stopWriting();
        Map<ThreadId, List<LogEntry>> logs = readLogs(server);
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

    private Map<ThreadId, List<LogEntry>> readLogs(URI server) {
        Map<ThreadId, List<LogEntry>> logs = new HashMap<>();
        try (Parley client = Parley.connect(server, new Token(users.getFirst().token()))) {
            for (ThreadId thread : threads) {
                List<LogEntry> log = new ArrayList<>();
                MessagePage page;
                long after = 0;
                do {
                    page = client.thread(thread).messagesAfter(after, PAGE);
                    page.messages().forEach(message -> log.add(LogEntry.of(message)));
                    after = page.nextAfterSeq();
                } while (page.hasMore());
                logs.put(thread, log);
            }
        }
        return logs;
    }

    @Override
    public void close() {
        goOn = false;
        readers.forEach(Reader::giveUp);
        writing.forEach(Thread::interrupt);
        reading.forEach(Thread::interrupt);
        clients.forEach(Parley::close);
    }
}
