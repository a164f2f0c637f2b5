package dev.parley.archive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which tables are carried, and when. Rows that belong to the story of one thread are looked at together with its head,
 * so that they agree; all others are looked at once, at the end, so that they agree with each other.
 *
 * @param byThread parents first
 * @param shared parents first
 */
record ArchivedTables(List<Table> byThread, List<Table> shared) {
    /** What makes no sense elsewhere. A new table is carried unless it stands here. */
    static final Map<String, String> LEFT_OUT = Map.of(
            "flyway_schema_history", "the schema is made by migrations",
            "imports", "tells of this very database",
            "nodes", "the servers that are alive here",
            "stream_tickets", "open a stream within a minute, or never");

    /** Who does a chore right now, and until when: nobody does elsewhere. */
    private static final Set<String> LEASE = Set.of("holder", "held_until");

    /** They have an index by thread beside their key, and a thread's rows stay with it for ever. */
    private static final Set<String> INDEXED_BY_THREAD = Set.of("runs", "deliveries", "webhooks");

    /** Bytes that nothing holds are about to be removed. */
    private static final Map<String, String> CONDITIONS =
            Map.of("blobs", "exists (select from objects o where o.sha256 = blobs.sha256)");

    static ArchivedTables read(Connection connection) throws SQLException {
        List<Table> tables = Catalogue.read(connection).stream()
                .filter(table -> !LEFT_OUT.containsKey(table.name()))
                .map(ArchivedTables::withoutLease)
                .toList();
        for (Table table : tables) {
            if (table.key().isEmpty()) {
                throw new ArchiveRefused(
                        "The table " + table.name() + " has no primary key, so it is none of Parley's.");
            }
        }
        return new ArchivedTables(
                tables.stream().filter(ArchivedTables::goesWithThread).toList(),
                tables.stream().filter(table -> !goesWithThread(table)).toList());
    }

    private static boolean goesWithThread(Table table) {
        return table.startsWithThread() || INDEXED_BY_THREAD.contains(table.name());
    }

    private static Table withoutLease(Table table) {
        return table.columnNames().containsAll(LEASE)
                ? new Table(
                        table.name(),
                        table.columns().stream()
                                .filter(column -> !LEASE.contains(column.name()))
                                .toList(),
                        table.key(),
                        table.parents())
                : table;
    }

    /** Which rows of a table are carried; empty for all. */
    static Optional<String> condition(Table table) {
        return Optional.ofNullable(CONDITIONS.get(table.name()));
    }

    List<Table> all() {
        return Stream.concat(byThread.stream(), shared.stream()).toList();
    }

    Optional<Table> find(String name) {
        return all().stream().filter(table -> table.name().equals(name)).findFirst();
    }
}
