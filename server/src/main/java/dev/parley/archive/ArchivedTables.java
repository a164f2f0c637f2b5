package dev.parley.archive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tables that an archive holds. The rows of one thread are read in one transaction with the thread's head, so that
 * they agree with the head. All other tables are read in one transaction at the end, so that they agree with each
 * other.
 *
 * @param byThread the tables with rows of threads, parents first
 * @param shared all other tables, parents first
 */
record ArchivedTables(List<Table> byThread, List<Table> shared) {
    /**
     * The tables that have no use in another database, with the reason. All other tables are exported, including new
     * ones.
     */
    static final Map<String, String> LEFT_OUT = Map.of(
            "flyway_schema_history", "the schema is made by migrations",
            "imports", "tells of this very database",
            "nodes", "the servers that are alive here",
            "stream_tickets", "open a stream within a minute, or never");

    /**
     * The columns with the lease of a background job. They are left out, because a lease does not hold in another
     * database.
     */
    private static final Set<String> LEASE = Set.of("holder", "held_until");

    /** The tables that have an index by thread beside their key, and whose rows never move to another thread. */
    private static final Set<String> INDEXED_BY_THREAD = Set.of("runs", "deliveries", "webhooks");

    /** The conditions for exported rows. Blobs without an object are left out, because they are about to be removed. */
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

    /** The condition for exported rows; empty if all rows are exported. */
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
