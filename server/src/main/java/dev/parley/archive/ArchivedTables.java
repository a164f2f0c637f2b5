package dev.parley.archive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tables that an archive holds. Rows of one thread are read together with its head, so that they agree; all other
 * tables are read in one transaction at the end, so that they agree with each other.
 *
 * @param byThread parents first
 * @param shared parents first
 */
record ArchivedTables(List<Table> byThread, List<Table> shared) {
    /** Tables without a use in another database, with the reason. Any other table, also a new one, is exported. */
    static final Map<String, String> LEFT_OUT = Map.of(
            "flyway_schema_history", "the schema is made by migrations",
            "imports", "tells of this very database",
            "nodes", "the servers that are alive here",
            "stream_tickets", "open a stream within a minute, or never");

    /** The lease of a background job; it does not hold in another database. */
    private static final Set<String> LEASE = Set.of("holder", "held_until");

    /** Tables that have an index by thread beside their key, and whose rows never leave their thread. */
    private static final Set<String> INDEXED_BY_THREAD = Set.of("runs", "deliveries", "webhooks");

    /** Blobs without an object are about to be removed. */
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
                        "The table " + table.name() + " has no primary key, so it is not one of Parley's.");
            }
        }
        return new ArchivedTables(
                tables.stream().filter(ArchivedTables::isByThread).toList(),
                tables.stream().filter(table -> !isByThread(table)).toList());
    }

    private static boolean isByThread(Table table) {
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

    /** The condition of the exported rows; empty for all. */
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
