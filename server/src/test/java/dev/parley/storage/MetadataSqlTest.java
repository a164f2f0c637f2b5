package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operators query the metadata of messages with SQL as jsonb, including messages older than the index. */
class MetadataSqlTest {
    private static final UUID THREAD = UUID.randomUUID();

    private final TestDatabase scratch = TestPostgres.shared().emptyDatabase();
    private final DatabaseAddress address = new DatabaseAddress(
            scratch.address().jdbcUrl(),
            scratch.address().user(),
            scratch.address().password());
    private Database database;

    /** Messages of a version without the index, some with metadata that jsonb cannot hold. */
    @BeforeEach
    void upgrade() {
        Flyway.configure()
                .dataSource(address.toDataSource())
                .locations("classpath:db/migration")
                .target("12")
                .load()
                .migrate();
        try (var connection = address.toDataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(insert(1, 0, "{\"run_id\": \"r\", \"stage\": \"execution\", \"n\": 1.50}"));
            statement.execute(insert(2, 0, "{\"run_id\": \"r\", \"stage\": \"意图 😀\"}"));
            statement.execute(insert(3, 0, "{\"run_id\": \"r\", \"n\": 1e200000}"));
            statement.execute(insert(4, 0, "{\"run_id\": \"r\\u0000\"}"));
            statement.execute(insert(5, 0, "{\"run_id\": \"r\", \"half\": \"\\ud83d\"}"));
            statement.execute(insert(6, 0, "{\"run_id\": \"other\", \"stage\": \"execution\"}"));
            statement.execute(insert(7, 1, "{\"run_id\": \"r\", \"stage\": \"execution\"}"));
            statement.execute(insert(8, 0, null));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        database = Database.open(address, 1);
    }

    @AfterEach
    void drop() {
        database.close();
        scratch.close();
    }

    private static String insert(int seq, int kind, @Nullable String metadata) {
        return """
                insert into entries (thread_id, seq, position, id, kind, author, role, content, metadata, created_at,
                    digest)
                values ('%s', %d, %d, 'id-%d', %d, 'agent:a', 'assistant', 'x', %s, now(), '\\x00')""".formatted(THREAD, seq, seq, seq, kind, metadata == null ? "null" : "'" + metadata + "'");
    }

    private void write(String sql) {
        assertThat(database.<Integer>transact(handle -> handle.execute(sql))).isEqualTo(1);
    }

    private List<Long> seqs(String where) {
        return database.read(handle -> handle.createQuery(
                        "select seq from message_metadata where thread_id = :thread and " + where + " order by seq")
                .bind("thread", THREAD)
                .mapTo(Long.class)
                .list());
    }

    @Test
    void messagesAreFoundByTheContentOfTheirMetadata() {
        assertThat(seqs("metadata @> '{\"stage\": \"execution\"}'")).containsExactly(1L, 6L);
        assertThat(seqs("metadata @> '{\"stage\": \"意图 😀\"}' and run_id = 'r'"))
                .containsExactly(2L);
        assertThat(seqs("(metadata ->> 'n')::numeric = 1.5")).containsExactly(1L);
        assertThat(seqs("stage = 'execution'")).containsExactly(1L, 6L);
    }

    @Test
    void metadataThatJsonbCannotHoldIsNullAndCausesNoError() {
        assertThat(seqs("metadata is null")).containsExactly(3L, 4L, 5L);
        assertThat(seqs("run_id = 'r'")).as("a large number hides no run").containsExactly(1L, 2L, 3L);
        write(insert(9, 0, "{\"run_id\": \"\\u0000\"}"));
        write(insert(10, 0, "{\"run_id\": \"r\"}"));
        assertThat(seqs("run_id = 'r'")).containsExactly(1L, 2L, 3L, 10L);
    }

    @Test
    void aRunOfAThreadIsReadByTheIndex() {
        String plan = database.transact(handle -> {
            handle.execute("""
                    insert into entries (thread_id, seq, position, id, kind, author, role, content, metadata, created_at,
                        digest)
                    select '%s', n, n, 'id-' || n, 0, 'agent:a', 'assistant', 'x',
                        json_build_object('run_id', 'r-' || n / 10, 'stage', 'execution'), now(), '\\x00'
                    from generate_series(100, 5000) as n""".formatted(THREAD));
            handle.execute("analyze entries");
            return handle
                    .createQuery(
                            "explain select * from message_metadata where thread_id = '" + THREAD
                                    + "' and run_id = 'r-77' and metadata @> '{\"stage\": \"execution\"}' order by seq limit 10")
                    .mapTo(String.class)
                    .stream()
                    .collect(Collectors.joining("\n"));
        });
        assertThat(plan).contains("Index Scan using entries_by_run").doesNotContain("Sort");
    }
}
