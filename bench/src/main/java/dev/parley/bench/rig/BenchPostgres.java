package dev.parley.bench.rig;

import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A PostgreSQL that belongs to a run and not to one of its servers, in the folder {@code postgres} of the run. */
public record BenchPostgres(EmbeddedPostgres process) implements AutoCloseable {
    private static final String DATABASE = "parley";

    /** @param settings the settings in addition to those of an embedded PostgreSQL */
    public static BenchPostgres start(Path folder, Map<String, String> settings) {
        return new BenchPostgres(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                folder.resolve("postgres"),
                TestPostgres.programs(),
                settings,
                Duration.ofSeconds(90),
                Duration.ofSeconds(30))));
    }

    /** The database of the servers. */
    public DatabaseAddress database() {
        return database(DATABASE);
    }

    /** A database, which is created if it is missing. */
    public DatabaseAddress database(String name) {
        process.createDatabaseIfMissing(name);
        return new DatabaseAddress(process.jdbcUrl(name), process.user(), process.password());
    }

    /** The same database through another port. */
    public static DatabaseAddress through(DatabaseAddress database, int port) {
        return new DatabaseAddress(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE, database.user(), database.password());
    }

    @Override
    public void close() {
        process.close();
    }
}
