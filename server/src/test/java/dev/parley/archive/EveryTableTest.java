package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.FolderBlobs;
import dev.parley.attachments.Staging;
import dev.parley.basics.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every table of the schema, of this or a later migration, is exported exactly or left out on purpose. */
class EveryTableTest {
    private static final byte[] BYTES = "the bytes of an object".getBytes(StandardCharsets.UTF_8);
    /** Columns by which tables refer to each other. */
    private static final Set<String> NAMES = Set.of("thread_id", "agent_id", "object_id");

    private static final String SOME_ID = "'0197a6f0-1111-7000-8000-00000000000a'::uuid";
    private static final String OTHER_ID = "'0197a6f0-2222-7000-8000-00000000000b'::uuid";

    private final String sha256 = HexFormat.of().formatHex(Sha256.of(BYTES));

    @Test
    void tablesAreExportedOrLeftOutForAReason() throws SQLException {
        try (ArchiveFixture here = new ArchiveFixture();
                Connection connection = here.address().connect()) {
            Set<String> all =
                    Catalogue.read(connection).stream().map(Table::name).collect(Collectors.toSet());
            Set<String> carried = ArchivedTables.read(connection).all().stream()
                    .map(Table::name)
                    .collect(Collectors.toSet());
            assertThat(all).containsAll(ArchivedTables.LEFT_OUT.keySet());
            all.removeAll(ArchivedTables.LEFT_OUT.keySet());
            assertThat(carried).isEqualTo(all).contains("threads", "entries", "agents", "audit");
        }
    }

    @Test
    void leasesAreLeftOut() throws SQLException {
        try (ArchiveFixture here = new ArchiveFixture();
                Connection connection = here.address().connect()) {
            List<String> held = ArchivedTables.read(connection).all().stream()
                    .filter(table -> table.columnNames().contains("held_until"))
                    .map(Table::name)
                    .toList();
            assertThat(held).isEmpty();
            assertThat(ArchivedTables.read(connection)
                            .find("webhooks")
                            .orElseThrow()
                            .columnNames())
                    .doesNotContain("holder")
                    .contains("webhook_id", "position");
        }
    }

    @Test
    void columnsOfAllTablesAreImportedAsExported() throws SQLException, IOException {
        try (ArchiveFixture here = new ArchiveFixture();
                ArchiveFixture there = new ArchiveFixture()) {
            fill(here);
            // No row lies beyond the end of its thread.
            here.execute("update thread_heads set last_seq = 9007199254740993");
            keepBytes(here);
            assertThat(here.export()).as(here.output()).isTrue();
            // The invented rows are no valid log, so the verification at the end has findings.
            assertThat(there.importFrom(here.archive())).as(there.output()).isFalse();
            Map<String, String> digests = here.digests();
            assertThat(there.digests()).isEqualTo(digests);
            assertThat(digests.values()).noneMatch(digest -> digest.startsWith("0 "));
            try (FolderBlobs store = there.store()) {
                assertThat(store.open(BlobId.of(Sha256.of(BYTES)), 0, BYTES.length)
                                .readAllBytes())
                        .isEqualTo(BYTES);
            }
        }
    }

    @Test
    void sequencesContinueAfterImportedRows() throws SQLException, IOException {
        try (ArchiveFixture here = new ArchiveFixture();
                ArchiveFixture there = new ArchiveFixture()) {
            here.execute("insert into audit (audit_id, at, actor, action, subject) overriding system value"
                    + " values (41, now(), 'user:x', 'looked', 'y')");
            here.export();
            there.importFrom(here.archive());
            there.execute("insert into audit (at, actor, action, subject) values (now(), 'user:x', 'looked', 'z')");
            assertThat(there.select("select max(audit_id) from audit")).isEqualTo("42");
        }
    }

    /** Two rows in each table: one with a value in every column, one with as few as possible. */
    private void fill(ArchiveFixture here) throws SQLException {
        try (Connection connection = here.address().connect()) {
            for (Table table : ArchivedTables.read(connection).all()) {
                List<Table.Column> columns = table.columns();
                here.execute(insert(table, columns, SOME_ID));
                if (table.name().equals("blobs")) {
                    continue;
                }
                Set<String> needed = needed(here, table);
                here.execute(insert(
                        table,
                        columns.stream()
                                .filter(column -> needed.contains(column.name()))
                                .toList(),
                        OTHER_ID));
            }
        }
    }

    private static Set<String> needed(ArchiveFixture here, Table table) {
        return Set.of(here.select("""
                        select string_agg(column_name, ',') from information_schema.columns
                        where table_schema = 'public' and table_name = '%s' and is_nullable = 'NO'
                            and column_default is null and is_identity = 'NO'""".formatted(table.name())).split(","));
    }

    private String insert(Table table, List<Table.Column> columns, String id) {
        return "insert into %s (%s) overriding system value values (%s)"
                .formatted(
                        table.quotedName(),
                        columns.stream()
                                .map(column -> Table.quoted(column.name()))
                                .collect(Collectors.joining(", ")),
                        columns.stream().map(column -> value(column, id)).collect(Collectors.joining(", ")));
    }

    private String value(Table.Column column, String id) {
        if (column.name().equals("sha256")) {
            return "decode('" + sha256 + "', 'hex')";
        }
        return switch (column.type()) {
            case "uuid" -> NAMES.contains(column.name()) ? id : "gen_random_uuid()";
            case "text" ->
                "gen_random_uuid() || e' 中文 العربية 👩‍👩‍👧 e\\u0301 \\\\N \\\\\\\\ \\t\\n\\r\\x01\\x7f \"'";
            case "timestamp with time zone" -> "'2026-02-03 04:05:06.123456+05:30'";
            case "boolean" -> "true";
            case "json" -> "'{\"b\": 1e400, \"a\" : 0.10, \"a\": [\"\\u4e2d\\\\\"]}'";
            case "bigint[]" -> "'{1,9007199254740993}'";
            case "bytea" -> column.name().equals("digest") ? "decode('ff00', 'hex')" : "gen_random_uuid()::text::bytea";
            case "tsvector" -> "to_tsvector('simple', 'some 中文 words \\ here')";
            case "numeric" -> "0.1000000000000000000001";
            case "bigint" -> column.name().equals("bytes") ? Integer.toString(BYTES.length) : "9007199254740993";
            default -> "7";
        };
    }

    private static void keepBytes(ArchiveFixture here) throws IOException {
        Staging staging = new Staging(here.data.resolve("staging"));
        try (FolderBlobs store = here.store();
                var staged = staging.stage(new ByteArrayInputStream(BYTES), BYTES.length, IllegalStateException::new)) {
            store.put(staged.id(), staged);
        }
    }
}
