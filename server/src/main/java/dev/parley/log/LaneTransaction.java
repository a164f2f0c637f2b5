package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import dev.parley.storage.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One batch on one connection: lock the heads, read the facts in a fresh snapshot, decide, and write. If this node
 * remembers the heads and facts, a batch is decided without locks and reads, and is written on the condition that the
 * heads have not moved. This class knows nothing of queues.
 */
final class LaneTransaction {
    /** The treatment of a head that another transaction has locked. */
    enum Locking {
        SKIP("skip locked"),
        WAIT("");

        private final String clause;

        Locking(String clause) {
            this.clause = clause;
        }
    }

    /**
     * The attempts of a batch, by the time of their decision.
     *
     * @param decided the attempts that this batch decides
     * @param skipped the attempts that are not decided, because other transactions have locked their heads
     * @param deferred the attempts that are not decided, because an earlier command of their thread changes the facts
     *     by which they must be judged
     */
    record Selection(List<Attempt> decided, List<Attempt> skipped, List<Attempt> deferred) {
        static Selection of(List<Attempt> attempts, Set<ThreadId> lockedByOthers) {
            Selection selection = new Selection(new ArrayList<>(attempts.size()), new ArrayList<>(), new ArrayList<>());
            Set<ThreadId> changing = new HashSet<>();
            for (Attempt attempt : attempts) {
                ThreadId thread = attempt.command().thread();
                if (lockedByOthers.contains(thread)) {
                    selection.skipped.add(attempt);
                } else if (changing.contains(thread)) {
                    selection.deferred.add(attempt);
                } else {
                    selection.decided.add(attempt);
                    if (attempt.command().concludes()) {
                        changing.add(thread);
                    }
                }
            }
            return selection;
        }
    }

    /**
     * The result of a batch.
     *
     * @param heads the heads before the batch
     */
    record Result(Map<ThreadId, Head> heads, Decision decision, Selection selection) {}

    private final LogFeatures features;
    private final Clock clock;
    private final HeadMemory memory = new HeadMemory();

    LaneTransaction(LogFeatures features, Clock clock) {
        this.features = features;
        this.clock = clock;
    }

    /** Settings of a connection that appends; docs/develop/log.md gives the reason for each. */
    static void prepare(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("""
                    set default_transaction_isolation = 'read committed';
                    set synchronous_commit = on;
                    set statement_timeout = '5s';
                    set lock_timeout = '2s';
                    set idle_in_transaction_session_timeout = '15s';
                    set tcp_keepalives_idle = 15;
                    set tcp_keepalives_interval = 5;
                    set tcp_keepalives_count = 3;
                    set enable_seqscan = off;
                    set plan_cache_mode = force_generic_plan;
                    set jit = off""");
        }
        connection.commit();
    }

    /** Locks, reads, decides and writes; the caller commits. */
    Result run(Connection connection, List<Attempt> attempts, Locking locking) throws SQLException {
        Map<ThreadId, Head> heads = lock(connection, attempts, locking);
        memory.compare(heads.values());
        Set<ThreadId> lockedByOthers = lockedByOthers(connection, attempts, heads);
        Selection selection = Selection.of(attempts, lockedByOthers);
        KnownFacts known = KnownQuery.read(connection, selection.decided());
        Decision decision = decide(FactSource.of(connection), heads, known, selection);
        if (decision.hasWrites()) {
            SqlBatch batch = new SqlBatch(connection);
            DecisionWriter.write(batch, decision);
            write(batch, decision);
            batch.send();
        }
        return new Result(heads, decision, selection);
    }

    /**
     * Decides a batch by what this node remembers, and writes and commits the batch in one round trip. If that is
     * impossible, the result is empty and nothing is written.
     *
     * @throws SQLException if the connection is unusable; it is then unknown whether the batch is committed
     */
    Optional<Result> runFromMemory(Connection connection, List<Attempt> attempts) throws SQLException {
        Set<ThreadId> threads =
                attempts.stream().map(attempt -> attempt.command().thread()).collect(Collectors.toSet());
        Optional<Map<ThreadId, Head>> heads = memory.of(threads);
        if (heads.isEmpty() || !attempts.stream().allMatch(LaneTransaction::isDecidedByFactsAlone)) {
            return Optional.empty();
        }
        Selection selection = Selection.of(attempts, Set.of());
        try {
            Decision decision = decide(FactSource.MEMORY, heads.get(), KnownFacts.NOTHING, selection);
            // A refusal must not come from memory. The statement that moves heads also checks them, so every thread's
            // head has to move.
            if (!decision.carriesAllOut() || !decision.heads().keySet().equals(threads)) {
                return Optional.empty();
            }
            SqlBatch batch = new SqlBatch(FactSource.MEMORY::connection);
            DecisionWriter.writeIfUnmoved(batch, decision, heads.get());
            write(batch, decision);
            return batch.isOneTransaction() && commit(connection, batch, selection)
                    ? Optional.of(new Result(heads.get(), decision, selection))
                    : Optional.empty();
        } catch (FactSource.NotRemembered unknown) {
            return Optional.empty();
        }
    }

    /**
     * True if the attempt can be decided without the log's own reads. The database checks the keys of drafts. Only an
     * unknown outcome of an earlier try and the staleness of a draft must be read.
     */
    private static boolean isDecidedByFactsAlone(Attempt attempt) {
        return !attempt.mayHaveCommitted()
                && attempt.command().drafts().stream()
                        .allMatch(draft -> draft.content().baseSeq() == null);
    }

    /**
     * Writes and commits a batch. False if the database refuses the batch, because a head has moved, a key is taken, or
     * a statement fails for another reason.
     */
    private static boolean commit(Connection connection, SqlBatch batch, Selection selection) throws SQLException {
        connection.setAutoCommit(true);
        selection.decided().forEach(Attempt::committing);
        try {
            batch.sendOn(connection);
            return true;
        } catch (SQLException error) {
            if (SqlState.of(error) == SqlState.UNAVAILABLE) {
                throw error;
            }
            selection.decided().forEach(Attempt::notCommitted);
            return false;
        } finally {
            connection.setAutoCommit(false);
        }
    }

    private Decision decide(FactSource source, Map<ThreadId, Head> heads, KnownFacts known, Selection selection)
            throws SQLException {
        List<Command> commands =
                selection.decided().stream().map(Attempt::command).toList();
        LogFeatures.BatchFacts facts = features.read(source, heads.values(), commands);
        for (Attempt attempt : selection.decided()) {
            Head head = heads.get(attempt.command().thread());
            attempt.seenHead(head == null ? 0 : head.lastPosition());
        }
        return Decision.decide(heads, known, facts, clock.instant(), commands);
    }

    /** Updates what this node remembers after a batch was committed. */
    void remember(Result result) {
        features.remember(result.heads(), result.decision());
        memory.remember(result.decision().heads().values());
    }

    private void write(SqlBatch batch, Decision decision) throws SQLException {
        for (EffectWriter<?> writer : features.writers()) {
            write(writer, batch, decision.effects());
        }
    }

    private static <E extends Effect> void write(EffectWriter<E> writer, SqlBatch batch, List<Effect> effects)
            throws SQLException {
        List<E> own = effects.stream()
                .filter(writer.type()::isInstance)
                .map(writer.type()::cast)
                .toList();
        if (!own.isEmpty()) {
            writer.write(batch, own);
        }
    }

    /**
     * The threads whose head exists but was not locked. Threads without a head are left to the decision, which refuses
     * them.
     */
    private static Set<ThreadId> lockedByOthers(
            Connection connection, List<Attempt> attempts, Map<ThreadId, Head> heads) throws SQLException {
        List<ThreadId> missing = attempts.stream()
                .map(attempt -> attempt.command().thread())
                .filter(thread -> !heads.containsKey(thread))
                .distinct()
                .toList();
        Set<ThreadId> locked = new HashSet<>();
        if (missing.isEmpty()) {
            return locked;
        }
        try (PreparedStatement statement =
                connection.prepareStatement("select thread_id from thread_heads where thread_id = any (?)")) {
            new SqlArrays(connection, statement).uuids(missing, ThreadId::value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    locked.add(new ThreadId(rows.getObject(1, UUID.class)));
                }
            }
        }
        return locked;
    }

    private static Map<ThreadId, Head> lock(Connection connection, List<Attempt> attempts, Locking locking)
            throws SQLException {
        List<ThreadId> threads = attempts.stream()
                .map(attempt -> attempt.command().thread())
                .distinct()
                .toList();
        // The heads are always locked in the order of the ids, so that two waiting transactions cannot deadlock.
        String sql = """
                select thread_id, last_seq, last_position, last_created_at, head_hash, facts
                from thread_heads
                where thread_id = any (?)
                order by thread_id
                for no key update""" + " " + locking.clause;
        Map<ThreadId, Head> heads = new HashMap<>(threads.size() * 2);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement).uuids(threads, ThreadId::value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ThreadId thread = new ThreadId(rows.getObject(1, UUID.class));
                    heads.put(
                            thread,
                            new Head(
                                    thread,
                                    rows.getLong(2),
                                    rows.getLong(3),
                                    rows.getObject(4, OffsetDateTime.class).toInstant(),
                                    Digest.of(rows.getBytes(5)),
                                    rows.getLong(6)));
                }
            }
        }
        return heads;
    }
}
