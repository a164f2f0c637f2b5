package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page assigns every table of the schema to a shard or to the directory. */
class ScalingPageTest {
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
    private static final String KEYS = """
            select c.relname || ' ' || a.attname from pg_index i
            join pg_class c on c.oid = i.indrelid
            join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
            where i.indisprimary and c.relnamespace = 'public'::regnamespace and c.relname <> 'flyway_schema_history'
            """;

    @Test
    void everyTableHasItsRow() {
        Map<String, String> firstColumns = new HashMap<>();
        try (RunningServer server = RunningServer.start()) {
            server.select(KEYS).forEach(each -> firstColumns.put(each.split(" ")[0], each.split(" ")[1]));
        }
        assertThat(firstColumns).hasSizeGreaterThan(30);
        Set<String> byThread = firstColumns.keySet().stream()
                .filter(table -> "thread_id".equals(firstColumns.get(table)))
                .collect(Collectors.toCollection(TreeSet::new));

        List<List<String>> rows = Page.of("docs/develop/scaling.md").rows().stream()
                .filter(row -> row.size() == 3
                        && row.getFirst().contains("`, `")
                        && row.get(1).matches("begins with.*|an id of.*|a name that.*|of no thread"))
                .toList();

        assertThat(rows).hasSize(4);
        assertThat(new TreeSet<>(names(rows.getFirst()))).isEqualTo(byThread);
        List<String> all = rows.stream().flatMap(row -> names(row).stream()).toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(all)).isEqualTo(new TreeSet<>(firstColumns.keySet()));
    }

    private static List<String> names(List<String> row) {
        return NAME.matcher(row.getFirst()).results().map(name -> name.group(1)).toList();
    }
}
