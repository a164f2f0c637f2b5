package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.TableOwners;
import dev.parley.log.ThreadPurger;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.DeletedThreadRunsWriter;
import dev.parley.storage.Database;
import dev.parley.storage.SqlBatch;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.threads.DeletedThreads;
import dev.parley.threads.ThreadEffect;
import dev.parley.threads.ThreadEffectWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** A deleted thread leaves no row in any table of the schema, except in the listed ones. */
class DeletedThreadsTest {
    /** The tables in which rows of deleted threads stay, with the reason. */
    private static final Map<String, String> STAYING = Map.of(
            "threads", "its id is never used again",
            "thread_heads", "its id is never used again",
            "thread_aliases", "its name is never used again",
            "bindings", "the channel moves to another thread with its next message",
            "destinations", "the channel moves to another thread with its next message",
            "model_usage", "usage stays, or deletions could reset budgets",
            "object_uses", "the objects package releases its uses itself");

    /** A column that needs a value. */
    private record Column(String table, String name, String type) {
        String value() {
            if (name.equals("thread_id")) {
                return ":thread";
            }
            return switch (type) {
                case "uuid" -> "gen_random_uuid()";
                case "text" -> "gen_random_uuid()::text";
                case "timestamp with time zone" -> "now()";
                case "boolean" -> "false";
                case "json", "jsonb", "ARRAY" -> "'{}'";
                case "bytea", "tsvector" -> "''";
                default -> "1";
            };
        }
    }

    private static List<String> tables(Handle handle) {
        return handle.createQuery("""
                        select table_name from information_schema.columns join information_schema.tables
                            using (table_schema, table_name)
                        where table_schema = 'public' and column_name = 'thread_id' and table_type = 'BASE TABLE'
                        order by 1""").mapTo(String.class).list();
    }

    /** Inserts a row of the thread into each table, regardless of the table's other requirements. */
    private static void fill(Handle handle, ThreadId thread) {
        Map<String, List<Column>> columns = handle.createQuery("""
                        select table_name, column_name, data_type from information_schema.columns
                        where table_schema = 'public' and (column_name = 'thread_id'
                            or is_nullable = 'NO' and column_default is null and is_identity = 'NO')""")
                .map((row, context) -> new Column(row.getString(1), row.getString(2), row.getString(3)))
                .collect(Collectors.groupingBy(Column::table));
        for (String table : tables(handle)) {
            List<Column> required = columns.getOrDefault(table, List.of());
            handle.createUpdate("insert into %s (%s) values (%s)"
                            .formatted(
                                    table,
                                    required.stream().map(Column::name).collect(Collectors.joining(", ")),
                                    required.stream().map(Column::value).collect(Collectors.joining(", "))))
                    .bind("thread", thread.value())
                    .execute();
        }
    }

    /** Foreign keys and checks between the tables do not matter here. */
    private static void dropConstraints(Handle handle) {
        handle.createQuery("""
                        select format('alter table %s drop constraint %I', conrelid::regclass, conname)
                        from pg_constraint
                        where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conrelid <> 0""").mapTo(String.class).list().forEach(handle::execute);
    }

    /** Deletes a thread as the lane does. */
    private static void delete(Handle handle, ThreadId thread) {
        ThreadEffect.Deleted deleted = new ThreadEffect.Deleted(thread);
        try {
            SqlBatch batch = new SqlBatch(handle.getConnection());
            new ThreadEffectWriter().write(batch, List.of(deleted));
            new DeletedThreadRunsWriter().write(batch, List.of(deleted));
            batch.send();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static List<String> holding(Handle handle, ThreadId thread) {
        return tables(handle).stream()
                .filter(table -> handle.createQuery("select count(*) from " + table + " where thread_id = :thread")
                                .bind("thread", thread.value())
                                .mapTo(Integer.class)
                                .one()
                        > 0)
                .toList();
    }

    /** Stands for the purger of the thread's objects. */
    private record Released(List<ThreadId> threads) implements ThreadPurger {
        @Override
        public List<String> tables() {
            return List.of();
        }

        @Override
        public void release(ThreadId thread) {
            threads.add(thread);
        }
    }

    @Test
    void purgersNameTablesOfTheirOwnPackages() {
        for (ThreadPurger purger : ThreadPurgers.of(new Released(List.of()))) {
            String name = purger.getClass().getPackageName().substring("dev.parley.".length());
            assertThat(purger.tables())
                    .allSatisfy(table -> assertThat(TableOwners.OWNERS).containsEntry(table, name));
        }
    }

    @Test
    void rowsStayOnlyInTheListedTables() {
        ThreadId deleted = ThreadId.fresh();
        ThreadId other = ThreadId.fresh();
        List<ThreadId> released = new CopyOnWriteArrayList<>();
        try (TestDatabase scratch = RunningServer.freshDatabase();
                Database database = Database.open(RunningServer.storage(scratch.address()), 4)) {
            List<String> all = database.transact(handle -> {
                dropConstraints(handle);
                fill(handle, deleted);
                fill(handle, other);
                delete(handle, deleted);
                return tables(handle);
            });
            assertThat(all).contains("entries", "chat_events", "session_runs", "session_documents");
            try (DeletedThreads _ = new DeletedThreads(database, ThreadPurgers.of(new Released(released)))) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> database.read(handle -> handle.createQuery(
                                        "select purged_at is not null from threads where thread_id = :thread")
                                .bind("thread", deleted.value())
                                .mapTo(Boolean.class)
                                .one()));
            }

            assertThat(database.<List<String>>read(handle -> holding(handle, deleted)))
                    .containsExactlyInAnyOrderElementsOf(STAYING.keySet());
            assertThat(database.<List<String>>read(handle -> holding(handle, other)))
                    .isEqualTo(all);
            assertThat(released).containsExactly(deleted);
        }
    }
}
