package dev.parley.archive;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table as the database describes it.
 *
 * @param columns the exported columns
 * @param key the columns of its primary key, in order
 * @param parents the tables that its rows refer to by foreign keys
 */
record Table(String name, List<Column> columns, List<String> key, Set<String> parents) {
    /** The types whose values JSON represents exactly; other values are written in PostgreSQL's text form. */
    private static final Set<String> PLAIN = Set.of("boolean", "smallint", "integer", "bigint");

    /** @param identity true if the database generates the values from a sequence */
    record Column(String name, String type, boolean identity) {
        private String toJson() {
            return PLAIN.contains(type) ? quoted(name) : quoted(name) + "::text";
        }
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String quoted(List<String> names) {
        return names.stream().map(Table::quoted).collect(Collectors.joining(", "));
    }

    String quotedName() {
        return quoted(name);
    }

    List<String> columnNames() {
        return columns.stream().map(Column::name).toList();
    }

    boolean startsWithThread() {
        return key.getFirst().equals("thread_id");
    }

    /** The SQL for one JSON array per row, as text. */
    String asArrays() {
        return columns.stream().map(Column::toJson).collect(Collectors.joining(", ", "json_build_array(", ")::text"));
    }
}
