package dev.parley.sessions;

import dev.parley.auth.Principal;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadRoster;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The SQL of sessions' runs. */
final class SessionRunStore {
    private static final String SELECT = """
            select s.run_id, s.parent_run_id, s.agent_id, s.agent_name, s.team_name, s.status, s.model,
                s.model_provider, s.version, s.number, s.created_at, s.updated_at, r.state, r.ended_at
            from session_runs s left join runs r on r.thread_id = s.thread_id and r.run_id = s.run_id
            where s.thread_id = :thread\s""";

    private static final String KEEP = "with " + SessionDocuments.OPEN_THREAD + """
             insert into session_runs as known (thread_id, run_id, started_by, parent_run_id, agent_id, agent_name, team_name,
                status, model, model_provider, document, version, usage, cost, cost_currency, created_at, updated_at)
            select thread_id, :run,
                coalesce((select r.started_by from runs r where r.thread_id = open.thread_id and r.run_id = :run), :startedBy),
                :parentRunId, :agentId, :agentName, :teamName, :status, :model, :modelProvider,
                :document::json, 1, :counts::json, :cost, :currency, :now, :now
            from open
            where :version <= 0 or exists (select from session_runs where thread_id = :thread and run_id = :run)
            on conflict (thread_id, run_id) do update set
                parent_run_id = coalesce(excluded.parent_run_id, known.parent_run_id),
                agent_id = coalesce(excluded.agent_id, known.agent_id),
                agent_name = coalesce(excluded.agent_name, known.agent_name),
                team_name = coalesce(excluded.team_name, known.team_name),
                status = excluded.status,
                model = coalesce(excluded.model, known.model),
                model_provider = coalesce(excluded.model_provider, known.model_provider),
                document = excluded.document, version = known.version + 1, usage = excluded.usage,
                cost = excluded.cost, cost_currency = excluded.cost_currency, updated_at = excluded.updated_at
            where :version < 0 or known.version = :version""";

    private SessionRunStore() {}

    /** The value that matches any version. */
    static final long ANY_VERSION = -1;

    /**
     * Stores the document of a run that belongs to the caller.
     *
     * @param version the version that is replaced; 0 if there is no document yet
     * @return false if the run's document has another version
     */
    static boolean keep(
            Handle handle,
            Principal caller,
            ThreadRoster roster,
            String run,
            String document,
            RunNotes notes,
            long version,
            Instant now) {
        ThreadId thread = roster.id();
        lock(handle, thread);
        SessionRunOwners.require(handle.getConnection(), caller, roster, List.of(run));
        return handle.createUpdate(KEEP)
                        .bind("thread", thread.value())
                        .bind("run", run)
                        .bind("startedBy", caller.actor().value())
                        // A run is never its own parent, so that a walk up the tree ends.
                        .bind("parentRunId", run.equals(notes.parentRunId()) ? null : notes.parentRunId())
                        .bind("agentId", notes.agentId())
                        .bind("agentName", notes.agentName())
                        .bind("teamName", notes.teamName())
                        .bind("status", notes.status())
                        .bind("model", notes.model())
                        .bind("modelProvider", notes.modelProvider())
                        .bind("document", document)
                        .bind("counts", notes.total().counts())
                        .bind("cost", notes.total().cost())
                        .bind("currency", notes.total().currency())
                        .bind("version", version)
                        .bind("now", now.atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
    }

    /**
     * Waits for all other writers of the thread's runs. Therefore numbers become visible in the order in which they are
     * assigned, and a reader that has read up to a number has missed no lower number.
     */
    private static void lock(Handle handle, ThreadId thread) {
        handle.createQuery("select 1 from thread_heads where thread_id = :thread for no key update")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .findOne();
    }

    static Optional<SessionRun> find(Handle handle, ThreadId thread, String run) {
        return complete(
                        handle,
                        thread,
                        handle.createQuery(SELECT + "and s.run_id = :run")
                                .bind("thread", thread.value())
                                .bind("run", run)
                                .map((row, context) -> read(row))
                                .list())
                .stream()
                .findFirst();
    }

    /** The next runs in the order in which they were created. */
    static List<SessionRun> after(Handle handle, ThreadId thread, long number, int limit) {
        return complete(
                handle,
                thread,
                handle.createQuery(SELECT + "and s.number > :number order by s.number limit :limit")
                        .bind("thread", thread.value())
                        .bind("number", number)
                        .bind("limit", limit)
                        .map((row, context) -> read(row))
                        .list());
    }

    static Optional<String> document(Handle handle, ThreadId thread, String run) {
        return handle.createQuery("select document from session_runs where thread_id = :thread and run_id = :run")
                .bind("thread", thread.value())
                .bind("run", run)
                .map((row, context) -> Optional.ofNullable(row.getString("document")))
                .findOne()
                .flatMap(found -> found);
    }

    /** The runs that name this run as their parent; only the first runs if there are more than the limit. */
    static List<String> children(Handle handle, ThreadId thread, String run, int limit) {
        return handle.createQuery("""
                        select run_id from session_runs where thread_id = :thread and parent_run_id = :run
                        order by number limit :limit""")
                .bind("thread", thread.value())
                .bind("run", run)
                .bind("limit", limit)
                .mapTo(String.class)
                .list();
    }

    /** Adds the counts that other tables hold. */
    private static List<SessionRun> complete(Handle handle, ThreadId thread, List<SessionRun> runs) {
        if (runs.isEmpty()) {
            return runs;
        }
        List<String> names = runs.stream().map(SessionRun::runId).toList();
        Map<String, Long> messages = new HashMap<>();
        handle.createQuery("""
                        select run_id, count(*) as messages from chat_events
                        where thread_id = :thread and run_id = any (:runs) group by run_id""")
                .bind("thread", thread.value())
                .bindArray("runs", String.class, names.toArray())
                .map((row, context) -> messages.put(row.getString("run_id"), row.getLong("messages")))
                .list();
        Map<String, List<SessionSpending.Used>> spent = SessionSpending.byRun(handle, thread, names);
        return runs.stream()
                .map(run ->
                        with(run, messages.getOrDefault(run.runId(), 0L), spent.getOrDefault(run.runId(), List.of())))
                .toList();
    }

    private static SessionRun with(SessionRun run, long messages, List<SessionSpending.Used> spent) {
        List<SessionSpending.Used> priced =
                spent.stream().filter(each -> each.cost() != null).toList();
        SessionSpending.Used price = priced.size() == 1 ? priced.getFirst() : null;
        return new SessionRun(
                run.runId(),
                run.parentRunId(),
                run.agentId(),
                run.agentName(),
                run.teamName(),
                run.status(),
                run.model(),
                run.modelProvider(),
                messages,
                sum(spent, "input_tokens"),
                sum(spent, "output_tokens"),
                price == null ? null : price.cost(),
                price == null ? null : price.currency(),
                run.version(),
                run.number(),
                run.createdAt(),
                run.updatedAt());
    }

    private static @Nullable BigInteger sum(List<SessionSpending.Used> spent, String name) {
        return spent.stream()
                .map(each -> each.counts().getOrDefault(name, BigInteger.ZERO))
                .reduce(BigInteger::add)
                .orElse(null);
    }

    private static SessionRun read(ResultSet row) throws SQLException {
        Instant updated = row.getObject("updated_at", OffsetDateTime.class).toInstant();
        String state = row.getString("state");
        OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
        return new SessionRun(
                row.getString("run_id"),
                row.getString("parent_run_id"),
                row.getString("agent_id"),
                row.getString("agent_name"),
                row.getString("team_name"),
                state == null ? row.getString("status") : SessionStatuses.ofLog(state),
                row.getString("model"),
                row.getString("model_provider"),
                0,
                null,
                null,
                null,
                null,
                row.getLong("version"),
                row.getLong("number"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                ended == null || ended.toInstant().isBefore(updated) ? updated : ended.toInstant());
    }
}
