package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One random history: clients that send, repeat, repeat with another body and give up; a lane that batches, loses
 * connections before and in COMMIT, and dies; a clock that jumps; members who are removed.
 */
final class SimulatedHistory {
    private static final int STEPS = 40;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final long seed;
    private final Random random;
    private final LogSimulator.Decider decider;
    private final SimulatedLog log;
    private final List<ThreadId> threads = new ArrayList<>();
    private final List<Actor> actors = new ArrayList<>();
    private final Set<Actor> removed = new HashSet<>();
    private final List<Intent> intents = new ArrayList<>();
    private final Deque<Try> queue = new ArrayDeque<>();
    private Instant now = START;
    private long commands;
    private long acknowledged;
    private long keys;
    private long crashes;

    /** A message that a client wants to post, over all its attempts. */
    private static final class Intent {
        final ThreadId thread;
        final Actor author;
        final String body;
        final @Nullable String key;
        final @Nullable Long baseSeq;
        final boolean rejectIfStale;

        @Nullable
        Entry acknowledged;

        boolean refusedAsReused;

        Intent(
                ThreadId thread,
                Actor author,
                String body,
                @Nullable String key,
                @Nullable Long baseSeq,
                boolean rejectIfStale) {
            this.baseSeq = baseSeq;
            this.rejectIfStale = rejectIfStale;
            this.thread = thread;
            this.author = author;
            this.body = body;
            this.key = key;
        }
    }

    /** A command in the lane's queue. */
    static final class Try {
        private final Command command;
        private final @Nullable Intent intent;
        private boolean mayHaveCommitted;

        Try(Command command, @Nullable Intent intent) {
            this.command = command;
            this.intent = intent;
        }

        Command command() {
            return command;
        }

        boolean mayHaveCommitted() {
            return mayHaveCommitted;
        }
    }

    SimulatedHistory(long seed, LogSimulator.Decider decider) {
        this.seed = seed;
        // Neighbouring seeds must not give similar histories.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.decider = decider;
        this.log = new SimulatedLog(seed);
        for (int i = 0; i <= random.nextInt(3); i++) {
            ThreadId thread = new ThreadId(uuid());
            threads.add(thread);
            log.addThread(thread, START);
        }
        for (int i = 0; i < 3; i++) {
            actors.add(Actor.user(uuid()));
        }
    }

    LogSimulator.Tally run() {
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        while (!queue.isEmpty()) {
            runBatch(Fate.COMMITTED);
        }
        log.check();
        intents.forEach(this::check);
        return new LogSimulator.Tally(1, commands, acknowledged, crashes);
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> send(freshIntent());
            case 4 -> repeatSome();
            case 5 -> send(keyInUse());
            case 6 -> announce();
            case 7 -> now = now.plus(Duration.ofSeconds(random.nextInt(-7200, 7200)));
            case 8 -> {
                if (random.nextInt(4) == 0) {
                    removed.add(pick(actors));
                }
            }
            default -> runBatch(pick(FATES));
        }
    }

    private Intent freshIntent() {
        String key = random.nextInt(4) == 0 ? null : "k" + keys++;
        ThreadId thread = pick(threads);
        Long base = random.nextInt(3) == 0 ? lastSeq(thread) : null;
        Intent intent = new Intent(thread, pick(actors), "body " + intents.size(), key, base, random.nextInt(3) > 0);
        intents.add(intent);
        return intent;
    }

    /** The last seq of a thread. A client that has read everything sends this seq as its base seq. */
    private long lastSeq(ThreadId thread) {
        Head head = log.heads.get(thread);
        return head == null ? 0 : head.lastSeq();
    }

    /**
     * Repeats some messages, as a client does after a missing or doubtful answer. Only messages with a key are
     * repeated, because only a key makes a repeat safe.
     */
    private void repeatSome() {
        intents.stream()
                .filter(intent -> intent.key != null && random.nextBoolean())
                .limit(3)
                .forEach(this::send);
    }

    /**
     * Reuses a key for another body. The same or another sender reuses the key, in the same or another thread. The log
     * refuses only a reuse by the same sender in the same thread.
     */
    private Intent keyInUse() {
        List<Intent> keyed =
                intents.stream().filter(intent -> intent.key != null).toList();
        if (keyed.isEmpty()) {
            return freshIntent();
        }
        Intent used = pick(keyed);
        Intent other = new Intent(
                random.nextBoolean() ? used.thread : pick(threads),
                random.nextBoolean() ? used.author : pick(actors),
                "another body " + intents.size(),
                used.key,
                null,
                false);
        intents.add(other);
        return other;
    }

    private void send(Intent intent) {
        EntryContent content = new EntryContent(
                uuid().toString(),
                EntryKind.MESSAGE,
                null,
                intent.author,
                Role.USER,
                intent.body,
                null,
                List.of(),
                null,
                intent.key,
                intent.baseSeq,
                intent.baseSeq);
        Draft draft = new Draft(
                content,
                intent.key == null ? null : EntryKey.chat(intent.author, intent.key),
                Fingerprint.of(intent.body, List.of(), null, null),
                Digest.of(ByteBuffer.allocate(16).putLong(random.nextLong()).array()),
                intent.rejectIfStale,
                null,
                false,
                null);
        List<Change> changes = random.nextInt(5) == 0
                ? List.of(new Change.Announce("noted", intent.author, intent.body), new Change.Append(draft))
                : List.of(new Change.Append(draft));
        enqueue(new Try(new Command(uuid(), intent.thread, intent.author, changes), intent));
    }

    private void announce() {
        enqueue(new Try(
                new Command(
                        uuid(),
                        pick(threads),
                        pick(actors),
                        List.of(new Change.Announce("thread_updated", Actor.SYSTEM, "{}"))),
                null));
    }

    private void enqueue(Try each) {
        commands++;
        queue.addLast(each);
    }

    /** The rule that a removed member appends nothing. */
    private record Membership(Set<Actor> gone) implements Rule.Judge {
        @Override
        public Optional<Refusal> judgeAccess(Command command, Head head) {
            return gone.contains(command.actor())
                    ? Optional.of(Refusal.of(Problem.THREAD_NOT_FOUND, "removed"))
                    : Optional.empty();
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            return Optional.empty();
        }
    }

    /** The end of a batch's transaction. */
    private enum Fate {
        COMMITTED,
        /** The connection dies before COMMIT; the lane tries the batch again. */
        LOST_BEFORE_COMMIT,
        /** The connection dies during COMMIT. The lane does not know whether the commit took place. */
        COMMITTED_UNANSWERED,
        NOT_COMMITTED_UNANSWERED,
        /** The process dies. The queue and the callers are gone, but committed data stays. */
        CRASHED_BEFORE_COMMIT,
        CRASHED_AFTER_COMMIT
    }

    private static final List<Fate> FATES = List.of(
            Fate.COMMITTED,
            Fate.COMMITTED,
            Fate.COMMITTED,
            Fate.LOST_BEFORE_COMMIT,
            Fate.COMMITTED_UNANSWERED,
            Fate.NOT_COMMITTED_UNANSWERED,
            Fate.CRASHED_BEFORE_COMMIT,
            Fate.CRASHED_AFTER_COMMIT);

    private void runBatch(Fate fate) {
        List<Try> batch = new ArrayList<>();
        int size = 1 + random.nextInt(8);
        while (batch.size() < size && !queue.isEmpty()) {
            batch.add(queue.removeFirst());
        }
        if (batch.isEmpty()) {
            return;
        }
        Set<Actor> gone = Set.copyOf(removed);
        Decision decision = decider.decide(
                log.heads,
                log.known(batch),
                new LogFeatures.BatchFacts(List.of(() -> new Membership(gone)), List.of()),
                now,
                batch.stream().map(Try::command).toList());
        switch (fate) {
            case COMMITTED -> {
                commit(decision, gone);
                answer(batch, decision);
            }
            case LOST_BEFORE_COMMIT -> putBack(batch);
            case COMMITTED_UNANSWERED -> {
                commit(decision, gone);
                batch.forEach(each -> each.mayHaveCommitted = true);
                putBack(batch);
            }
            case NOT_COMMITTED_UNANSWERED -> {
                batch.forEach(each -> each.mayHaveCommitted = true);
                putBack(batch);
            }
            case CRASHED_BEFORE_COMMIT -> crash();
            case CRASHED_AFTER_COMMIT -> {
                commit(decision, gone);
                crash();
            }
        }
    }

    private void commit(Decision decision, Set<Actor> gone) {
        for (Decision.NewEntry each : decision.drafts()) {
            require(!gone.contains(each.entry().content().author()), "a removed member's message was written");
        }
        log.commit(decision);
    }

    private void putBack(List<Try> batch) {
        crashes++;
        batch.reversed().forEach(queue::addFirst);
    }

    private void crash() {
        crashes++;
        queue.clear();
    }

    private void answer(List<Try> batch, Decision decision) {
        require(decision.outcomes().size() == batch.size(), "not every command has an outcome");
        for (int i = 0; i < batch.size(); i++) {
            Intent intent = batch.get(i).intent;
            if (intent == null) {
                continue;
            }
            switch (decision.outcomes().get(i)) {
                case CommandOutcome.Done done ->
                    acknowledge(intent, done.entries().getFirst().entry());
                case CommandOutcome.Refused(Refusal refusal) ->
                    intent.refusedAsReused |= refusal.problem() == Problem.KEY_REUSED;
            }
        }
    }

    private void acknowledge(Intent intent, Entry entry) {
        acknowledged++;
        Entry before = intent.acknowledged;
        require(before == null || intent.key == null || before.equals(entry), "one key was answered with two messages");
        require(entry.content().text().equals(intent.body), "a key was answered with another body");
        intent.acknowledged = entry;
    }

    /**
     * Checks that the log contains an acknowledged message exactly once, and does not contain a message that was
     * refused for its reused key.
     */
    private void check(Intent intent) {
        List<Entry> matching = log.entriesOf(intent.thread).stream()
                .map(Decision.NewEntry::entry)
                .filter(entry -> entry.content().text().equals(intent.body))
                .toList();
        long noted = log.events.getOrDefault(intent.thread, List.of()).stream()
                .filter(event -> event instanceof Event.Announced announced
                        && announced.payload().equals(intent.body))
                .count();
        require(noted <= matching.size(), "the announcement of \"" + intent.body + "\" happened " + noted + " times");
        require(matching.size() <= 1, "\"" + intent.body + "\" is in the log " + matching.size() + " times");
        Entry entry = intent.acknowledged;
        if (entry != null) {
            require(matching.contains(entry), "an acknowledged message is not in the log as it was acknowledged");
            require(!intent.refusedAsReused, "one request was acknowledged and refused");
        }
        if (intent.refusedAsReused) {
            require(matching.isEmpty(), "a refused message is in the log");
            require(
                    log.entriesOf(intent.thread).stream()
                            .map(each -> each.entry().content())
                            .anyMatch(content -> content.author().equals(intent.author)
                                    && Objects.equals(content.clientMessageId(), intent.key)),
                    "a key was refused that its sender had not used in this thread");
        }
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new LogSimulator.Violation(seed, otherwise);
        }
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private UUID uuid() {
        return UuidV7.at(START.toEpochMilli(), random.nextLong(), random.nextLong());
    }
}
