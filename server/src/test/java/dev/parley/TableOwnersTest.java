package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A package writes to its own tables, and reads those and the tables of packages below it. Imports do not show the
 * tables of SQL, so this test reads the strings of the sources.
 */
class TableOwnersTest {
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    /** The packages that write to the tables of all others, each with the reason. */
    private static final Map<String, String> WRITE_EVERYWHERE = Map.of(
            "erasure", "erases content in every table that has any",
            "archive", "imports the rows of every table into an empty database");

    /** Further writes to a table of another package, by class and table, each with the reason. */
    private static final Map<String, String> FOREIGN_WRITES = Map.of(
            "threads.ThreadFactsCache thread_heads",
            "one statement finds the heads of an actor's threads, locks them in order and counts their facts up");

    /** Reads of a table of a package above, by class and table, each with the reason. */
    private static final Map<String, String> UPWARD_READS = Map.of(
            "auth.AgentTokens agents", "a token lives as long as its agent, and is looked up at every call",
            "ingest.ThreadQuotes erasures", "the statement that stores a quote sees whether it was erased",
            "log.ChainCheck threads", "the chain of a deleted thread is not checked",
            "threads.ThreadFactsCache agents", "the answering mode of an agent is a fact of its threads",
            "threads.ThreadFactsCache webhooks", "a thread that no webhook receives spares each append a query",
            "threads.ThreadStore agents", "members are shown under the names of their agents");

    /** The classes whose code inserts the names of tables into its SQL, with those tables. */
    private static final Map<String, String> NAMES_PUT_IN = Map.of(
            "delivery.Leases", "tables that its own package leases",
            "runs.lifecycle.RunEffectWriter", "tables of a run's open parts",
            "threads.DeletedThreads", "tables of the purgers: their own test compares them with their packages",
            "threads.ThreadEffectWriter", "tables that change with a member or a thread");

    private static final Pattern CREATED = Pattern.compile("(?m)^create table (\\w+)");
    /** The name is empty where the code inserts it. */
    private static final List<Pattern> WRITES = List.of(
            Pattern.compile("(?i)\\b(?:insert\\s+into|delete\\s+from)\\s++(\\w*)"),
            // Other updates are locks, or belong to an insert.
            Pattern.compile("(?i)\\bupdate\\s++(\\w*+)\\S*+(?:\\s++as)?(?:\\s++(?!set\\b)\\w++)?\\s++set\\b"),
            Pattern.compile("(?i)(?<!for )(?<!key )\\bupdate\\s++()$"));

    private static final Pattern READ = Pattern.compile("(?i)\\b(?:from|join|using)\\s++(\\w+)");

    private static final List<SourceStrings> SERVER = SourceStrings.ofServer();

    private static Set<String> written(SourceStrings source) {
        return WRITES.stream().flatMap(source::find).collect(Collectors.toSet());
    }

    private static Set<String> read(SourceStrings source) {
        return source.find(READ).filter(TableOwners.OWNERS::containsKey).collect(Collectors.toSet());
    }

    private static String packageOf(SourceStrings source) {
        return ArchitectureTest.ORDER.stream()
                .flatMap(List::stream)
                .filter(each -> source.name().startsWith(each + "."))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(source.name() + " has no place in the order"));
    }

    /** Smaller is higher. */
    private static int levelOf(String name) {
        return ArchitectureTest.ORDER.indexOf(ArchitectureTest.ORDER.stream()
                .filter(level -> level.contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " has no place in the order")));
    }

    /** @param allowed true for a table owner whose tables a package may use */
    private static Set<String> forbidden(
            SourceStrings source, Set<String> tables, BiPredicate<String, String> allowed) {
        return tables.stream()
                .filter(table -> !allowed.test(packageOf(source), TableOwners.OWNERS.getOrDefault(table, "")))
                .map(table -> source.name() + " " + table)
                .collect(Collectors.toSet());
    }

    @Test
    void everyTableHasAnOwner() throws IOException {
        Set<String> created = new TreeSet<>();
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".sql")).toList()) {
                CREATED.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .forEach(created::add);
            }
        }
        assertThat(TableOwners.OWNERS.keySet()).containsExactlyInAnyOrderElementsOf(created);
        assertThat(TableOwners.OWNERS.values())
                .allSatisfy(owner -> assertThat(levelOf(owner)).isPositive());
    }

    @Test
    void onlyTheOwnerWritesToATable() {
        Set<String> found = new TreeSet<>();
        for (SourceStrings source : SERVER) {
            Set<String> tables = written(source);
            tables.remove("");
            found.addAll(forbidden(
                    source, tables, (user, owner) -> user.equals(owner) || WRITE_EVERYWHERE.containsKey(user)));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(FOREIGN_WRITES.keySet());
    }

    @Test
    void packagesReadNoTablesOfPackagesAbove() {
        Set<String> found = new TreeSet<>();
        for (SourceStrings source : SERVER) {
            found.addAll(forbidden(source, read(source), (user, owner) -> levelOf(user) <= levelOf(owner)));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(UPWARD_READS.keySet());
    }

    @Test
    void tablesAreWrittenByTheirNames() {
        assertThat(SERVER.stream()
                        .filter(source -> !WRITE_EVERYWHERE.containsKey(packageOf(source)))
                        .filter(source -> written(source).contains(""))
                        .map(SourceStrings::name))
                .containsExactlyInAnyOrderElementsOf(NAMES_PUT_IN.keySet());
    }

    /** A control: if the sources were not read, the other tests would find no violation. */
    @Test
    void ownersAreSeenWritingToTheirTables() {
        Set<String> seen = SERVER.stream()
                .flatMap(source -> written(source).stream()
                        .filter(table -> packageOf(source).equals(TableOwners.OWNERS.get(table))))
                .collect(Collectors.toSet());
        assertThat(TableOwners.OWNERS.keySet()).isEqualTo(seen);
    }

    @Test
    void stringsAreReadAsTheCompilerReadsThem() {
        assertThat(SourceStrings.in("""
                        // "no" 'string'
                        char quote = '"'; /* "no" */ String a = "update t"
                            + " set x"; String b = "say \\"set\\"" + a + \"""
                        delete from t \""" + b;
                        """).stream().map(String::strip))
                .containsExactly("update t set x", "say \\\"set\\\"", "delete from t");
        SourceStrings source = new SourceStrings(
                "log.Example",
                List.of(
                        "update entries as e set x = 1",
                        "insert into events (x) values (1) on conflict do update set x = 2",
                        "select 1 from threads for update",
                        "select 1 from threads for no key update ",
                        "delete from ",
                        "update %1$s set x = 1",
                        "update <table> as t set x = 1"));
        assertThat(written(source)).containsExactlyInAnyOrder("entries", "events", "");
        assertThat(read(source)).containsExactly("threads");
    }
}
