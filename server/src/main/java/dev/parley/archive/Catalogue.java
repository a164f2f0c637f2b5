package dev.parley.archive;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the database's tables with their columns, keys and references. A table comes after the tables that it refers
 * to.
 */
final class Catalogue {
    private static final String COLUMNS = """
            select c.relname, a.attname, format_type(a.atttypid, null), a.attidentity <> ''
            from pg_class c join pg_attribute a on a.attrelid = c.oid
            where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
                and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
            order by c.relname, a.attnum""";

    private static final String KEYS = """
            select c.relname, a.attname
            from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
                cross join unnest(i.indkey::int2[]) with ordinality as part (attnum, place)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = part.attnum
            where c.relnamespace = current_schema()::regnamespace and place <= i.indnkeyatts
            order by c.relname, place""";

    private static final String REFERENCES = """
            select c.relname, parent.relname
            from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class parent on parent.oid = f.confrelid
            where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace and c.oid <> parent.oid""";

    private Catalogue() {}

    /** All tables of the connection's schema, parents first, otherwise by name. */
    static List<Table> read(Connection connection) throws SQLException {
        Map<String, List<Table.Column>> columns = new TreeMap<>();
        Map<String, List<String>> keys = new LinkedHashMap<>();
        Map<String, Set<String>> parents = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(COLUMNS)) {
                while (row.next()) {
                    columns.computeIfAbsent(row.getString(1), table -> new ArrayList<>())
                            .add(new Table.Column(row.getString(2), row.getString(3), row.getBoolean(4)));
                }
            }
            try (ResultSet row = statement.executeQuery(KEYS)) {
                while (row.next()) {
                    keys.computeIfAbsent(row.getString(1), table -> new ArrayList<>())
                            .add(row.getString(2));
                }
            }
            try (ResultSet row = statement.executeQuery(REFERENCES)) {
                while (row.next()) {
                    parents.computeIfAbsent(row.getString(1), table -> new HashSet<>())
                            .add(row.getString(2));
                }
            }
        }
        List<Table> unordered = columns.entrySet().stream()
                .map(table -> new Table(
                        table.getKey(),
                        List.copyOf(table.getValue()),
                        List.copyOf(keys.getOrDefault(table.getKey(), List.of())),
                        Set.copyOf(parents.getOrDefault(table.getKey(), Set.of()))))
                .toList();
        return parentsFirst(unordered);
    }

    private static List<Table> parentsFirst(List<Table> tables) {
        List<Table> waiting = new ArrayList<>(tables);
        List<Table> ordered = new ArrayList<>();
        Set<String> placed = new HashSet<>();
        while (!waiting.isEmpty()) {
            Table next = waiting.stream()
                    .filter(table -> placed.containsAll(table.parents()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("Tables refer to each other in a ring: " + waiting));
            waiting.remove(next);
            ordered.add(next);
            placed.add(next.name());
        }
        return ordered;
    }
}
