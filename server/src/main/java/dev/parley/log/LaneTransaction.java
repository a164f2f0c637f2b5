package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
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
import java.util.Set;
import java.util.UUID;

/**
 * One batch on one connection: locks the heads, reads the facts in a fresh snapshot, decides, writes. The caller
 * commits. Holds the SQL of appending; knows nothing of queues.
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
     * The result of a batch before its commit.
     *
     * @param skipped not decided: other transactions have locked their heads
     * @param deferred not decided: an earlier command of their thread changes the facts by which they must be judged
     */
    record Result(Decision decision, List<Attempt> decided, List<Attempt> skipped, List<Attempt> deferred) {}

    private final LogFeatures features;
    private final Clock clock;

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

    Result run(Connection connection, List<Attempt> attempts, Locking locking) throws SQLException {
        Map<ThreadId, Head> heads = lock(connection, attempts, locking);
        Set<ThreadId> lockedByOthers = lockedByOthers(connection, attempts, heads);
        List<Attempt> decided = new ArrayList<>(attempts.size());
        List<Attempt> skipped = new ArrayList<>();
        List<Attempt> deferred = new ArrayList<>();
        Set<ThreadId> changing = new HashSet<>();
        for (Attempt attempt : attempts) {
            ThreadId thread = attempt.command().thread();
            if (lockedByOthers.contains(thread)) {
                skipped.add(attempt);
            } else if (changing.contains(thread)) {
                deferred.add(attempt);
            } else {
                decided.add(attempt);
                if (attempt.command().concludes()) {
                    changing.add(thread);
                }
            }
        }
        List<Command> commands = decided.stream().map(Attempt::command).toList();
        KnownFacts known = KnownQuery.read(connection, decided);
        LogFeatures.BatchFacts facts = features.read(connection, heads.values(), commands);
        Decision decision = Decision.decide(heads, known, facts, clock.instant(), commands);
        for (Attempt attempt : decided) {
            Head head = heads.get(attempt.command().thread());
            attempt.seenHead(head == null ? 0 : head.lastPosition());
        }
        if (decision.hasWrites()) {
            DecisionWriter.write(connection, decision);
            for (EffectWriter<?> writer : features.writers()) {
                write(writer, connection, decision.effects());
            }
        }
        return new Result(decision, decided, skipped, deferred);
    }

    private static <E extends Effect> void write(EffectWriter<E> writer, Connection connection, List<Effect> effects)
            throws SQLException {
        List<E> own = effects.stream()
                .filter(writer.type()::isInstance)
                .map(writer.type()::cast)
                .toList();
        if (!own.isEmpty()) {
            writer.write(connection, own);
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
        // Always in the order of the ids, so that two waiting transactions cannot deadlock.
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
