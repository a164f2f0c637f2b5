package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Migrations only add, so that nodes of the previous version keep working. A statement that removes needs a line above
 * it that names the last release with a use: {@code -- contracts: unused since 0.3}.
 */
class MigrationRulesTest {
    private static final Path FOLDER = Path.of("src/main/resources/db/migration");
    /** The last migration from before the first release, when no older nodes existed. */
    private static final int FROZEN = 9;

    private static final Pattern NAME = Pattern.compile("V(\\d+)__\\w+\\.sql");
    private static final Pattern MARKER = Pattern.compile("-- contracts: unused since \\d+\\.\\d+.*", Pattern.DOTALL);
    /** Removes an index that was not completed. */
    private static final Pattern CLEARS = Pattern.compile("drop index concurrently if exists (\\w+)");

    private static final String OUTSIDE = "executeInTransaction=false";
    /** The body of a function has semicolons of its own. */
    private static final Pattern BODY = Pattern.compile("\\$\\$.*?\\$\\$", Pattern.DOTALL);
    /** Statements that can be repeated after a migration outside a transaction was broken off. */
    private static final Pattern REPEATABLE = Pattern.compile(
            "set lock_timeout = 0|(drop|create) index concurrently .*|create or replace (function|view) .*",
            Pattern.DOTALL);

    private static List<String> statements(String sql) {
        return Stream.of(BODY.matcher(sql.replaceAll("--[^\n]*", " "))
                        .replaceAll("body")
                        .split(";"))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static final List<Pattern> CONTRACTING = Stream.of(
                    "\\bdrop\\b",
                    "\\brename\\b",
                    "\\btruncate\\b",
                    "\\bdelete\\s+from\\b",
                    "\\balter\\s+(column\\s+)?\\w+\\s+(set\\s+data\\s+)?type\\b",
                    "\\bset\\s+not\\s+null\\b",
                    "\\badd\\s+(constraint|check|unique|primary|foreign)\\b",
                    // Older nodes do not supply a new mandatory column.
                    "\\badd\\s+column\\b(?=[^,;]*\\bnot\\s+null\\b)(?![^,;]*\\bdefault\\b)",
                    "\\bcreate\\s+unique\\s+index\\b",
                    // Writers of the table would wait for the whole build.
                    "\\bcreate\\s+index\\s+(?!concurrently\\b)",
                    "\\bcreate\\s+(or\\s+replace\\s+)?(trigger|rule)\\b",
                    "\\block\\s+table\\b")
            .map(each -> Pattern.compile(each, Pattern.CASE_INSENSITIVE))
            .toList();

    /** The statements of a migration that remove or require more than before, without the line above them. */
    private static List<String> contracting(String sql) {
        List<String> made = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (String statement : sql.split(";")) {
            String bare = statement.replaceAll("--[^\n]*", " ").strip();
            var clears = CLEARS.matcher(bare);
            if (clears.matches() && sql.contains("create index concurrently " + clears.group(1) + " ")) {
                continue;
            }
            var creates = Pattern.compile("^create table (if not exists )?(\\w+)", Pattern.CASE_INSENSITIVE)
                    .matcher(bare);
            if (creates.find()) {
                made.add(creates.group(2).toLowerCase(Locale.ROOT));
                continue;
            }
            // Older nodes do not know the objects of the same migration yet.
            boolean own = made.stream()
                    .anyMatch(table ->
                            bare.toLowerCase(Locale.ROOT).matches("(?s).*\\b(on|table|into) " + table + "\\b.*"));
            if (!own
                    && CONTRACTING.stream().anyMatch(each -> each.matcher(bare).find())
                    && !MARKER.matcher(statement.strip()).lookingAt()) {
                found.add(bare);
            }
        }
        return found;
    }

    @Test
    void everyMigrationOnlyAdds() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(MigrationRulesTest::isScript).sorted().toList()) {
                var name = NAME.matcher(file.getFileName().toString());
                assertThat(name.matches()).as("the name of %s", file).isTrue();
                if (Integer.parseInt(name.group(1)) > FROZEN) {
                    assertThat(contracting(Files.readString(file)))
                            .as("removing statements of %s", file.getFileName())
                            .isEmpty();
                }
            }
        }
    }

    private static boolean isScript(Path file) {
        return file.toString().endsWith(".sql");
    }

    /** A migration outside a transaction is not rolled back, so each of its statements must be repeatable. */
    @Test
    void concurrentBuildsAreMigrationsOfTheirOwn() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(MigrationRulesTest::isScript).toList()) {
                List<String> statements = statements(Files.readString(file));
                boolean beside = statements.stream().anyMatch(each -> each.contains(" index concurrently "));
                Path settings = Path.of(file + ".conf");
                assertThat(Files.exists(settings)).as("%s", settings).isEqualTo(beside);
                if (Files.exists(settings)) {
                    assertThat(settings).hasContent(OUTSIDE);
                    assertThat(statements)
                            .as("%s", file)
                            .allMatch(each -> REPEATABLE.matcher(each).matches());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "drop table entries",
                "alter table entries drop column content",
                "ALTER TABLE entries RENAME COLUMN content TO text",
                "alter table entries alter column seq type bigint",
                "alter table entries alter column seq set data type bigint",
                "alter table entries alter column reply_to set not null",
                "alter table entries add column must text not null",
                "alter table entries add column fine text, add column must text not null",
                "alter table entries add constraint short check (length(content) < 10)",
                "create unique index one on entries (content)",
                "create index slow on entries (content)",
                "drop index concurrently if exists former",
                "delete from entries",
                "create table mine (id int); drop table entries",
                "-- contracts: soon\ndrop table entries"
            })
    void removingStatementsAreRefused(String sql) {
        assertThat(contracting(sql)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table entries add column fine text",
                "alter table entries add column fine boolean not null default false",
                "create index concurrently more on entries (content)",
                "drop index concurrently if exists more; create index concurrently more on entries (content)",
                "create table mine (id int); create index more on mine (id)",
                "create table dropped (renamed text not null unique)",
                "create table mine (id int); create unique index one on mine (id)",
                "-- never drop this\ncreate table mine (id int)",
                "-- contracts: unused since 0.3\ndrop table former"
            })
    void addingStatementsAreAccepted(String sql) {
        assertThat(contracting(sql)).isEmpty();
    }
}
