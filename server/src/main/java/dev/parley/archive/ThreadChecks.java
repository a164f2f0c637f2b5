package dev.parley.archive;

import dev.parley.log.ChainCheck;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Checks the invariants of a range of threads: the chains of digests are intact, and keys, events and runs agree with
 * the entries.
 */
final class ThreadChecks {
    private static final String LOST_KEYS = """
            select k.thread_id, count(*) || ' keys refer to missing entries, the first to seq ' || min(k.seq)
            from entry_keys k join threads t on t.thread_id = k.thread_id and t.deleted_at is null
                left join entries e on e.thread_id = k.thread_id and e.seq = k.seq
            where k.thread_id between ? and ? and e.seq is null group by k.thread_id""";

    private static final String KEYLESS = """
            select e.thread_id, count(*) || ' entries have lost their key, the first has seq ' || min(e.seq)
            from entries e join threads t on t.thread_id = e.thread_id and t.deleted_at is null
                left join entry_keys k on k.thread_id = e.thread_id and k.seq = e.seq
            where e.thread_id between ? and ? and k.seq is null group by e.thread_id""";

    private static final String EVENTLESS = """
            select e.thread_id, count(*) || ' entries have no event of their own, the first has seq ' || min(e.seq)
            from entries e join threads t on t.thread_id = e.thread_id and t.deleted_at is null
                left join events ev on ev.thread_id = e.thread_id and ev.position = e.position
            where e.thread_id between ? and ? and (ev.seq is distinct from e.seq or ev.type is not null)
            group by e.thread_id""";

    private static final String UNDECIDED_RUNS = """
            select r.thread_id, 'the run ' || r.run_id || ' is ' || r.state
                || case when r.ended_at is null then ', but has no end' else ', but has ended' end
            from runs r
            where r.thread_id between ? and ?
                and (r.ended_at is null) <> (r.state in ('queued', 'running', 'waiting'))""";

    /** Finds ended runs whose last event is not an end. Runs whose events are removed are left out. */
    private static final String UNENDED_RUNS = """
            with kept as (
                select thread_id, run, max(position) as position from events
                where thread_id between ? and ? and run is not null group by thread_id, run)
            select r.thread_id, 'the run ' || r.run_id || ' is ' || r.state || ', but its events do not end with its end'
            from runs r join threads t on t.thread_id = r.thread_id and t.deleted_at is null
                left join kept k on k.thread_id = r.thread_id and k.run = r.task_id
                left join events ev on ev.thread_id = r.thread_id and ev.position = r.last_position
                left join expired_events x on x.thread_id = r.thread_id
            where r.thread_id between ? and ? and r.ended_at is not null and r.root is null and r.stored < 2
                and not (k.position is null and coalesce(x.position, 0) >= coalesce(r.last_position, 0))
                and (k.position is distinct from r.last_position
                    or coalesce(substring(ev.payload from '[^\\n]*$'), '') !~ '"type":"RUN_(FINISHED|ERROR)"')""";

    private final Connection connection;
    private final ChainCheck.Findings findings;
    private final LongConsumer checked;

    ThreadChecks(Connection connection, ChainCheck.Findings findings, LongConsumer checked) {
        this.connection = connection;
        this.findings = findings;
        this.checked = checked;
    }

    void check(ThreadRange range) throws SQLException {
        new ChainCheck(connection, findings, checked).check(range.first(), range.last());
        try (Statement statement = connection.createStatement()) {
            // Without nested loops PostgreSQL reads two long lists once each, instead of one list for each row of the
            // other.
            statement.execute("set local enable_nestloop = off");
        }
        for (String sql : List.of(LOST_KEYS, KEYLESS, EVENTLESS, UNDECIDED_RUNS, UNENDED_RUNS)) {
            find(sql, range);
        }
    }

    private void find(String sql, ThreadRange range) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            int parameters = query.getParameterMetaData().getParameterCount();
            for (int i = 1; i < parameters; i += 2) {
                query.setObject(i, range.first().value());
                query.setObject(i + 1, range.last().value());
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    findings.add(new ThreadId(row.getObject(1, UUID.class)), row.getString(2));
                }
            }
        }
    }
}
